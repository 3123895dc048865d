// Compiling: the derivatives of the constraints, and the programs. All by exact differentiation:
//   phidot = d phi along (qdot, t) = Phi v + phi_t,   Phi = d phidot / dv,   gamma = -(Phidot v + d phi_t along (qdot, t)).
#include "system/system.hpp"

#include <algorithm>
#include <map>

#include "expression/comparison_nesting.hpp"
#include "expression/derivative.hpp"
#include "expression/interruption.hpp"
#include "system/flow.hpp"
#include "system/kernel_expressions.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

void append(List& list, const List& more) { list.insert(list.end(), more.begin(), more.end()); }

int entry_of(const SparseMatrix& A, int row, int column) {
  const int* first = A.innerIndexPtr() + A.outerIndexPtr()[row];
  const int* last = A.innerIndexPtr() + A.outerIndexPtr()[row + 1];
  return static_cast<int>(std::lower_bound(first, last, column) - A.innerIndexPtr());
}

// Straight-line code for each row of the contacts: a good deal longer than that of the acceleration where there are many of them.
constexpr std::size_t most_contact_responses = 24;  // rows

bool has_contact_responses(const Equations& equations) {
  std::size_t rows = 0;
  for (const RigidContact& contact : equations.contacts)
    rows += contact.has_two_tangents() ? 3 : contact.has_friction() ? 2 : 1;
  return rows > 0 && rows <= most_contact_responses;
}

}  // namespace

System::System(std::shared_ptr<const Equations> equations, const SystemOptions& options)
    : equations_(std::move(equations)), options_(options) {
  const Equations& e = *equations_;
  Graph& graph = *e.graph;
  derive_constraints();
  // roots are expressions too: those of comparisons that occur only in root rates are none, so the list is final here
  const int comparisons = static_cast<int>(graph.comparisons().size());
  layout_ = {static_cast<int>(e.q.size()),
             static_cast<int>(e.v.size()),
             static_cast<int>(e.z.size()),
             static_cast<int>(e.discrete.size()),
             comparisons,
             static_cast<int>(e.p.size()),
             static_cast<int>(e.rows.size())};
  leaves_ = {e.t};
  append(leaves_, e.q), append(leaves_, e.v), append(leaves_, e.z);
  for (const Discrete& value : e.discrete) leaves_.push_back(value.leaf);
  for (int k = 0; k < comparisons; ++k) leaves_.push_back(graph.outcome(k));
  append(leaves_, e.p);

  position_ = make_stage(false, false);
  motion_ = make_stage(true, false);
  all_ = make_stage(true, true);

  comparison_nesting_ = armature::internal::comparison_nesting(graph);
  start_position_ = make_start_stage(e.keep, e.near, false);
  start_velocity_ = make_start_stage(e.speed_keep, e.speed_near, true);
  if (std::ranges::any_of(e.z_initial, [](const auto& start) { return !start.second.is_constant(); })) {
    List starts;
    for (const auto& [index, value] : e.z_initial) starts.push_back(value);
    states_start_ = std::make_shared<const Program>(e.p, starts);
  }
  make_solvers();
  make_kernels(nullptr);
}

// The kernels of every model are the same but for the kinetic energy, whose form is that of the traced solve.
System::System(const System& other, const SystemOptions& options) : System(other) {
  options_ = options;
  const bool was_articulated = articulated_;
  make_solvers();
  const bool share = articulated_ == was_articulated;
  for (const KernelEntry& entry : kernel_table())
    if (share && !entry.traced) kernels_.set_program(entry.kernel, other.program(entry.kernel));
  if (!share) make_kernels(nullptr);
}

// What depends on the options.
void System::make_solvers() {
  const Equations& e = *equations_;
  kernels_ =
      Kernels({layout_, static_cast<int>(options_.independent_rows.size()), static_cast<int>(e.quantities.size()),
               static_cast<int>(e.events.size()), static_cast<int>(e.lookups.size()),
               static_cast<int>(6 * e.reactions.size()), static_cast<int>(e.contacts.size())});
  articulated_ = false;
  if (options_.traced_solve) make_traced_kernels();
  jacobian_ = options_.jacobian ? make_jacobian_stage() : JacobianStage();
}

// Those of kernels.def; those that no kernel of this kind reads are numbers.
List System::further_inputs(const TracedMotion* traced, int count) const {
  const Equations& e = *equations_;
  List inputs =
      traced ? traced->inputs() : List(static_cast<std::size_t>(kernels_.input(Input::vdot) - layout_.size()), 0.0);
  append(inputs, e.a), append(inputs, e.lambda);
  inputs.resize(static_cast<std::size_t>(count));
  return inputs;
}

// Of no contact, or none with friction, a kernel of its own would be the same.
bool System::is_plain_acceleration(Kernel kernel) const {
  const auto& contacts = equations_->contacts;
  if (kernel == Kernel::acceleration_open) return contacts.empty();
  return kernel == Kernel::acceleration_sliding && std::ranges::none_of(contacts, &RigidContact::has_friction);
}

void System::make_kernels(const TracedMotion* traced) {
  const KernelSource source{*equations_, traced, articulated_ ? equations_->tree->kinetic : equations_->kinetic};
  for (const KernelEntry& entry : kernel_table()) {
    if (entry.traced != (traced != nullptr)) continue;
    if (is_plain_acceleration(entry.kernel)) {
      kernels_.set_program(entry.kernel, program(Kernel::acceleration));
      continue;
    }
    if (entry.kernel == Kernel::contact_response && !has_contact_responses(*equations_)) continue;
    const List outputs = entry.expressions(source);
    const List inputs = further_inputs(traced, kernels_.input_count(entry.kernel) - layout_.size());
    kernels_.set_program(entry.kernel,
                         make_program(outputs, inputs, entry.packed ? traced->packs() : std::vector<Pack>{}));
  }
}

void System::derive_constraints() {
  const Equations& e = *equations_;
  Derivative along_flow(flow_of_states(e)), along_states(flow_of_auxiliary_states(e));
  // phidot, and Phi as its derivative by v
  for (const ConstraintRow& row : e.rows) phidot_.push_back(rate_of(row, along_flow));
  Phi_ = jacobian_of(phidot_, e.v);
  // gamma = -d(phidot)/dt at vdot = 0: what explicit time and auxiliary states change, and dPhi/dt v
  Phidot_ = ExpressionMatrix(Phi_.rows(), Phi_.columns());
  for (int r = 0; r < Phi_.rows(); ++r) {
    Expression change = along_flow(along_states(e.rows[r].phi));
    for (const auto& [k, entry] : Phi_.row(r)) {
      Phidot_.add(r, k, along_flow(entry));
      change += along_flow(entry) * e.v[k];
    }
    // with quaternions the derivative as it comes is the shorter one
    gamma_.push_back(e.quaternions.empty() && !e.rows[r].rate ? -change : -along_flow(phidot_[r]));
  }
  derive_extents();
}

// sum over components c of the vector and over k of (dc/dq_k)^2 / M_kk: the row of its length is small against that where it
// vanishes. The diagonal stands for M: a measure needs no more.
void System::derive_extents() {
  const Equations& e = *equations_;
  Derivative along_flow(flow_of_states(e));
  const auto inertia = [&](int k) {
    for (const auto& [column, entry] : e.M.row(k))
      if (column == k) return entry;
    return Expression(0.0);
  };
  for (const ConstraintRow& row : e.rows) {
    if (row.vector.empty()) {
      extents_.emplace_back(0.0);
      continue;
    }
    List rates;
    for (const Expression& component : row.vector) rates.push_back(along_flow(component));
    const ExpressionMatrix J = jacobian_of(rates, e.v);
    Expression sum = 0.0;
    for (int c = 0; c < J.rows(); ++c)
      for (const auto& [k, entry] : J.row(c)) sum += entry * entry / inertia(k);
    if (!sum.is(0)) extent_rows_.push_back(static_cast<int>(extents_.size()));
    extents_.push_back(sum);
  }
}

std::shared_ptr<const Program> System::make_program(const List& outputs, const List& further_inputs,
                                                    const std::vector<Pack>& packs) const {
  List inputs = leaves_;
  append(inputs, further_inputs);
  return std::make_shared<const Program>(inputs, outputs, packs);
}

System::MatrixOutputs System::add_outputs(const ExpressionMatrix& matrix, bool symmetric, List& outputs) {
  MatrixOutputs result{static_cast<int>(outputs.size()), symmetric, {}, {}};
  std::vector<Eigen::Triplet<double>> constants;
  // entries that move are outputs; all others are written once
  for (int i = 0; i < matrix.rows(); ++i) {
    stop_if_interrupted();
    for (const auto& [j, entry] : matrix.row(i)) {
      if (symmetric && j > i) break;
      const double value = entry.is_constant() ? entry.value() : 0;
      constants.emplace_back(i, j, value);
      if (symmetric && i != j) constants.emplace_back(j, i, value);
      if (entry.is_constant()) continue;
      result.places.push_back({i, j, 0, 0});
      outputs.push_back(entry);
    }
  }
  result.constants.resize(matrix.rows(), matrix.columns());
  result.constants.setFromTriplets(constants.begin(), constants.end());
  stop_if_interrupted();
  // where each output goes in the sparse matrix
  for (MatrixOutputs::Place& place : result.places) {
    place.entry = place.mirrored = entry_of(result.constants, place.row, place.column);
    if (symmetric) place.mirrored = entry_of(result.constants, place.column, place.row);
  }
  return result;
}

System::Stage System::make_stage(bool velocity, bool force) const {
  const Equations& e = *equations_;
  Stage stage;
  List outputs;
  auto list = [&](const List& entries) {
    const int first = static_cast<int>(outputs.size());
    append(outputs, entries);
    return first;
  };
  stage.M = add_outputs(e.M, true, outputs);
  stage.Phi = add_outputs(Phi_, false, outputs);
  List phi;
  for (const ConstraintRow& row : e.rows) phi.push_back(row.phi);
  stage.phi = list(phi);
  List extents;
  for (const int row : extent_rows_) extents.push_back(extents_[static_cast<std::size_t>(row)]);
  stage.extent = list(extents);
  if (velocity) stage.phidot = list(phidot_), stage.gamma = list(gamma_), stage.qdot = list(e.qdot);
  if (force) stage.f = list(e.f), stage.zdot = list(e.zdot);
  stage.program = make_program(outputs);
  return stage;
}

System::StartStage System::make_start_stage(const std::vector<StartCondition>& keep,
                                            const std::vector<StartCondition>& near, bool velocity) const {
  const Equations& e = *equations_;
  Derivative along_flow(flow_of_states(e));
  List residuals, rates;
  for (const auto* conditions : {&keep, &near})
    for (const StartCondition& condition : *conditions) {
      residuals.push_back(condition.residual);
      rates.push_back(velocity ? condition.residual : along_flow(condition.residual));
    }
  StartStage stage;
  stage.J = add_outputs(jacobian_of(rates, e.v), false, residuals);
  stage.program = make_program(residuals);
  return stage;
}

TracedMotion System::trace(SystemOptions::Way way) const {
  const std::vector<int> groups = row_groups(*equations_);
  return {*equations_, {Phi_, Phidot_, phidot_, gamma_, extents_, options_.independent_rows, groups}, way};
}

TracedMotion System::traced_motion() const {
  return trace(articulated_ ? SystemOptions::Way::articulated : SystemOptions::Way::composite);
}

void System::make_traced_kernels() {
  const TracedMotion traced = trace(options_.way);
  articulated_ = traced.articulated();
  make_kernels(&traced);
}

System::JacobianStage System::make_jacobian_stage() const {
  const Equations& e = *equations_;
  const std::size_t nv = e.v.size();
  // r = M a + Phi' lambda - f
  List r, phi;
  for (std::size_t i = 0; i < nv; ++i) {
    Expression sum = -e.f[i];
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i))) sum += entry * e.a[j];
    r.push_back(sum);
  }
  for (int k = 0; k < Phi_.rows(); ++k)
    for (const auto& [i, entry] : Phi_.row(k)) r[i] += entry * e.lambda[k];
  for (const ConstraintRow& row : e.rows) phi.push_back(row.phi);
  List lack = gamma_;  // gamma - Phi a: with a fixed, its derivatives are those of the acceleration's constraint
  for (int k = 0; k < Phi_.rows(); ++k)
    for (const auto& [j, entry] : Phi_.row(k)) lack[k] -= entry * e.a[j];

  // derivatives in the order of SystemEvaluator::Jacobian
  JacobianStage stage;
  List outputs;
  auto block = [&](const List& list, const List& leaves) {
    stage.blocks.push_back(add_outputs(jacobian_of(list, leaves), false, outputs));
  };
  block(r, e.q), block(r, e.v), block(r, e.z);
  block(e.qdot, e.q), block(e.qdot, e.v);
  block(e.zdot, e.q), block(e.zdot, e.v), block(e.zdot, e.z);
  block(phi, e.q), block(phidot_, e.q), block(phidot_, e.v), block(lack, e.q), block(lack, e.v);
  stage.program = make_program(outputs, further_inputs(nullptr, kernels_.input_count() - layout_.size()));
  return stage;
}

std::vector<int> row_groups(const Equations& equations) {
  std::map<std::pair<std::string, std::string>, int> known;
  std::vector<int> groups;
  for (const ConstraintRow& row : equations.rows)
    groups.push_back(known.try_emplace({row.owner, row.unit}, static_cast<int>(known.size())).first->second);
  return groups;
}

void System::start_states(const Eigen::VectorXd& parameters, State& state) const {
  if (!states_start_) return;
  const auto& starts = equations_->z_initial;
  std::vector<double> values(starts.size());
  Evaluator evaluate(states_start_);
  evaluate(parameters.data(), values.data());
  for (std::size_t k = 0; k < starts.size(); ++k) state.x[layout_.nq + layout_.nv + starts[k].first] = values[k];
}

State System::initial_state() const {
  const Equations& e = *equations_;
  State state;
  state.x = Eigen::VectorXd::Zero(layout_.nx());
  for (int i = 0; i < layout_.nq; ++i) state.x[i] = e.q_initial[i];
  for (const auto& [index, value] : e.z_initial)
    if (value.is_constant()) state.x[layout_.nq + layout_.nv + index] = value.value();
  start_states(Eigen::Map<const Eigen::VectorXd>(e.p_value.data(), static_cast<Eigen::Index>(e.p_value.size())), state);
  state.d = Eigen::VectorXd::Zero(layout_.nd);
  for (int i = 0; i < layout_.nd; ++i) state.d[i] = e.discrete[i].initial;
  state.w = Eigen::VectorXd::Zero(layout_.nw);
  state.comparisons.assign(layout_.nw, ComparisonStatus::below);
  return state;
}

}  // namespace armature::internal
