#include "modes/linearization.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "dynamics/configuration.hpp"
#include "dynamics/dynamics.hpp"
#include "dynamics/formulation.hpp"
#include "linear/decompositions.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/formula_tree.hpp"
#include "model/request_error.hpp"
#include "system/state_program.hpp"

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model with_inputs(Model model, std::vector<std::string>& inputs) {
  const auto add = [&](const std::string& owner, Formula& formula) {
    const std::string name = "u." + owner;
    model.parameters.push_back({name, number_formula(0), 0, {}});
    formula = formula + name_formula(name, formula.where);
    inputs.push_back(name);
  };
  // A parameter, zero at first, is added to every command, every force by formula, and stands for every input of the
  // host.
  for (Drive& drive : model.drives)
    if (drive.command.is.given()) add(drive.name, drive.command.is);
  for (ForceElement& element : model.forces) {
    const std::string_view key = element.kind->input();
    if (key.empty()) continue;
    Formula input = element.values[key];
    add(element.name, input);
    element.values.set(key, input);
  }
  for (const HostInput& input : model.inputs) inputs.push_back(input.name);
  return model;
}

std::shared_ptr<const System> with_jacobian(const System& system) {
  SystemOptions options = system.options();
  options.jacobian = true;
  return std::make_shared<const System>(system, options);
}

namespace {

// Dependent velocities are those whose columns of Phi, weighed by the kinetic metric, a pivoted QR takes first.
std::vector<int> independent_velocities(const MatrixXd& Phi, const MatrixXd& M, int rank) {
  std::vector<int> independent;
  if (rank == 0) {
    for (int k = 0; k < M.rows(); ++k) independent.push_back(k);
    return independent;
  }
  const MatrixXd weighed = Phi * M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::VectorXi order = pivot_order(weighed);
  for (int k = rank; k < M.rows(); ++k) independent.push_back(order[k]);
  std::sort(independent.begin(), independent.end());
  return independent;
}

class Linearizing {
 public:
  Linearizing(const std::shared_ptr<const System>& system, const State& state)
      : e_(system->equations()),
        n_(system->layout()),
        state_(state),
        dynamics_(system, FormulationOptions{}, Stabilization{0, 0, false, {}}),
        configuration_(e_),
        terms_(dynamics_.evaluator().make_terms()) {
    dynamics_.set_state(state);
    for (int i = 0; i < n_.nz; ++i)
      if (e_.others[i].kind == Coordinate::Kind::other) dynamic_.push_back(n_.nq + n_.nv + i);
    factor();
    choose_independent();
    span_tangent();
  }

  Linearization run(const std::vector<std::string>& inputs) {
    MatrixXd J;
    if (!dynamics_.jacobian(state_.t, state_.x.data(), J))
      throw ComputationError("the equations of motion have no finite derivative at this state");
    result_.A = S_ * J * result_.T;
    name_states();
    add_inputs(inputs);
    add_outputs();
    return std::move(result_);
  }

 private:
  int freedoms() const { return static_cast<int>(independent_.size()); }

  void factor() {
    SystemEvaluator& evaluator = dynamics_.evaluator();
    evaluator.set(state_.t, state_.x.data());
    evaluator.all(terms_);
    rows_.resize(n_.nv, n_.m);
    rows_.set_groups(row_groups(e_));
    const int generic = static_cast<int>(evaluator.system().options().independent_rows.size());
    if (!rows_.factor(terms_)) throw ComputationError("M or Phi is not finite at this state");
    if (rows_.rank() < generic)
      throw ComputationError(
          fmt::format("the state is a singular pose (Phi has rank {} here, {} elsewhere): the motion has no "
                      "unique tangent space there in which to linearize",
                      rows_.rank(), generic));
  }

  void choose_independent() {
    independent_ = independent_velocities(terms_.Phi, terms_.M, rows_.rank());
    const int f = freedoms();
    std::vector<char> free(n_.nv, false);
    for (int k : independent_) free[k] = true;
    std::vector<int> dependent;
    for (int k = 0; k < n_.nv; ++k)
      if (!free[k]) dependent.push_back(k);
    R_ = MatrixXd::Zero(n_.nv, f);
    for (int c = 0; c < f; ++c) R_(independent_[c], c) = 1;
    if (dependent.empty() || f == 0) return;
    block_.factor(terms_.Phi(Eigen::all, dependent));
    R_(dependent, Eigen::all) = -block_.solve(MatrixXd(terms_.Phi(Eigen::all, independent_)));
    dependent_ = dependent;
  }

  void span_tangent() {
    auto jacobian = dynamics_.evaluator().make_jacobian();
    VectorXd a = VectorXd::Zero(n_.nv), lambda = VectorXd::Zero(n_.m);
    dynamics_.evaluator().jacobian(a, lambda, jacobian);
    const int f = freedoms(), nz = static_cast<int>(dynamic_.size());
    MatrixXd& T = result_.T;
    T = MatrixXd::Zero(n_.nx(), 2 * f + nz);
    // A motion of the freedoms as a change of x: rates of positions by R, velocities by R …
    T.topLeftCorner(n_.nq, f) = jacobian.qdot_v * R_;
    T.block(n_.nq, f, n_.nv, f) = R_;
    // … and dependent velocities that follow from positions, so that constraints hold along it.
    if (!dependent_.empty()) {
      const MatrixXd G = -block_.solve(MatrixXd(jacobian.phidot_q * T.topLeftCorner(n_.nq, f)));
      for (std::size_t k = 0; k < dependent_.size(); ++k) T.row(n_.nq + dependent_[k]).head(f) = G.row(k);
    }
    for (int k = 0; k < nz; ++k) T(dynamic_[k], 2 * f + k) = 1;
    // S picks the freedoms out of x: S T is the identity.
    S_ = MatrixXd::Zero(2 * f + nz, n_.nx());
    const MatrixXd pick = position_picker();
    for (int c = 0; c < f; ++c) S_.row(c).head(n_.nq) = pick.row(independent_[c]);
    for (int c = 0; c < f; ++c) S_(f + c, n_.nq + independent_[c]) = 1;
    for (int k = 0; k < nz; ++k) S_(2 * f + k, dynamic_[k]) = 1;
  }

  // N^+: turns of velocities out of changes of positions.
  MatrixXd position_picker() const {
    MatrixXd pick(n_.nv, n_.nq);
    VectorXd unit = VectorXd::Zero(n_.nq), v(n_.nv);
    for (int k = 0; k < n_.nq; ++k) {
      unit[k] = 1;
      configuration_.velocity(state_.x.data(), unit.data(), v.data());
      pick.col(k) = v;
      unit[k] = 0;
    }
    return pick;
  }

  void name_states() {
    std::vector<std::string>& names = result_.states;
    for (int k : independent_) {
      const int position = configuration_.position_of(k);
      result_.independent.push_back(position >= 0 ? e_.positions[position].name : "turn of " + e_.velocities[k].name);
    }
    names = result_.independent;
    for (int k : independent_) names.push_back(e_.velocities[k].name);
    for (int k : dynamic_) names.push_back(e_.others[k - n_.nq - n_.nv].name);
  }

  // d xdot / du: one more right-hand side of the constrained system a column.
  void add_inputs(const std::vector<std::string>& inputs) {
    result_.inputs = inputs;
    // df/du and dzdot/du, symbolically, …
    std::vector<Expression> outputs;
    for (const std::string& name : inputs) {
      leaves_.push_back(e_.p[std::find(e_.p_name.begin(), e_.p_name.end(), name) - e_.p_name.begin()]);
      Derivative along({{leaves_.back().id(), 1.0}});
      for (const Expression& f : e_.f) outputs.push_back(along(f));
      for (const Expression& zdot : e_.zdot) outputs.push_back(along(zdot));
    }
    StateProgram program(e_, outputs);
    program.set(state_);
    const VectorXd& values = program.evaluate();
    MatrixXd columns = MatrixXd::Zero(n_.nx(), static_cast<Eigen::Index>(inputs.size()));
    VectorXd vdot = VectorXd::Zero(n_.nv), lambda = VectorXd::Zero(n_.m), none = VectorXd::Zero(n_.m);
    // … and the accelerations that follow from df/du on the constraints.
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
      const auto column = values.segment(k * (n_.nv + n_.nz), n_.nv + n_.nz);
      rows_.solve(column.head(n_.nv), none, vdot, lambda);
      columns.col(k).segment(n_.nq, n_.nv) = vdot;
      columns.col(k).tail(n_.nz) = column.tail(n_.nz);
    }
    result_.B = S_ * columns;
  }

  void add_outputs() {
    const auto quantities = static_cast<Eigen::Index>(e_.quantities.size());
    const auto columns = n_.nx() + static_cast<Eigen::Index>(leaves_.size());
    std::vector<Expression> all = e_.q, outputs;
    for (const auto* list : {&e_.v, &e_.z, static_cast<const std::vector<Expression>*>(&leaves_)})
      all.insert(all.end(), list->begin(), list->end());
    // Derivatives of all recorded quantities by all states and inputs.
    for (const Expression& leaf : all) {
      Derivative along({{leaf.id(), 1.0}});
      for (const Quantity& quantity : e_.quantities) outputs.push_back(along(quantity.value));
    }
    StateProgram program(e_, outputs);
    program.set(state_);
    const MatrixXd J = Eigen::Map<const MatrixXd>(program.evaluate().data(), quantities, columns);
    // Positions themselves are outputs, too.
    for (const Coordinate& position : e_.positions) result_.outputs.push_back(position.name);
    for (const Quantity& quantity : e_.quantities) result_.outputs.push_back(quantity.name);
    result_.C.resize(n_.nq + quantities, result_.T.cols());
    result_.C.topRows(n_.nq) = result_.T.topRows(n_.nq);
    result_.C.bottomRows(quantities) = J.leftCols(n_.nx()) * result_.T;
    result_.D = MatrixXd::Zero(n_.nq + quantities, static_cast<Eigen::Index>(leaves_.size()));
    result_.D.bottomRows(quantities) = J.rightCols(static_cast<Eigen::Index>(leaves_.size()));
  }

  const Equations& e_;
  const Layout& n_;
  const State& state_;
  Dynamics dynamics_;
  Configuration configuration_;
  Terms terms_;
  KineticRows rows_;
  std::vector<int> independent_, dependent_, dynamic_;
  LeastNorm block_;  // columns of Phi that belong to the dependent velocities
  MatrixXd R_, S_;
  std::vector<Expression> leaves_;  // of the inputs
  Linearization result_;
};

}  // namespace

Linearization linearize(const std::shared_ptr<const System>& system, const State& state,
                        const std::vector<std::string>& inputs) {
  return Linearizing(system, state).run(inputs);
}

}  // namespace armature::internal
