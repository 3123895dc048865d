// The leaves that count as velocities: those of the equations and, in a second build of a model, virtual ones. A joint whose
// reaction is asked for has six virtual displacements, b against a, each with its velocity (reactions.hpp).
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "mechanics/equations.hpp"

namespace armature::internal {

class Velocities {
 public:
  Velocities(const Equations& equations, const std::vector<std::string>& virtual_joints);

  int count() const { return static_cast<int>(equations_.v.size() + displacements_.size()); }
  int number_of(std::int32_t leaf);  // -1: not a velocity
  bool is_virtual(int number) const { return number >= static_cast<int>(equations_.v.size()); }

  bool has_virtual() const { return !displacements_.empty(); }
  const std::vector<Expression>& displacements() const { return displacements_; }
  const std::vector<Expression>& virtual_rates() const { return rates_; }
  int first_displacement(const std::string& joint) const;  // of its six; -1: it has none

 private:
  const Equations& equations_;
  std::vector<std::string> joints_;
  std::vector<Expression> displacements_, rates_;
  std::unordered_map<std::int32_t, int> numbers_;  // by leaf; made again when there are more velocities
};

}  // namespace armature::internal
