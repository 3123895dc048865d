#include "events/narrow_terms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

namespace armature::internal {

namespace {

constexpr double smooth_power = 8;  // a polynomial of this degree has nothing narrow

struct Part {
  double sign;
  std::int32_t node;
  bool operator<(const Part& other) const { return std::pair(node, sign) < std::pair(other.node, other.sign); }
};
using Parts = std::vector<Part>;

class Search {
 public:
  explicit Search(const Equations& e) : e_(e), graph_(*e.graph), about_(static_cast<std::size_t>(graph_.size())) {}

  NarrowTerms run() {
    std::vector<Expression> all = formulas();
    all.push_back(e_.potential);
    mark(all, &About::said);
    all.insert(all.end(), e_.f.begin(), e_.f.end());
    mark(all, &About::reached);
    mark(inertia(), &About::inertial);
    look_at_nodes();
    if (!found_gate_) return {};
    for (const Expression& law : laws())
      if (!law.is_constant() && at(law.id()).gated) add_law(law.id());
    return std::move(result_);
  }

 private:
  struct About {
    bool said = false;      // by a formula of the model
    bool reached = false;   // from it, or from an equation of motion
    bool inertial = false;  // the mass matrix depends on it
    bool moves = false;     // within a step
    bool plain = false;     // a sum of coordinates
    bool foreign = false;   // of accelerations or multipliers
    bool is_gate = false;
    bool gated = false;  // a gate is in it
    int gate = -1, output = -1;
  };
  About& at(std::int32_t id) { return about_[static_cast<std::size_t>(id)]; }

  // What formulas of the model say: forces (as their power), prescribed motions, states; and potentials.
  std::vector<Expression> formulas() const {
    std::vector<Expression> all{e_.applied_power};
    for (const ConstraintRow& row : e_.rows)
      if (row.effort) all.push_back(row.phi), all.push_back(row.rate.value_or(0.0));
    for (std::size_t i = 0; i < e_.zdot.size(); ++i)
      if (e_.others[i].kind == Coordinate::Kind::other && e_.others[i].joint.empty()) all.push_back(e_.zdot[i]);
    return all;
  }
  // What acts: a potential by its derivatives.
  std::vector<Expression> laws() {
    std::vector<Expression> all = formulas();
    if (!e_.potential.is_constant() && at(e_.potential.id()).gated) all.insert(all.end(), e_.f.begin(), e_.f.end());
    return all;
  }

  // From some expressions down. Operands come before what is made of them.
  void mark(const std::vector<Expression>& from, bool About::*flag) {
    for (const Expression& x : from)
      if (!x.is_constant()) at(x.id()).*flag = true;
    for (std::int32_t id = graph_.size() - 1; id >= 0; --id)
      if (at(id).*flag) for_operands(id, [&](std::int32_t operand) { at(operand).*flag = true; });
  }
  template <class F>
  void for_operands(std::int32_t id, const F& f) const {
    const Node& node = graph_[id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) f(operands[k]);
  }

  // Inertia is that of a mechanism, whatever is in it.
  std::vector<Expression> inertia() const {
    std::vector<Expression> all;
    for (int i = 0; i < e_.M.rows(); ++i)
      for (const ExpressionMatrix::Entry& entry : e_.M.row(i)) all.push_back(entry.value);
    return all;
  }

  void look_at_nodes() {
    mark_leaves();
    for (std::int32_t id = 0; id < graph_.size(); ++id) {
      if (!at(id).reached) continue;
      About& here = at(id);
      const Node& node = graph_[id];
      if (operand_count(node.op) > 0) here.plain = node.op == Op::add || node.op == Op::sub || node.op == Op::neg;
      for_operands(id, [&](std::int32_t operand) {
        const About& of = at(operand);
        here.moves |= of.moves, here.foreign |= of.foreign, here.gated |= of.gated;
        here.plain &= of.plain || !of.moves;
      });
      here.is_gate = here.said && !here.inertial && shows_more(node);
      here.gated |= here.is_gate;
      found_gate_ |= here.gated;
    }
  }
  void mark_leaves() {
    for (std::int32_t id = 0; id < graph_.size(); ++id)
      if (graph_[id].op == Op::input) at(id).foreign = true;
    const auto known = [&](const std::vector<Expression>& leaves, bool moves) {
      for (const Expression& leaf : leaves)
        at(leaf.id()).foreign = false, at(leaf.id()).moves = at(leaf.id()).plain = moves;
    };
    known(e_.q, true), known(e_.v, true), known(e_.z, true), known(e_.p, false);
    for (const Discrete& value : e_.discrete) at(value.leaf.id()).foreign = false;
    at(e_.t.id()).foreign = false, at(e_.t.id()).moves = true;
  }

  bool shows_more(const Node& node) {
    switch (node.op) {
      case Op::sin:
      case Op::cos: return at(node.a).moves && !at(node.a).plain;
      case Op::tan:
      case Op::asin:
      case Op::acos:
      case Op::atan:
      case Op::sinh:
      case Op::cosh:
      case Op::tanh:
      case Op::exp:
      case Op::log: return at(node.a).moves;
      case Op::div: return at(node.b).moves && is_offset_or_power(node.b);
      case Op::pow: return at(node.b).moves || (at(node.a).moves && !is_smooth_power(node.b));
      default: return false;
    }
  }
  // 1 + u^2, not the square of a length.
  bool is_offset_or_power(std::int32_t id) {
    const Node& node = graph_[id];
    const bool sum = node.op == Op::add || node.op == Op::sub;
    return node.op == Op::pow || (sum && (!at(node.a).moves || !at(node.b).moves));
  }
  bool is_smooth_power(std::int32_t exponent) const {
    const Node& n = graph_[exponent];
    return n.op == Op::constant && n.value >= 0 && n.value <= smooth_power;
  }

  // ---- terms

  void add_law(std::int32_t law) {
    Parts parts;
    split(law, 1, parts);
    int steep = 0;
    for (const Part& part : parts) {
      add_term(inside(part.node));
      steep += has_step(part.node);
    }
    // two that rise one after the other make a hump
    if (parts.size() > 1 && steep > 1) add_term(std::move(parts));
  }
  // Into summands in which a gate is.
  void split(std::int32_t id, double sign, Parts& parts) {
    if (!at(id).gated) return;
    const Node& node = graph_[id];
    switch (node.op) {
      case Op::add: return split(node.a, sign, parts), split(node.b, sign, parts);
      case Op::sub: return split(node.a, sign, parts), split(node.b, -sign, parts);
      case Op::neg: return split(node.a, -sign, parts);
      default: parts.push_back({sign, id});
    }
  }
  // Without factors in which no gate is.
  Parts inside(std::int32_t id) {
    while (true) {
      const Node& node = graph_[id];
      const bool product = node.op == Op::mul && at(node.a).gated != at(node.b).gated;
      const bool quotient = node.op == Op::div && !at(id).is_gate && at(node.a).gated && !at(node.b).gated;
      if (product)
        id = at(node.a).gated ? node.a : node.b;
      else if (quotient || node.op == Op::neg)
        id = node.a;
      else
        break;
    }
    Parts parts;
    split(id, 1, parts);
    return parts.size() == 1 && parts[0].node != id ? inside(parts[0].node) : parts;
  }
  bool has_step(std::int32_t id) {
    const auto gates = gates_below({{1, id}});
    return std::ranges::any_of(gates, [&](std::int32_t gate) {
      const Op op = graph_[gate].op;
      return op == Op::tanh || op == Op::atan || op == Op::div;
    });
  }

  void add_term(Parts parts) {
    std::sort(parts.begin(), parts.end());
    for (const Part& part : parts)
      if (at(part.node).foreign) return;
    if (!known_.insert(parts).second) return;
    const auto gates = gates_below(parts);
    result_.terms.push_back({static_cast<int>(result_.term_outputs.size()), static_cast<int>(parts.size()),
                             static_cast<int>(result_.term_gates.size()), static_cast<int>(gates.size())});
    for (const Part& part : parts)
      result_.term_outputs.push_back(output(part.node)), result_.term_signs.push_back(part.sign);
    for (const std::int32_t gate : gates) result_.term_gates.push_back(gate_of(gate));
  }
  std::set<std::int32_t> gates_below(const Parts& parts) {
    std::set<std::int32_t> gates, met;
    std::vector<std::int32_t> open;
    for (const Part& part : parts) open.push_back(part.node);
    while (!open.empty()) {
      const std::int32_t id = open.back();
      open.pop_back();
      if (!at(id).gated || !met.insert(id).second) continue;
      if (at(id).is_gate) gates.insert(id);
      for_operands(id, [&](std::int32_t operand) { open.push_back(operand); });
    }
    return gates;
  }
  int gate_of(std::int32_t id) {
    if (at(id).gate >= 0) return at(id).gate;
    const Node& node = graph_[id];
    const int argument = output(node.op == Op::div ? node.b : node.a);
    result_.gates.push_back({function_of(node), argument, ratio_of(node)});
    return at(id).gate = static_cast<int>(result_.gates.size()) - 1;
  }
  double exponent_of(const Node& power) const {  // 0: it moves
    return graph_[power.b].op == Op::constant ? graph_[power.b].value : 0;
  }
  step::NarrowFunction function_of(const Node& node) const {
    using enum step::NarrowFunction;
    switch (node.op) {
      case Op::exp: return exponential;
      case Op::tanh: return hyperbolic_tangent;
      case Op::atan: return arc_tangent;
      case Op::div:
      case Op::log: return ratio;
      case Op::pow: return exponent_of(node) != 0 ? ratio : never;
      default: return periodic;
    }
  }
  double ratio_of(const Node& node) const {
    if (node.op != Op::pow) return step::narrow::most_ratio;
    return std::pow(step::narrow::most_ratio, 1 / std::max(1.0, std::abs(exponent_of(node))));
  }
  int output(std::int32_t id) {
    if (at(id).output >= 0) return at(id).output;
    result_.outputs.emplace_back(e_.graph.get(), id);
    return at(id).output = static_cast<int>(result_.outputs.size()) - 1;
  }

  const Equations& e_;
  const Graph& graph_;
  std::vector<About> about_;
  bool found_gate_ = false;
  std::set<Parts> known_;
  NarrowTerms result_;
};

}  // namespace

NarrowTerms find_narrow_terms(const Equations& equations) { return Search(equations).run(); }

}  // namespace armature::internal
