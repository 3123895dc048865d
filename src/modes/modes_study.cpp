#include "modes/modes_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "mechanics/rolling.hpp"
#include "model/request_error.hpp"
#include "modes/eigenvalue_sensitivity.hpp"
#include "prepare/beam_errors.hpp"

namespace armature::internal {

namespace {

constexpr double at_rest = 1e-6;  // of the typical rate: a slower start rests

void require_parameters(const std::vector<std::string>& names, const Model& model) {
  std::vector<std::string> all;
  for (const Parameter& parameter : model.parameters) all.push_back(parameter.name);
  for (const std::string& name : names) require_known(name, all, "parameter");
}

// The state about which the motion is linearized.
void settle(bool equilibrium, ModesResult& result) {
  const auto system = result.prepared.system;
  if (const auto& contacts = system->equations().contacts; !contacts.empty())
    throw RequestError(contacts.front().label +
                       " is rigid: a motion that may collide has no vibrations of a linear system; give the "
                       "contact a stiffness");
  if (!equilibrium) {
    result.state = result.prepared.start;
    RestState(system).settle_comparisons(result.state);
    return;
  }
  result.equilibrium = find_equilibrium(system, result.prepared.start);
  if (!result.equilibrium->found)
    throw NoEquilibrium(result.equilibrium->sentence + "; linearize about the start itself instead");
  result.state = result.equilibrium->state;
}

void differentiate_eigenvalues(ModesResult& result) {
  if (result.parameters.empty()) return;
  if (!result.equilibrium) throw RequestError("sensitivity", "needs an equilibrium; the start pose alone does not do");
  std::vector<std::complex<double>> eigenvalues;
  for (const Eigenmode& mode : result.modes) eigenvalues.push_back(mode.eigenvalue);
  const Eigen::MatrixXcd all = eigenvalue_sensitivity(result.prepared.system, *result.equilibrium, eigenvalues);
  const auto& names = result.prepared.system->equations().p_name;
  std::vector<int> columns;
  for (const std::string& name : result.parameters)
    columns.push_back(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  result.sensitivity = all(Eigen::all, columns);
}

// What the linear system leaves out.
void add_notes(ModesResult& result) {
  const Equations& e = result.prepared.system->equations();
  const auto moves_with_time = [&](Expression x) { return depends_on(x, e.t); };
  bool time = false;
  // Constraints or forces that move with time are taken as they stand.
  for (const ConstraintRow& row : e.rows) time = time || moves_with_time(row.phi);
  for (const Expression& f : e.f) time = time || moves_with_time(f);
  if (time) result.notes.push_back(fmt::format("time is frozen at t = {:g} s", result.state.t));
  if (std::ranges::any_of(e.discrete, [](const Discrete& value) { return value.period > 0; }))
    result.notes.push_back("sampled controllers hold their outputs");
  if (result.equilibrium && result.equilibrium->balanced > 0)
    result.notes.push_back(fmt::format(
        "{} exactly at the switching point in the equilibrium: the mean of both sides acts, so dry friction "
        "is left out",
        result.equilibrium->balanced == 1 ? "1 comparison is"
                                          : fmt::format("{} comparisons are", result.equilibrium->balanced)));
}

// An eigenvalue that is zero twice over is known to the root of the round-off only.
void note_instability(ModesResult& result) {
  if (!result.equilibrium) return;
  constexpr double grows = 1e-7;  // of the largest frequency: less may be round-off
  double fastest = 0;
  for (const Eigenmode& mode : result.modes) fastest = std::max(fastest, mode.frequency());
  std::vector<std::size_t> growing;
  for (std::size_t k = 0; k < result.modes.size(); ++k)
    if (result.modes[k].eigenvalue.real() > grows * fastest) growing.push_back(k + 1);
  if (!growing.empty())
    result.notes.push_back(fmt::format("the equilibrium is unstable: mode{} {} {}", growing.size() == 1 ? "" : "s",
                                       fmt::join(growing, ", "), growing.size() == 1 ? "grows" : "grow"));
}

// The speed of a start that moves is not that of its equilibrium. Empty: it rests.
std::string dropped_speed(const ModesResult& result) {
  const Prepared& prepared = result.prepared;
  const std::vector<Coordinate>& names = prepared.system->equations().velocities;
  const Eigen::VectorXd v = prepared.start.x.segment(prepared.system->layout().nq, prepared.system->layout().nv);
  const State& start = prepared.start;
  const Eigen::VectorXd shares = v.cwiseAbs().cwiseProduct(RestState(prepared.system).size(start).per_velocity());
  Eigen::Index fastest = 0;
  if (v.size() == 0 || shares.maxCoeff(&fastest) <= at_rest * prepared.options.rate) return "";
  const Coordinate& name = names[static_cast<std::size_t>(fastest)];
  return fmt::format(
      "the start moves ({} = {:.6g} {}), but these are vibrations about an equilibrium at rest: the speed is dropped. "
      "To keep it, linearize about the start itself (--no-equilibrium)",
      name.name, v[fastest], name.unit);
}

// What is odd about the model, and beams that are bent beyond their theory where they rest.
void add_warnings(ModesResult& result) {
  Findings findings = result.prepared.findings;
  BeamErrors errors(result.prepared.beams);
  errors.look(result.state.t, result.state.x);
  append(errors.findings(), findings);
  result.warnings = warnings_among(findings);
  if (std::string dropped = result.equilibrium ? dropped_speed(result) : ""; !dropped.empty())
    result.warnings.push_back(std::move(dropped));
}

}  // namespace

ModesResult find_modes(const Model& model, const ModesOptions& options) {
  // compiled with an input for each drive, and with the parameters whose influence is wanted
  ModesResult result;
  require_parameters(options.sensitivity, model);
  result.parameters = options.sensitivity;
  std::vector<std::string> inputs, free = options.sensitivity;
  const Model with = with_inputs(model, inputs);
  free.insert(free.end(), inputs.begin(), inputs.end());
  result.prepared = compile(with, free);
  refuse_velocity_rows(result.prepared.system->equations(), "modes");
  require_chosen_start(result.prepared, options.start);
  result.prepared.system = with_jacobian(*result.prepared.system);

  // equilibrium, linear system, eigenvalues
  settle(options.equilibrium, result);
  result.linear = linearize(result.prepared.system, result.state, inputs);
  result.modes = eigenmodes(result.linear, result.prepared.system->layout().nq);
  differentiate_eigenvalues(result);

  add_notes(result);
  note_instability(result);
  add_warnings(result);
  return result;
}

std::vector<std::string> entry_names(const Equations& equations) {
  std::vector<std::string> names;
  for (const auto* list : {&equations.positions, &equations.velocities, &equations.others})
    for (const Coordinate& coordinate : *list) names.push_back(coordinate.name);
  return names;
}

}  // namespace armature::internal
