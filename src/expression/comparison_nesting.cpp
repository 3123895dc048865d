#include "expression/comparison_nesting.hpp"

#include <algorithm>

#include "expression/derivative.hpp"

namespace armature::internal {

// The longest chain of comparisons. Where roots depend on each other in a circle there is none; as many passes as comparisons then.
int comparison_nesting(const Graph& graph) {
  const std::vector<Graph::Comparison>& comparisons = graph.comparisons();
  std::vector<std::vector<std::int32_t>> read(comparisons.size());
  for (std::size_t k = 0; k < comparisons.size(); ++k)
    for (const std::int32_t leaf : leaves_of(comparisons[k].root))
      if (graph[leaf].op == Op::outcome) read[k].push_back(graph[leaf].a);
  std::vector<int> depth(comparisons.size(), 1);
  bool grows = true;
  for (std::size_t pass = 0; grows && pass < comparisons.size(); ++pass) {
    grows = false;
    for (std::size_t k = 0; k < comparisons.size(); ++k)
      for (const std::int32_t other : read[k]) {
        const int deeper = std::min(depth[static_cast<std::size_t>(other)] + 1, static_cast<int>(comparisons.size()));
        grows = grows || deeper > depth[k];
        depth[k] = std::max(depth[k], deeper);
      }
  }
  return comparisons.empty() ? 0 : *std::max_element(depth.begin(), depth.end());
}

}  // namespace armature::internal
