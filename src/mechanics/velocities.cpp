#include "mechanics/velocities.hpp"

#include <algorithm>
#include <utility>

namespace armature::internal {

Velocities::Velocities(const Equations& equations, const std::vector<std::string>& virtual_joints)
    : equations_(equations), joints_(virtual_joints) {
  Graph& graph = *equations.graph;
  const std::size_t count = 6 * joints_.size();
  for (std::size_t k = 0; k < count; ++k) displacements_.push_back(graph.input("virtual displacement"));
  for (std::size_t k = 0; k < count; ++k) rates_.push_back(graph.input("virtual velocity"));
}

int Velocities::number_of(std::int32_t leaf) {
  if (static_cast<int>(numbers_.size()) != count()) {
    numbers_.clear();
    for (const std::vector<Expression>* list : {&equations_.v, &std::as_const(rates_)})
      for (const Expression& v : *list) numbers_.emplace(v.id(), static_cast<int>(numbers_.size()));
  }
  const auto found = numbers_.find(leaf);
  return found == numbers_.end() ? -1 : found->second;
}

int Velocities::first_displacement(const std::string& joint) const {
  const auto found = std::ranges::find(joints_, joint);
  return found == joints_.end() ? -1 : 6 * static_cast<int>(found - joints_.begin());
}

}  // namespace armature::internal
