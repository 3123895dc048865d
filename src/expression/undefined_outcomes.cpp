#include "expression/undefined_outcomes.hpp"

namespace armature::internal {

namespace {

// Whether an operation on numbers may give none.
bool leaves_numbers(Op op) {
  return op == Op::sqrt || op == Op::log || op == Op::asin || op == Op::acos || op == Op::pow || op == Op::div;
}

}  // namespace

Expression UndefinedOutcomes::operator()(Expression x) {
  if (x.is_constant() || x.graph()->comparisons().empty()) return x;
  Graph& graph = *x.graph();
  // a comparison is made after those that its root depends on
  for (; marked_ < graph.comparisons().size(); ++marked_) mark(graph, marked_);
  return marking_(x);
}

// Operands come before the nodes that they enter.
void UndefinedOutcomes::look_at_nodes(const Graph& graph) {
  for (auto id = static_cast<std::int32_t>(may_be_undefined_.size()); id < graph.size(); ++id) {
    const Node& node = graph[id];
    const auto below = [&](std::int32_t operand) { return may_be_undefined_[static_cast<std::size_t>(operand)]; };
    const int operands = operand_count(node.op);
    bool may = leaves_numbers(node.op) || (operands > 0 && below(node.a)) || (operands > 1 && below(node.b)) ||
               (operands > 2 && below(node.c));
    if (node.op == Op::outcome && static_cast<std::size_t>(node.a) < graph.comparisons().size()) {
      const Expression root = graph.comparisons()[static_cast<std::size_t>(node.a)].root;
      may = !root.is_constant() && root.id() < id && below(root.id());
    }
    may_be_undefined_.push_back(may);
  }
}

void UndefinedOutcomes::mark(Graph& graph, std::size_t comparison) {
  look_at_nodes(graph);
  const Expression root = graph.comparisons()[comparison].root;
  if (root.is_constant() || !may_be_undefined_[static_cast<std::size_t>(root.id())]) return;
  const Expression outcome = graph.outcome(static_cast<int>(comparison));
  marking_.replace(outcome.id(), outcome + kept_above(0.0, kept_below(0.0, marking_(root))));
}

}  // namespace armature::internal
