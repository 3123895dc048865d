#include "control/feedback.hpp"

#include "control/sampled.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {

namespace {

Expression leaf_of(EquationsBuilder& builder, const std::string& name) {
  for (const Feedback& known : builder.equations().feedback)
    for (const auto& output : known.outputs)
      if (output.name == name) return output.leaf;
  return builder.graph().input(name);
}

// What acts of an effort: all of it at once, or what is held of it since the last sample.
Expression acting(EquationsBuilder& builder, const Controller& controller, const std::string& name, Expression effort) {
  if (!controller.sampled()) return effort;
  const Sampled sampled(builder, controller, name);
  sampled.close(builder, effort);
  return sampled.output();
}

}  // namespace

void read_controlled_coordinates(const MapReader& map, Controller& controller, Reading& reading) {
  for (const CoordinateReference& on : read_coordinates(map, "on", reading)) controller.on.push_back(on.name);
}

std::vector<std::string> effort_names(const Controller& controller) {
  std::vector<std::string> names;
  for (const std::string& on : controller.on) names.push_back(controller.name + "." + on);
  return names;
}

Feedback offer_efforts(EquationsBuilder& builder, const Controller& controller) {
  const Formula& quantization = controller.values["sampled.quantization"];
  if (quantization.given())
    throw FormulaError(quantization.where,
                       "inverse dynamics needs the whole state; only a pd or pid controller quantizes its measurement");
  Feedback feedback{controller.name, controller.where, false, {}};
  for (const std::string& on : controller.on) {
    const NamedCoordinate& x = builder.coordinate(on, controller.where);
    const std::string name = controller.name + "." + on;
    const Expression leaf = leaf_of(builder, name);
    const Expression acts = acting(builder, controller, name, leaf);
    feedback.outputs.push_back({name, leaf, acts, x.rate, 0.0});
    builder.offer(name, [acts] { return Value(acts); });
    builder.equations().quantities.push_back({name, x.unit == "m" ? "N" : "N m", acts});
  }
  return feedback;
}

}  // namespace armature::internal
