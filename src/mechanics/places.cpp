// Names of places in a mechanism: points and bodies (their origins), in ground axes.
#include "mechanics/mechanism.hpp"

namespace armature {

namespace {

Value position_value(const Vec3& p) {
  Value value(std::vector<Expression>(p.begin(), p.end()));
  value.dimension = Dimension{{0, 1, 0, 0, 0}};
  return value;
}

template <class List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

}  // namespace

std::optional<Value> Mechanism::look_up(const std::string& name) {
  if (auto known = EquationsBuilder::look_up(name)) return known;
  if (auto point = find_named(model_.points, name); point != model_.points.end())
    return position_value(position_of({"ground", point->at, point->where}));
  const auto dot = name.find('.');
  const auto body = find_named(model_.bodies, name.substr(0, dot));
  if (body == model_.bodies.end() || !bodies_.contains(body->name)) return std::nullopt;
  if (dot == std::string::npos) return position_value(position_of({body->name, {}, {}}));
  auto point = find_named(body->points, name.substr(dot + 1));
  if (point == body->points.end()) return std::nullopt;
  return position_value(position_of({body->name, point->at, point->where}));
}

}  // namespace armature
