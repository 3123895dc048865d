#include "tuning/tuning_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/formulation.hpp"
#include "expression/interruption.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/integrator.hpp"
#include "linear/kinetic_rows.hpp"
#include "model/diagnostics.hpp"
#include "model/request_error.hpp"
#include "observe/ledger.hpp"
#include "run/simulate.hpp"
#include "system/determinants.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t largest_determinant = 10;  // rows

void look_at_constraints(const Equations& e, const std::string& of, TuningMachine& machine) {
  Derivative along_flow(flow_of_positions(e));
  for (const ConstraintRow& row : e.rows) {
    if (!of.empty() && row.owner != of && row.name != of) continue;
    machine.position.push_back(row.phi);
    machine.velocity.push_back(along_flow(row.phi));
  }
}

// The point's values, and what they ought to be at each step.
void look_at_formula(const Model& model, const std::string& of, TuningMachine& machine) {
  const Equations& e = machine.prepared.system->equations();
  for (const Quantity& quantity : e.quantities) {
    if (quantity.name.starts_with("tune.position")) machine.position.push_back(quantity.value);
    if (quantity.name.starts_with("tune.velocity")) machine.velocity.push_back(quantity.value);
  }
  Model fine = model;
  fine.simulate.integrator = step::accurate_method, fine.simulate.rtol = 1e-12, fine.simulate.projection = true;
  fine.simulate.record = machine.prepared.options.step;
  Prepared prepared = compile(fine);
  assemble_start(prepared);
  MemoryRecorder record;
  const Outcome outcome = simulate(prepared, record);
  if (outcome.status != RunStatus::finished)
    throw ComputationError(fmt::format("there is no motion to compare '{}' with: {}", of, outcome.sentence));
  std::vector<int> columns;
  for (const char* part : {"tune.position", "tune.velocity"})
    for (std::size_t k = 0; k < record.channels().size(); ++k)
      if (record.channels()[k].name.starts_with(part)) columns.push_back(static_cast<int>(k));
  for (int row = 0; row < record.rows(); ++row) {
    Eigen::VectorXd values(static_cast<Eigen::Index>(columns.size()));
    for (std::size_t k = 0; k < columns.size(); ++k)
      values[static_cast<Eigen::Index>(k)] = record.row_at(row)[columns[k]];
    machine.reference.push_back(std::move(values));
  }
}

bool names_constraint(const Equations& e, const std::string& of) {
  return std::any_of(e.rows.begin(), e.rows.end(),
                     [&](const ConstraintRow& row) { return of.empty() || row.owner == of || row.name == of; });
}

std::vector<std::string> coordinate_names(const Equations& e) {
  std::vector<std::string> names;
  for (const Coordinate& velocity : e.velocities) names.push_back(velocity.name.substr(0, velocity.name.size() - 1));
  return names;
}

Expression determinant_of_Phi(const Equations& e) {
  const bool square = e.rows.size() == e.v.size() && e.rows.size() <= largest_determinant && e.quaternions.empty();
  return square ? determinant(columns_of_Phi(e, coordinate_names(e), {})) : Expression(1.0);
}

std::unique_ptr<Integrator> fixed_step(const std::string& name, Dynamics& dynamics, double step) {
  IntegratorOptions options;
  options.step = step;
  if (const Tableau* method = find_tableau(name))
    return std::make_unique<FixedStep>(*method, dynamics, options, 0, false);
  return make_integrator(name, dynamics, options);
}

void refuse(const Prepared& prepared) {
  const Equations& e = prepared.system->equations();
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  if (e.rows.empty()) throw RequestError("tune: the model has no constraints to stabilize");
  const std::string& integrator = prepared.options.integrator;
  if (const step::Method& method = method_of(integrator); method.controlled && !method.tableau)
    throw RequestError("integrator " + integrator,
                       "chooses its own steps and orders; gains are tuned for a one-step method and a fixed step, such "
                       "as rk4 with a step "
                       "of 1e-3 s");
  for (const Discrete& value : e.discrete)
    if (value.period > 0) throw RequestError("tune: the model has sampled controllers, which tuning does not support");
}

std::vector<std::string> constraint_names(const Equations& e) {
  std::vector<std::string> names;
  for (const ConstraintRow& row : e.rows)
    if (names.empty() || names.back() != row.owner) names.push_back(row.owner);
  return names;
}

// Also records the formula and its rate. Errors in it name the option --of.
Prepared compile_with_formula(Model& model, const std::string& of, const std::vector<std::string>& constraints) {
  try {
    model.record.quantities.push_back({"tune.position", parse_formula(of, {})});
    model.record.quantities.push_back({"tune.velocity", parse_formula("(" + of + ")'", {})});
    return compile(model);
  } catch (const FormulaError& error) {
    throw RequestError("of " + of, error.what());
  } catch (const ModelError& error) {
    throw RequestError("of " + of, fmt::format("{}; the constraints are {}{}", error.diagnostics().front().message,
                                               fmt::join(constraints, ", "), did_you_mean(of, constraints)));
  }
}

}  // namespace

std::shared_ptr<const TuningMachine> tuning_machine(const Model& given, const std::string& of) {
  auto machine = std::make_shared<TuningMachine>();
  Model model = given;
  model.simulate.projection = false;
  model.simulate.alpha = model.simulate.beta = std::nullopt;
  model.simulate.post_adjust.reset();
  machine->prepared = compile(model);
  if (const Equations& plain = machine->prepared.system->equations();
      !names_constraint(plain, of) && !plain.rows.empty())
    machine->prepared = compile_with_formula(model, of, constraint_names(plain));
  assemble_start(machine->prepared);
  refuse(machine->prepared);
  drop_ledger(machine->prepared);
  const Equations& e = machine->prepared.system->equations();
  if (names_constraint(e, of))
    look_at_constraints(e, of, *machine);
  else
    look_at_formula(model, of, *machine);
  machine->singular = determinant_of_Phi(e);
  return machine;
}

std::vector<Expression> tuning_outputs(const TuningMachine& machine) {
  std::vector<Expression> outputs = machine.position;
  outputs.insert(outputs.end(), machine.velocity.begin(), machine.velocity.end());
  outputs.push_back(machine.singular);
  return outputs;
}

TuningTrack::TuningTrack(const TuningMachine& machine, double speed_limit)
    : machine_(machine), speed_limit_(speed_limit) {
  error_.setZero(static_cast<Eigen::Index>(machine.position.size() + machine.velocity.size()));
}

void TuningTrack::begin() { sign_ = 0, count_ = 0, E1_ = E2_ = 0; }

bool TuningTrack::look(const State& state, const double* outputs, bool full_rank) {
  const Layout& n = machine_.prepared.system->layout();
  const auto v = state.x.segment(n.nq, n.nv);
  if (!state.x.allFinite() || (n.nv > 0 && v.cwiseAbs().maxCoeff() > speed_limit_)) return false;
  error_ = Eigen::Map<const Eigen::VectorXd>(outputs, error_.size());
  if (!machine_.reference.empty()) error_ -= machine_.reference[std::min(count_, machine_.reference.size() - 1)];
  ++count_;
  const auto positions = static_cast<Eigen::Index>(machine_.position.size());
  const double position = error_.head(positions).squaredNorm();
  const double velocity = error_.tail(error_.size() - positions).squaredNorm();
  const double singular = outputs[error_.size()];
  if (sign_ == 0) sign_ = singular;
  if (count_ > 1) {
    if (!full_rank) return false;
    const double half = 0.5 * (state.t - t_);
    E1_ += half * (position_ + position), E2_ += half * (velocity_ + velocity);
  }
  t_ = state.t, position_ = position, velocity_ = velocity;
  return singular * sign_ > 0 && std::isfinite(position) && std::isfinite(velocity);
}

TuningErrors TuningTrack::errors() const {
  const double span = machine_.prepared.options.end - machine_.prepared.start.t;
  return {unknown, std::sqrt(E1_) / span, std::sqrt(E2_) / span};
}

TuningErrors TuningTrack::lost_at(double t) { return {t, unknown, unknown}; }

TuningRun::TuningRun(std::shared_ptr<const TuningMachine> machine, double speed_limit, bool projection)
    : machine_(std::move(machine)),
      track_(*machine_, speed_limit),
      program_(machine_->prepared.system->equations(), tuning_outputs(*machine_)),
      state_(machine_->prepared.start) {
  const RunOptions& run = machine_->prepared.options;
  dynamics_ = std::make_unique<Dynamics>(machine_->prepared.system, FormulationOptions{run.formulation},
                                         Stabilization{0, 0, projection, {}});
  dynamics_->follow_roots(true);
  integrator_ = fixed_step(run.integrator, *dynamics_, run.step);
}

TuningErrors TuningRun::run(double alpha, double beta) {
  state_ = machine_->prepared.start;
  dynamics_->set_baumgarte(alpha, beta);
  dynamics_->set_state(state_);
  integrator_->start(state_.t, state_.x);
  track_.begin();
  if (!look()) return TuningTrack::lost_at(state_.t);
  const int operations = machine_->prepared.system->operation_count();
  while (state_.t < machine_->prepared.options.end) {
    if (interrupted_after(operations)) throw Interrupted();
    if (!step() || !look()) return TuningTrack::lost_at(state_.t);
  }
  return track_.errors();
}

bool TuningRun::step() {
  if (integrator_->step(machine_->prepared.options.end) != StepStatus::ok) return false;
  state_.t = integrator_->t();
  state_.x = integrator_->x();
  if (state_.d.size() > 0) {  // whole turns and signs of cut joints
    dynamics_->evaluator().set(state_.t, state_.x.data());
    dynamics_->evaluator().next_discrete(state_.d);
    dynamics_->set_state(state_);
  }
  return true;
}

bool TuningRun::look() {
  const System& system = *machine_->prepared.system;
  state_.w = dynamics_->weights();
  program_.set(state_);
  const bool full = system.layout().m == 0 ||
                    dynamics_->acceleration().rank >= static_cast<int>(system.options().independent_rows.size());
  return track_.look(state_, program_.evaluate().data(), full);
}

}  // namespace armature::internal
