// With the adjoint x~ = d(result)/dx of every node, a node y = f(a, b) adds  a~ += y~ f_a,  b~ += y~ f_b.  Operands have smaller numbers than
// the nodes that use them, so the nodes are taken from the largest number down.
#include "expression/reverse_gradient.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

class Adjoints {
 public:
  Adjoints(Expression x, const std::vector<Expression>& leaves) : graph_(*x.graph()) {
    open_[x.id()] = 1.0;
    for (const Expression& leaf : leaves)
      if (graph_[leaf.id()].op == Op::outcome) moving_.insert(leaf.id());
  }

  void run() {
    while (!open_.empty()) {
      const auto [id, adjoint] = *open_.rbegin();
      open_.erase(std::prev(open_.end()));
      if (!adjoint.is(0)) pass_on(id, adjoint);
    }
  }
  Expression of_leaf(std::int32_t id) const {
    const auto found = leaves_.find(id);
    return found == leaves_.end() ? Expression(0.0) : found->second;
  }
  std::vector<TableUse>& tables() { return tables_; }

 private:
  Expression node(std::int32_t id) const { return {&graph_, id}; }
  void add(std::int32_t id, Expression adjoint) {
    if (graph_[id].op == Op::constant) return;
    open_[id] += adjoint;
  }
  // Whether a weight of a select moves with an outcome that does.
  bool moves(std::int32_t weight) {
    if (moving_.empty()) return false;
    return std::ranges::any_of(leaves_of(node(weight)), [&](std::int32_t leaf) { return moving_.contains(leaf); });
  }

  void pass_on(std::int32_t id, Expression y) {
    const Node n = graph_[id];
    const Expression self = node(id);
    const auto a = [&] { return node(n.a); };
    const auto b = [&] { return node(n.b); };
    // y dself/doperand goes to each operand.
    switch (n.op) {
      case Op::constant: return;
      case Op::input:
      case Op::outcome: leaves_[id] = y; return;
      case Op::neg: return add(n.a, -y);
      case Op::sqrt: return add(n.a, y / (2.0 * self));
      case Op::sin: return add(n.a, y * cos(a()));
      case Op::cos: return add(n.a, -(y * sin(a())));
      case Op::tan: return add(n.a, y * (1.0 + self * self));
      case Op::asin: return add(n.a, y / sqrt(1.0 - a() * a()));
      case Op::acos: return add(n.a, -(y / sqrt(1.0 - a() * a())));
      case Op::atan: return add(n.a, y / (1.0 + a() * a()));
      case Op::sinh: return add(n.a, y * cosh(a()));
      case Op::cosh: return add(n.a, y * sinh(a()));
      case Op::tanh: return add(n.a, y * (1.0 - self * self));
      case Op::exp: return add(n.a, y * self);
      case Op::log: return add(n.a, y / a());
      case Op::kept_above:
      case Op::kept_below: return add(n.a, y);
      case Op::table:
        tables_.push_back({n.b, n.c, a(), y});
        return add(n.a, y * graph_.make(Op::table, n.a, n.b, n.c + 1));
      case Op::add: return add(n.a, y), add(n.b, y);
      case Op::sub: return add(n.a, y), add(n.b, -y);
      case Op::mul: return add(n.a, y * b()), add(n.b, y * a());
      case Op::div: return add(n.a, y / b()), add(n.b, -(y * self / b()));
      case Op::atan2: {
        const Expression size = a() * a() + b() * b();
        return add(n.a, y * b() / size), add(n.b, -(y * a() / size));
      }
      case Op::pow:
        if (graph_[n.b].op == Op::constant) return add(n.a, y * graph_[n.b].value * pow(a(), graph_[n.b].value - 1));
        return add(n.a, y * b() * self / a()), add(n.b, y * self * log(a()));
      case Op::select:
        if (moves(n.a)) add(n.a, y * (b() - node(n.c)));
        return add(n.b, select(a(), y, 0.0)), add(n.c, select(a(), 0.0, y));
    }
  }

  Graph& graph_;
  std::map<std::int32_t, Expression> open_;  // nodes whose adjoint still grows
  std::map<std::int32_t, Expression> leaves_;
  std::set<std::int32_t> moving_;  // outcomes
  std::vector<TableUse> tables_;
};

}  // namespace

std::vector<Expression> reverse_gradient(Expression x, const std::vector<Expression>& leaves,
                                         std::vector<TableUse>& tables) {
  std::vector<Expression> gradient(leaves.size(), 0.0);
  if (x.is_constant()) return gradient;
  Adjoints adjoints(x, leaves);
  adjoints.run();
  for (std::size_t k = 0; k < leaves.size(); ++k) gradient[k] = adjoints.of_leaf(leaves[k].id());
  tables = std::move(adjoints.tables());
  return gradient;
}

std::vector<Expression> reverse_gradient(Expression x, const std::vector<Expression>& leaves) {
  std::vector<TableUse> tables;
  return reverse_gradient(x, leaves, tables);
}

}  // namespace armature::internal
