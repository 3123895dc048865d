// The scalar coordinates of a model by name: those of joints (in the tree or cut), of beams, of rotors, of a Lagrangian.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal {

// Indices in a list that only grows, by name; of equal names the first.
class IndexByName {
 public:
  template <class List>
  int find(const List& list, const std::string& name) {  // -1: none
    for (; seen_ < list.size(); ++seen_) indices_.emplace(list[seen_].name, static_cast<int>(seen_));
    const auto found = indices_.find(name);
    return found == indices_.end() ? -1 : found->second;
  }

 private:
  std::unordered_map<std::string, int> indices_;
  std::size_t seen_ = 0;
};

template <class List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

// "leg.slide"; the only component of a joint goes by the joint's name.
inline std::string component_name(const std::string& joint, const std::string& component) {
  return component.empty() ? joint : joint + "." + component;
}

// A scalar that moves and that forces can act on.
struct NamedCoordinate {
  std::string name;  // "theta1", "leg.slide"
  std::string unit;  // "rad" or "m"
  Expression value, rate;
};

class Coordinates {
 public:
  explicit Coordinates(Equations& equations) : equations_(equations) {}

  // A new coordinate with qdot = v; the one of that name if it exists (a second build of the same model).
  const NamedCoordinate& add(const std::string& name, Coordinate::Kind kind, const std::string& owner);
  void name(const NamedCoordinate& coordinate);  // an expression that acts as a coordinate

  const NamedCoordinate* find(const std::string& name) const;                // null: none
  const NamedCoordinate& at(const std::string& name, Location where) const;  // throws FormulaError
  std::vector<std::string> names() const;

  // Index in q or v by the entry's own name, which components of quaternions have too; -1: none.
  int position(const std::string& name) { return positions_.find(equations_.positions, name); }
  int velocity(const std::string& name) { return velocities_.find(equations_.velocities, name); }

 private:
  Equations& equations_;
  std::map<std::string, NamedCoordinate> coordinates_;
  IndexByName positions_, velocities_;
};

}  // namespace armature::internal
