#include "expression/common_part.hpp"

#include <algorithm>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

enum class Role : unsigned char { none, common, varying };  // none: no output needs it

template <class Visit>
void for_operands(const Node& node, Visit visit) {
  const std::int32_t operands[] = {node.a, node.b, node.c};
  for (int k = 0; k < operand_count(node.op); ++k) visit(operands[k]);
}

// Node ids grow from operands to results: one sweep down finds what the outputs need, one sweep up what varies.
std::vector<Role> roles_of(const Graph& graph, std::span<const Expression> outputs,
                           std::span<const Expression> varying) {
  std::vector<Role> role(static_cast<std::size_t>(graph.size()), Role::none);
  for (const Expression& output : outputs)
    if (!output.is_constant()) role[static_cast<std::size_t>(output.id())] = Role::common;
  for (std::int32_t id = graph.size() - 1; id >= 0; --id)
    if (role[static_cast<std::size_t>(id)] != Role::none)
      for_operands(graph[id], [&](std::int32_t operand) { role[static_cast<std::size_t>(operand)] = Role::common; });
  for (const Expression& leaf : varying)
    if (Role& here = role[static_cast<std::size_t>(leaf.id())]; here != Role::none) here = Role::varying;
  for (std::int32_t id = 0; id < graph.size(); ++id)
    if (Role& here = role[static_cast<std::size_t>(id)]; here != Role::none)
      for_operands(graph[id], [&](std::int32_t operand) {
        if (role[static_cast<std::size_t>(operand)] == Role::varying) here = Role::varying;
      });
  return role;
}

}  // namespace

CommonPart split_common(std::span<const Expression> outputs, std::span<const Expression> varying) {
  CommonPart part;
  const auto node = std::ranges::find_if(outputs, [](const Expression& output) { return !output.is_constant(); });
  part.rest.assign(outputs.begin(), outputs.end());
  if (node == outputs.end()) return part;
  Graph& graph = *node->graph();
  const std::vector<Role> role = roles_of(graph, outputs, varying);
  const auto is = [&](std::int32_t id, Role wanted) { return role[static_cast<std::size_t>(id)] == wanted; };
  // where the two parts meet
  LeafMap replaced;
  const auto take = [&](std::int32_t id) {
    if (!is(id, Role::common) || graph[id].op == Op::constant || replaced.contains(id)) return;
    part.values.emplace_back(&graph, id);
    part.leaves.push_back(graph.input("common"));
    replaced[id] = part.leaves.back();
  };
  const auto known = static_cast<std::int32_t>(role.size());  // the graph grows
  for (std::int32_t id = 0; id < known; ++id)
    if (is(id, Role::varying)) {
      const Node here = graph[id];
      for_operands(here, take);
    }
  for (const Expression& output : outputs)
    if (!output.is_constant()) take(output.id());
  Substitution with_leaves(replaced);
  for (Expression& output : part.rest) output = with_leaves(output);
  return part;
}

}  // namespace armature::internal
