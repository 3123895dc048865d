#include "expression/operation_count.hpp"

#include <algorithm>

namespace armature::internal {

// Node ids grow from operands to results: one sweep down marks what is needed.
int operation_count(std::span<const Expression> outputs) {
  const Graph* graph = nullptr;
  std::int32_t highest = -1;
  for (const Expression& output : outputs)
    if (!output.is_constant()) graph = output.graph(), highest = std::max(highest, output.id());
  std::vector<bool> needed(static_cast<std::size_t>(highest + 1), false);
  for (const Expression& output : outputs)
    if (!output.is_constant()) needed[static_cast<std::size_t>(output.id())] = true;
  int count = 0;
  for (std::int32_t id = highest; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    const Node& node = (*graph)[id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) needed[static_cast<std::size_t>(operands[k])] = true;
    count += operand_count(node.op) > 0;
  }
  return count;
}

}  // namespace armature::internal
