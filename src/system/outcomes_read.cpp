#include "system/outcomes_read.hpp"

#include <algorithm>

#include "expression/program_inputs.hpp"

namespace armature::internal {

std::vector<int> outcomes_read(const Program& program, const Layout& n) {
  const std::vector<bool> read = inputs_read(program);
  std::vector<int> comparisons;
  for (int k = 0; k < n.nw; ++k)
    if (read[static_cast<std::size_t>(n.w() + k)]) comparisons.push_back(k);
  return comparisons;
}

bool slide(const std::vector<int>& comparisons, const State& state) {
  return std::ranges::any_of(
      comparisons, [&](int k) { return state.comparisons[static_cast<std::size_t>(k)] == ComparisonStatus::sliding; });
}

}  // namespace armature::internal
