#include "singular/pose_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "mechanics/rolling.hpp"
#include "model/diagnostics.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/request_error.hpp"
#include "singular/singular_words.hpp"

namespace armature::internal {

namespace {

std::string pose_name(std::size_t k) { return fmt::format("pose.{}", k + 1); }
std::string goal_name(std::size_t k) { return fmt::format("pose goal.{}", k + 1); }

// As it was asked for: "over foo: unknown name 'foo' (did you mean …?)".
[[noreturn]] void refuse(const PoseMachine& machine, std::size_t k, const std::string& message, const Model& model) {
  const bool held = k >= machine.names.size() - machine.held.size();
  const bool suggests = message.find("did you mean") != std::string::npos;
  throw RequestError((held ? "hold " : "over ") + machine.names[k],
                     message + (suggests ? "" : did_you_mean(machine.names[k], coordinate_names(model))));
}

Prepared compile_pose(PoseMachine& machine, const Model& model) {
  machine.model = with_body_markers(model);
  // Each name becomes a definition, so that any formula of positions will do; what is wrong with it is said of the
  // option.
  for (std::size_t k = 0; k < machine.names.size(); ++k) try {
      machine.model.definitions.push_back({pose_name(k), parse_formula(machine.names[k], {})});
    } catch (const FormulaError& error) {
      refuse(machine, k, error.what(), model);
    }
  try {
    Prepared prepared = compile(machine.model);
    refuse_velocity_rows(prepared.system->equations(), "singularities");
    return prepared;
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics())
      for (std::size_t k = 0; k < machine.names.size(); ++k)
        if (diagnostic.key == "define." + pose_name(k)) refuse(machine, k, diagnostic.message, model);
    throw;
  }
}

Place pose_at(const Prepared& prepared, const State& state, std::size_t count) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set(state);
  Observables now;
  evaluator.observables(now);
  const auto& quantities = prepared.system->equations().quantities;
  Place pose(count);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t i = 0; i < quantities.size(); ++i)
      if (quantities[i].name == pose_name(k)) pose[k] = now.quantities[static_cast<Eigen::Index>(i)];
  return pose;
}

// The same machine with the pose kept at goals.
void keep_goals(PoseMachine& machine, const State& start) {
  std::vector<std::string> free;
  machine.model.start = {};
  for (std::size_t k = 0; k < machine.names.size(); ++k) {
    const double value = machine.at_start[k];
    machine.model.parameters.push_back({goal_name(k), number_formula(value), value, {}});
    StartEntry entry;
    entry.name = pose_name(k);
    entry.value = name_formula(goal_name(k), {});
    machine.model.start.keep.push_back(entry);
    free.push_back(goal_name(k));
  }
  machine.prepared = compile(machine.model, free);
  machine.prepared.start = start;
}

}  // namespace

std::shared_ptr<const PoseMachine> pose_machine(const Model& model, const PoseRequest& request) {
  auto machine = std::make_shared<PoseMachine>();
  machine->names = request.over;
  for (const auto& [name, value] : request.hold) machine->names.push_back(name), machine->held.push_back(value);
  Prepared start = compile_pose(*machine, model);
  assemble_start(start);
  if (!start.failure.empty()) throw ComputationError(start.failure);
  machine->at_start = pose_at(start, start.start, machine->names.size());
  keep_goals(*machine, start.start);
  machine->frame = singularity_frame(model, machine->prepared, request.active, request.output);
  return machine;
}

std::vector<int> goal_places(const PoseMachine& machine) {
  const auto& order = machine.prepared.system->equations().p_name;
  std::vector<int> places;
  for (std::size_t k = 0; k < machine.names.size(); ++k)
    places.push_back(static_cast<int>(std::find(order.begin(), order.end(), goal_name(k)) - order.begin()));
  return places;
}

Place place_of(const PoseMachine& machine, const State& state) {
  return pose_at(machine.prepared, state, machine.names.size());
}

}  // namespace armature::internal
