#include "control/feedback.hpp"

#include "control/sampled.hpp"

namespace armature::internal {

namespace {

Expression leaf_of(EquationsBuilder& builder, const std::string& name) {
  for (const Feedback& known : builder.equations().feedback)
    for (const auto& output : known.outputs)
      if (output.name == name) return output.leaf;
  return builder.graph().input(name);
}

Expression second_rate(EquationsBuilder& builder, Expression target, Location where) {
  try {
    return builder.rate_of(builder.rate_of(target));
  } catch (const FormulaError&) {
    throw FormulaError(where, "the target's acceleration must follow from t alone");
  }
}

void want_accelerations(EquationsBuilder& builder, const Controller& controller, Feedback& feedback) {
  const Value targets = builder.value(controller.target);
  if (targets.parts.size() != controller.on.size())
    throw FormulaError(controller.target.where, "the list of targets must be as long as the list of coordinates");
  const Expression kp = builder.scalar(controller.kp), kd = builder.scalar(controller.kd);
  for (std::size_t i = 0; i < targets.parts.size(); ++i) {
    const NamedCoordinate& x = builder.coordinate(controller.on[i], controller.where);
    const Expression target = targets.parts[i];
    feedback.outputs[i].acceleration = second_rate(builder, target, controller.target.where) +
                                       kd * (builder.rate_of(target) - x.rate) + kp * (target - x.value);
  }
}

// What acts of an effort: all of it at once, or what is held of it since the last sample.
Expression acting(EquationsBuilder& builder, const Controller& controller, const std::string& name, Expression effort) {
  if (!controller.period.given()) return effort;
  Controller output = controller;
  output.name = name;
  const Sampled sampled(builder, output);
  sampled.close(builder, effort);
  return sampled.output();
}

}  // namespace

void offer_feedback(EquationsBuilder& builder, const Controller& controller) {
  if (controller.quantization.given())
    throw FormulaError(
        controller.quantization.where,
        "inverse dynamics needs the whole state; only a pd or pid controller quantizes what it measures");
  Feedback feedback{controller.name, controller.where, controller.type == "gravity_compensation", {}};
  for (const std::string& on : controller.on) {
    const NamedCoordinate& x = builder.coordinate(on, controller.where);
    const std::string name = controller.name + "." + on;
    const Expression leaf = leaf_of(builder, name);
    const Expression acts = acting(builder, controller, name, leaf);
    feedback.outputs.push_back({name, leaf, acts, x.rate, 0.0});
    builder.offer(name, [acts] { return Value(acts); });
    builder.equations().quantities.push_back({name, x.unit == "m" ? "N" : "N m", acts});
  }
  if (!feedback.at_rest) want_accelerations(builder, controller, feedback);
  builder.equations().feedback.push_back(std::move(feedback));
}

}  // namespace armature::internal
