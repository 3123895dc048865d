// Names of places in a mechanism: points and bodies (their origins), in ground axes.
#include "mechanics/mechanism.hpp"

namespace armature::internal {

namespace {

Value position_value(const Vec3& p) {
  Value value(std::vector<Expression>(p.begin(), p.end()));
  value.dimension = Dimension{{0, 1, 0, 0, 0}};
  return value;
}

}  // namespace

std::optional<Value> Mechanism::look_up(const std::string& name) {
  if (auto known = EquationsBuilder::look_up(name)) return known;
  if (const int place = point_places_.find(model_.points, name); place >= 0) {
    const NamedPoint& point = model_.points[static_cast<std::size_t>(place)];
    return position_value(position_of({"ground", point.at, point.where}));
  }
  const auto dot = name.find('.');
  const int place = body_places_.find(model_.bodies, name.substr(0, dot));
  const Body* body = place < 0 ? nullptr : &model_.bodies[static_cast<std::size_t>(place)];
  if (!body || !bodies_.contains(body->name)) return std::nullopt;
  if (dot == std::string::npos) return position_value(position_of({body->name, {}, {}}));
  auto point = find_named(body->points, name.substr(dot + 1));
  if (point == body->points.end()) return std::nullopt;
  return position_value(position_of({body->name, point->at, point->where}));
}

}  // namespace armature::internal
