#include "force/between_coordinates.hpp"

#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

void read_between_coordinates(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading) {
  const std::optional<CoordinatePair> pair = read_coordinate_pair(map, reading);
  if (pair) element.on = {pair->a.name, pair->b.name};
  read_values(map, keys, element, pair && pair->a.is_length);
}

void read_on_coordinate(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading) {
  const std::optional<CoordinateReference> on = read_coordinate_on(map, reading);
  if (on) element.on = {on->name};
  read_values(map, keys, element, on && on->is_length);
}

RelativeMotion relative_motion(EquationsBuilder& builder, const ForceElement& element) {
  const NamedCoordinate &a = builder.coordinate(element.on[0], element.where),
                        &b = builder.coordinate(element.on[1], element.where);
  const Expression ratio = builder.scalar(element.values["ratio"], 1.0);
  builder.require_positive(square(ratio), element.values["ratio"].where, "a ratio is not zero");
  return {a.value - ratio * b.value, a.rate - ratio * b.rate, a.unit == "m"};
}

double breakaway_of(EquationsBuilder& builder, const ForceElement& element) {
  return breakaway_of(builder, element.values["breakaway"]);
}

void record_part(EquationsBuilder& builder, const ForceElement& element, const std::string& part,
                 const std::string& unit, Expression value) {
  builder.equations().quantities.push_back({element.name + "." + part, unit, value});
  builder.offer(element.name + "." + part, [value] { return Value(value); });
}

void record_effort(EquationsBuilder& builder, const ForceElement& element, bool is_force, Expression effort) {
  record_part(builder, element, is_force ? "force" : "torque", is_force ? "N" : "N m", effort);
}

}  // namespace armature::internal
