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
#include "mechanics/rolling.hpp"
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
  for (int row = 0; row < record.rows(); ++row)
    for (const int column : columns) machine.reference.push_back(record.row_at(row)[column]);
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
  refuse_velocity_rows(e, "tune");
  if (!e.contacts.empty()) throw RequestError("tune: the model has rigid contacts, which tuning does not support");
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

step::TuningMeasure measure_of(const TuningMachine& machine, double speed_limit) {
  const Layout& n = machine.prepared.system->layout();
  step::TuningMeasure measure;
  measure.nq = n.nq, measure.nv = n.nv, measure.nx = n.nx();
  measure.positions = static_cast<int>(machine.position.size());
  measure.velocities = static_cast<int>(machine.velocity.size());
  measure.speed_limit = speed_limit;
  measure.reference = machine.reference.empty() ? nullptr : machine.reference.data();
  measure.references = machine.references();
  return measure;
}

TuningErrors errors_of(const TuningMachine& machine, const step::TuningTrack& track) {
  const double span = machine.prepared.options.end - machine.prepared.start.t;
  return {unknown, track.E1(span), track.E2(span)};
}

TuningErrors lost_at(double t) { return {t, unknown, unknown}; }

TuningRun::TuningRun(std::shared_ptr<const TuningMachine> machine, double speed_limit, bool projection)
    : machine_(std::move(machine)),
      measure_(measure_of(*machine_, speed_limit)),
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
  if (!look()) return lost_at(state_.t);
  const int operations = machine_->prepared.system->operation_count();
  while (state_.t < machine_->prepared.options.end) {
    if (interrupted_after(operations)) throw Interrupted();
    if (!step() || !look()) return lost_at(state_.t);
  }
  return errors_of(*machine_, track_);
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
  return track_.look(measure_, state_.t, state_.x.data(), program_.evaluate().data(), full);
}

}  // namespace armature::internal
