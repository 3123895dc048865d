#include "mechanics/coordinates.hpp"

#include "expression/lower.hpp"

namespace armature::internal {

const NamedCoordinate& Coordinates::add(const std::string& name, Coordinate::Kind kind, const std::string& owner) {
  Equations& e = equations_;
  const std::string unit = kind == Coordinate::Kind::length ? "m" : "rad";
  if (const int i = position(name), k = velocity(name + "'"); i >= 0 && k >= 0)
    return coordinates_[name] = {name, unit, e.q[i], e.v[k]};
  e.positions.push_back({name, kind, unit, owner});
  e.velocities.push_back({name + "'", kind, unit + "/s", owner});
  e.q.push_back(e.graph->input(name));
  e.v.push_back(e.graph->input(name + "'"));
  e.qdot.push_back(e.v.back());
  e.q_initial.push_back(0);
  return coordinates_[name] = {name, unit, e.q.back(), e.v.back()};
}

void Coordinates::name(const NamedCoordinate& coordinate) { coordinates_[coordinate.name] = coordinate; }

const NamedCoordinate* Coordinates::find(const std::string& name) const {
  const auto found = coordinates_.find(name);
  return found == coordinates_.end() ? nullptr : &found->second;
}

const NamedCoordinate& Coordinates::at(const std::string& name, Location where) const {
  if (const NamedCoordinate* found = find(name)) return *found;
  const auto guess = nearest_name(name, names());
  throw FormulaError(where, "'" + name + "' is not a coordinate" + (guess ? " (did you mean '" + *guess + "'?)" : ""));
}

std::vector<std::string> Coordinates::names() const {
  std::vector<std::string> names;
  for (const auto& [name, coordinate] : coordinates_) names.push_back(name);
  return names;
}

}  // namespace armature::internal
