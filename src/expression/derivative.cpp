#include "expression/derivative.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

// Visits the nodes below `id` that `done` does not hold, operands first. No recursion: graphs are deep.
template <class Done, class Visit>
void visit_below(Graph& graph, std::int32_t id, Done done, Visit visit) {
  std::vector<std::int32_t> stack{id};
  while (!stack.empty()) {
    std::int32_t top = stack.back();
    if (done(top)) {
      stack.pop_back();
      continue;
    }
    const Node node = graph[top];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    // operands first; the node stays on the stack until they are done
    bool ready = true;
    for (int k = operand_count(node.op) - 1; k >= 0; --k)
      if (!done(operands[k])) {
        stack.push_back(operands[k]);
        ready = false;
      }
    if (!ready) continue;
    visit(top);
    stack.pop_back();
  }
}

}  // namespace

Expression Derivative::operator()(Expression x) {
  if (x.is_constant()) return 0.0;
  Graph& graph = *x.graph();
  visit_below(
      graph, x.id(), [&](std::int32_t id) { return known_.contains(id); },
      [&](std::int32_t id) { known_.set(id, of_node(graph, id)); });
  return known_.at(x.id());
}

Expression Derivative::of_node(Graph& graph, std::int32_t id) {
  const Node node = graph[id];
  auto operand = [&](std::int32_t i) { return Expression(&graph, i); };
  auto derivative = [&](std::int32_t i) { return known_.at(i); };
  const Expression self(&graph, id);
  // leaves: their part of the direction
  switch (node.op) {
    case Op::constant: return 0.0;
    case Op::input:
    case Op::outcome: {
      auto seed = direction_.find(id);
      return seed == direction_.end() ? Expression(0.0) : seed->second;
    }
    default: break;
  }
  // functions of one operand: the chain rule
  const Expression a = operand(node.a), da = derivative(node.a);
  switch (node.op) {
    case Op::neg: return -da;
    case Op::sqrt: return da / (2.0 * self);
    case Op::sin: return cos(a) * da;
    case Op::cos: return -(sin(a) * da);
    case Op::tan: return (1.0 + self * self) * da;
    case Op::asin: return da / sqrt(1.0 - a * a);
    case Op::acos: return -(da / sqrt(1.0 - a * a));
    case Op::atan: return da / (1.0 + a * a);
    case Op::sinh: return cosh(a) * da;
    case Op::cosh: return sinh(a) * da;
    case Op::tanh: return (1.0 - self * self) * da;
    case Op::exp: return self * da;
    case Op::log: return da / a;
    case Op::kept_above:
    case Op::kept_below: return da;
    case Op::table: return graph.make(Op::table, node.a, node.b, node.c + 1) * da;
    default: break;
  }
  // of two operands
  const Expression b = operand(node.b), db = derivative(node.b);
  switch (node.op) {
    case Op::add: return da + db;
    case Op::sub: return da - db;
    case Op::mul: return da * b + a * db;
    case Op::div: return (da - self * db) / b;
    case Op::atan2: return (b * da - a * db) / (a * a + b * b);
    case Op::pow:
      if (b.is_constant()) return b * pow(a, b.value() - 1) * da;
      return self * (db * log(a) + b * da / a);
    default: break;
  }
  // select: weights are fixed between events, so only the branches move; unless the direction moves an outcome itself
  const Expression branches = select(a, db, derivative(node.c));
  return da.is(0) ? branches : branches + da * (b - operand(node.c));
}

Expression Substitution::operator()(Expression x) {
  if (x.is_constant()) return x;
  Graph& graph = *x.graph();
  auto rebuilt = [&](std::int32_t id) -> Expression {
    const Node node = graph[id];
    // a leaf that is replaced, or a node whose operands stay; else the same operation on what they became, folded anew
    auto found = replacement_.find(id);
    if (found != replacement_.end()) return found->second;
    const int operands = operand_count(node.op);
    const auto stays = [&](std::int32_t operand) { return known_.at(operand) == Expression(&graph, operand); };
    if ((operands < 1 || stays(node.a)) && (operands < 2 || stays(node.b)) && (operands < 3 || stays(node.c)))
      return Expression(&graph, id);
    const Expression a = known_.at(node.a);
    auto b = [&] { return known_.at(node.b); };
    switch (node.op) {
      case Op::neg: return -a;
      case Op::sqrt: return sqrt(a);
      case Op::sin: return sin(a);
      case Op::cos: return cos(a);
      case Op::tan: return tan(a);
      case Op::asin: return asin(a);
      case Op::acos: return acos(a);
      case Op::atan: return atan(a);
      case Op::sinh: return sinh(a);
      case Op::cosh: return cosh(a);
      case Op::tanh: return tanh(a);
      case Op::exp: return exp(a);
      case Op::log: return log(a);
      case Op::table:
        if (a.is_constant()) return graph.tables()[node.b]->evaluate(a.value(), node.c);
        return graph.make(Op::table, a.id(), node.b, node.c);
      case Op::add: return a + b();
      case Op::sub: return a - b();
      case Op::mul: return a * b();
      case Op::div: return a / b();
      case Op::atan2: return atan2(a, b());
      case Op::pow: return pow(a, b());
      case Op::kept_above: return kept_above(a, b());
      case Op::kept_below: return kept_below(a, b());
      default: return select(a, b(), known_.at(node.c));
    }
  };
  visit_below(
      graph, x.id(), [&](std::int32_t id) { return known_.contains(id); },
      [&](std::int32_t id) { known_.set(id, rebuilt(id)); });
  return known_.at(x.id());
}

std::vector<std::int32_t> leaves_of(Expression x) {
  std::vector<std::int32_t> leaves;
  if (x.is_constant()) return leaves;
  Graph& graph = *x.graph();
  NodeMap<bool> seen;
  visit_below(
      graph, x.id(), [&](std::int32_t id) { return seen.contains(id); },
      [&](std::int32_t id) {
        seen.set(id, true);
        if (graph[id].op == Op::input || graph[id].op == Op::outcome) leaves.push_back(id);
      });
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

bool depends_on(Expression x, Expression leaf) {
  auto leaves = leaves_of(x);
  return std::binary_search(leaves.begin(), leaves.end(), leaf.id());
}

}  // namespace armature::internal
