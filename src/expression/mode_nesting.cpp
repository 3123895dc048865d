#include "expression/mode_nesting.hpp"

#include <algorithm>

#include "expression/derivative.hpp"

namespace armature::internal {

// The longest chain of modes. Where roots depend on each other in a circle there is none; as many passes as modes then.
int mode_nesting(const Graph& graph) {
  const std::vector<Graph::Mode>& modes = graph.modes();
  std::vector<std::vector<std::int32_t>> read(modes.size());
  for (std::size_t k = 0; k < modes.size(); ++k)
    for (const std::int32_t leaf : leaves_of(modes[k].root))
      if (graph[leaf].op == Op::mode) read[k].push_back(graph[leaf].a);
  std::vector<int> depth(modes.size(), 1);
  bool grows = true;
  for (std::size_t pass = 0; grows && pass < modes.size(); ++pass) {
    grows = false;
    for (std::size_t k = 0; k < modes.size(); ++k)
      for (const std::int32_t other : read[k]) {
        const int deeper = std::min(depth[static_cast<std::size_t>(other)] + 1, static_cast<int>(modes.size()));
        grows = grows || deeper > depth[k];
        depth[k] = std::max(depth[k], deeper);
      }
  }
  return modes.empty() ? 0 : *std::max_element(depth.begin(), depth.end());
}

}  // namespace armature::internal
