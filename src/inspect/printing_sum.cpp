#include "inspect/printing_sum.hpp"

#include <cmath>
#include <numbers>
#include <set>
#include <stdexcept>

#include "expression/batch.hpp"
#include "expression/derivative.hpp"
#include "expression/interruption.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t longest = 4000;  // terms
constexpr double canceled = 1e-13;     // relative: what is left of two terms that cancel

void add_term(PrintingSum& sum, const PrintingMonomial& monomial, double value) {
  if (value == 0) return;
  constexpr long operations = 1000;  // of a search in the map
  if (interrupted_after(operations)) stop_if_interrupted();
  if (!std::isfinite(value))
    throw std::overflow_error("a coefficient of the equations is infinite: a mass or a length is too large");
  auto [place, is_new] = sum.try_emplace(monomial, value);
  if (is_new) {
    if (sum.size() > longest) throw std::length_error("too many terms");
    return;
  }
  const double before = place->second;
  place->second += value;
  if (!std::isfinite(place->second))
    throw std::overflow_error("a coefficient of the equations is infinite: a mass or a length is too large");
  if (std::abs(place->second) <= canceled * (std::abs(before) + std::abs(value))) sum.erase(place);
}

// c wave(angle) with the angle's first factor positive, and a phase in (-pi/2, pi/2) absorbed where it is a whole
// quarter.
void add_wave(PrintingSum& sum, Wave wave, PrintingAngle angle, const std::map<int, int>& powers, double value) {
  std::erase_if(angle.factors, [](const auto& factor) { return std::abs(factor.second) < canceled; });
  if (angle.factors.empty())
    return add_term(sum, {Wave::none, {}, powers},
                    value * (wave == Wave::sine ? std::sin(angle.phase) : std::cos(angle.phase)));
  if (angle.factors.begin()->second < 0) {
    for (auto& [symbol, factor] : angle.factors) factor = -factor;
    angle.phase = -angle.phase;
    if (wave == Wave::sine) value = -value;
  }
  const double quarter = std::numbers::pi / 2, quarters = std::round(angle.phase / quarter);
  if (std::abs(angle.phase - quarters * quarter) < 1e-12) {
    const int turn = ((static_cast<int>(quarters) % 4) + 4) % 4;
    // cos(x + k pi/2): cos, -sin, -cos, sin;  sin(x + k pi/2): sin, cos, -sin, -cos
    if (wave == Wave::cosine)
      value *= turn == 1 || turn == 2 ? -1 : 1;
    else
      value *= turn >= 2 ? -1 : 1;
    if (turn % 2 == 1) wave = wave == Wave::cosine ? Wave::sine : Wave::cosine;
    angle.phase = 0;
  }
  add_term(sum, {wave, angle, powers}, value);
}

PrintingAngle combined(const PrintingAngle& a, const PrintingAngle& b, double sign) {
  PrintingAngle angle = a;
  for (const auto& [symbol, factor] : b.factors) angle.factors[symbol] += sign * factor;
  angle.phase += sign * b.phase;
  return angle;
}

// remainder(x, y) keeps its value within a hair of itself, against round-off: that is not printed.
bool is_held_to_itself(const Graph& graph, const Node& held) {
  const Node& bound = graph[held.b];
  if (bound.op != Op::kept_above && bound.op != Op::kept_below) return false;
  const Node& beside = graph[bound.b];
  return (beside.op == Op::add || beside.op == Op::sub) && beside.a == held.a;
}

}  // namespace

int PrintingAlgebra::add_symbol(Expression leaf, PrintingSymbol symbol) {
  symbols_.push_back(std::move(symbol));
  return leaves_[leaf.id()] = size() - 1;
}

PrintingSum PrintingAlgebra::number(double value) {
  PrintingSum sum;
  add_term(sum, {}, value);
  return sum;
}

PrintingSum PrintingAlgebra::symbol(int index) const { return {{{Wave::none, {}, {{index, 1}}}, 1.0}}; }

PrintingSum PrintingAlgebra::added(PrintingSum a, const PrintingSum& b, double factor) {
  for (const auto& [monomial, value] : b) add_term(a, monomial, factor * value);
  return a;
}

// sin a sin b = 1/2 (cos(a-b) - cos(a+b)) and so on; a root squared is its argument.
PrintingSum PrintingAlgebra::times(const PrintingMonomial& a, double factor_a, const PrintingMonomial& b,
                                   double factor_b) {
  std::map<int, int> powers = a.powers;
  for (const auto& [symbol, n] : b.powers) powers[symbol] += n;
  PrintingSum root = number(1);
  for (auto& [symbol, n] : powers)
    if (symbols_[symbol].kind == PrintingSymbol::Kind::call && symbols_[symbol].name == "sqrt" && std::abs(n) >= 2) {
      root = product(root, power(symbols_[symbol].arguments[0], n / 2));
      n %= 2;
    }
  std::erase_if(powers, [](const auto& entry) { return entry.second == 0; });
  const double value = factor_a * factor_b;
  PrintingSum sum;
  if (a.wave == Wave::none || b.wave == Wave::none) {
    const PrintingMonomial& waving = a.wave == Wave::none ? b : a;
    add_term(sum, {waving.wave, waving.angle, powers}, value);
  } else {
    const PrintingAngle less = combined(a.angle, b.angle, -1), more = combined(a.angle, b.angle, 1);
    if (a.wave == b.wave) {
      add_wave(sum, Wave::cosine, less, powers, 0.5 * value);
      add_wave(sum, Wave::cosine, more, powers, a.wave == Wave::cosine ? 0.5 * value : -0.5 * value);
    } else {  // sin a cos b = 1/2 (sin(a+b) + sin(a-b));  cos a sin b = 1/2 (sin(a+b) - sin(a-b))
      add_wave(sum, Wave::sine, more, powers, 0.5 * value);
      add_wave(sum, Wave::sine, less, powers, a.wave == Wave::sine ? 0.5 * value : -0.5 * value);
    }
  }
  const bool plain = root.size() == 1 && root.begin()->first.is_one() && root.begin()->second == 1;
  return plain ? sum : product(sum, root);
}

PrintingSum PrintingAlgebra::product(const PrintingSum& a, const PrintingSum& b) {
  if (a.size() * b.size() > 20 * longest) throw std::length_error("too many terms");
  PrintingSum sum;
  for (const auto& [x, value_x] : a)
    for (const auto& [y, value_y] : b) {
      const PrintingSum terms = times(x, value_x, y, value_y);
      for (const auto& [monomial, value] : terms) add_term(sum, monomial, value);
    }
  return sum;
}

PrintingSum PrintingAlgebra::power(const PrintingSum& x, int n) {
  if (n < 0) return power(inverse(x), -n);
  PrintingSum result = number(1);
  for (int i = 0; i < n; ++i) result = product(result, x);
  return result;
}

PrintingSum PrintingAlgebra::call(const std::string& name, std::vector<PrintingSum> arguments) {
  const auto [place, is_new] = calls_.try_emplace({name, arguments}, size());
  if (is_new) symbols_.push_back({PrintingSymbol::Kind::call, name, std::move(arguments)});
  return symbol(place->second);
}

PrintingSum PrintingAlgebra::inverse(const PrintingSum& x) {
  if (x.size() == 1 && x.begin()->first.wave == Wave::none) {
    PrintingMonomial monomial = x.begin()->first;
    for (auto& [symbol, n] : monomial.powers) n = -n;
    return {{monomial, 1 / x.begin()->second}};
  }
  PrintingMonomial monomial = call("", {x}).begin()->first;
  monomial.powers.begin()->second = -1;
  return {{monomial, 1.0}};
}

PrintingSum PrintingAlgebra::wave(Wave kind, const PrintingSum& argument) {
  PrintingAngle angle;
  for (const auto& [monomial, value] : argument) {
    const bool is_number = monomial.wave == Wave::none && monomial.powers.empty();
    const bool is_linear =
        monomial.wave == Wave::none && monomial.powers.size() == 1 && monomial.powers.begin()->second == 1;
    if (is_number)
      angle.phase = value;
    else if (is_linear)
      angle.factors[monomial.powers.begin()->first] = value;
    else
      return call(kind == Wave::sine ? "sin" : "cos", {argument});
  }
  PrintingSum sum;
  add_wave(sum, kind, angle, {}, 1);
  return sum;
}

// Nodes are numbered after their operands: in the order of their numbers every operand is known, and nothing recurses.
PrintingSum PrintingAlgebra::expand(Expression x) {
  if (x.is_constant()) return number(x.value());
  Graph& graph = *x.graph();
  std::set<std::int32_t> below{x.id()};  // that are not known
  for (auto id = below.end(); id != below.begin();) {
    --id;
    if (known_.contains(*id)) {
      id = below.erase(id);
      continue;
    }
    const Node& node = graph[*id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    below.insert(operands, operands + operand_count(node.op));
    if (node.op == Op::outcome && !graph.comparisons()[node.a].root.is_constant())
      below.insert(graph.comparisons()[node.a].root.id());
  }
  for (const std::int32_t id : below) known_[id] = of_node(graph, id);
  return known_.at(x.id());
}

// x > 0 is 1 - step(-x).
PrintingSum PrintingAlgebra::of_comparison(const Graph::Comparison& comparison) {
  const PrintingSum root = expand(comparison.root);
  switch (comparison.kind) {
    case Graph::ComparisonKind::at_least: return call("step", {root});
    case Graph::ComparisonKind::above: return added(number(1), call("step", {added({}, root, -1)}), -1);
    default: return call("floor", {root});
  }
}

PrintingSum PrintingAlgebra::of_node(Graph& graph, std::int32_t id) {
  const Node node = graph[id];
  const auto operand = [&](std::int32_t i) -> const PrintingSum& { return known_.at(i); };
  switch (node.op) {
    case Op::constant: return number(node.value);
    case Op::input: return symbol(leaves_.at(id));
    case Op::outcome: return of_comparison(graph.comparisons()[node.a]);
    case Op::add: return added(operand(node.a), operand(node.b));
    case Op::sub: return added(operand(node.a), operand(node.b), -1);
    case Op::neg: return added({}, operand(node.a), -1);
    case Op::mul: return product(operand(node.a), operand(node.b));
    case Op::div: return product(operand(node.a), inverse(operand(node.b)));
    case Op::sin: return wave(Wave::sine, operand(node.a));
    case Op::cos: return wave(Wave::cosine, operand(node.a));
    case Op::select: return call("if", {operand(node.a), operand(node.b), operand(node.c)});
    case Op::kept_above:
    case Op::kept_below:
      if (is_held_to_itself(graph, node)) return operand(node.a);
      return call(node.op == Op::kept_above ? "max" : "min", {operand(node.a), operand(node.b)});
    case Op::atan2:
    case Op::pow: return call(function_name(node.op), {operand(node.a), operand(node.b)});
    case Op::table:
      tables_.insert_or_assign(node.b, graph.tables()[static_cast<std::size_t>(node.b)]);
      return call("table" + std::to_string(node.b) + std::string(node.c, '\''), {operand(node.a)});
    default: return call(function_name(node.op), {operand(node.a)});
  }
}

}  // namespace armature::internal
