// Computed torque: on each coordinate x the effort with which the closed loop accelerates as
//
//   x'' = target'' + kd (target' - x') + kp (target - x)
#include "control/controller_kinds.hpp"
#include "control/feedback.hpp"
#include "control/sampled.hpp"
#include "mechanics/solution_leaves.hpp"

namespace armature::internal {
namespace {

namespace computed_torque_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "computed_torque", text, "", "required"},
    {"on", "coordinates; NAME.coordinate is the effort there", list, "", "required"},
    {"target", "list of their setpoints", any_value, "", "required", any, moves},
    {"kp", "acceleration per error", number, "s^-2", "0"},
    {"kd", "acceleration per rate of the error", number, "s^-1", "0"},
    {"sampled", "sample-and-hold: {period, delay}", map},
};
}  // namespace computed_torque_format

Expression second_rate(EquationsBuilder& builder, Expression target, Location where) {
  const auto refuse = [&] { throw FormulaError(where, "the acceleration of the target must depend on t alone"); };
  try {
    const Expression rate = builder.rate_of(builder.rate_of(target));
    if (has_acceleration(builder.equations(), rate)) refuse();
    return rate;
  } catch (const FormulaError&) {
    refuse();
  }
  return 0.0;
}

void want_accelerations(EquationsBuilder& builder, const Controller& controller, Feedback& feedback) {
  const Formula& target = controller.values["target"];
  const Value targets = builder.value(target);
  if (targets.parts.size() != controller.on.size())
    throw FormulaError(target.where, "the list of targets must be as long as the list of coordinates");
  const Expression kp = builder.scalar(controller.values["kp"]), kd = builder.scalar(controller.values["kd"]);
  for (std::size_t i = 0; i < targets.parts.size(); ++i) {
    const NamedCoordinate& x = builder.coordinate(controller.on[i], controller.where);
    const Expression wanted = targets.parts[i];
    feedback.outputs[i].acceleration =
        second_rate(builder, wanted, target.where) + kd * (builder.rate_of(wanted) - x.rate) + kp * (wanted - x.value);
  }
}

class ComputedTorque final : public ControllerKind {
 public:
  FormatSection format() const override {
    return {"controllers: computed_torque", "inverse dynamics of the closed loop", computed_torque_format::table};
  }
  std::vector<FormatSection> maps() const override { return {sampled_format()}; }

  void read(const MapReader& map, Controller& controller, Reading& reading) const override {
    read_controlled_coordinates(map, controller, reading);
    read_values(map, computed_torque_format::table, controller);
    read_sampling(map, controller, reading);
  }

  std::vector<std::string> signals(const Controller& controller) const override { return effort_names(controller); }

  void offer(EquationsBuilder& builder, const Controller& controller) const override {
    Feedback feedback = offer_efforts(builder, controller);
    want_accelerations(builder, controller, feedback);
    builder.equations().feedback.push_back(std::move(feedback));
  }
};

}  // namespace

const ControllerKind& computed_torque_kind() {
  static const ComputedTorque kind;
  return kind;
}

}  // namespace armature::internal
