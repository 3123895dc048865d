#include "expression/graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "expression/elementary.hpp"
#include "expression/interruption.hpp"

namespace armature::internal {

// --- handles -----------------------------------------------------------------------------------------------------------

Expression::Expression(Graph* graph, std::int32_t id) : graph_(graph), id_(id) {
  const Node& node = (*graph)[id];
  if (node.op == Op::constant) {
    value_ = node.value;
    graph_ = nullptr;
    id_ = -1;
  }
}

const Node& Expression::node() const {
  if (!graph_) throw std::logic_error("a constant has no node");
  return (*graph_)[id_];
}

bool Expression::operator==(const Expression& other) const {
  if (is_constant() || other.is_constant()) return is_constant() && other.is_constant() && value_ == other.value_;
  return graph_ == other.graph_ && id_ == other.id_;
}

// --- the graph ---------------------------------------------------------------------------------------------------------

namespace {

std::uint32_t hash_of(const Node& node) {
  std::uint64_t h = static_cast<std::uint64_t>(node.op);
  for (std::uint64_t part :
       {static_cast<std::uint64_t>(static_cast<std::uint32_t>(node.a)),
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(node.b)),
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(node.c)), std::bit_cast<std::uint64_t>(node.value)}) {
    h = (h ^ part) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
  }
  return static_cast<std::uint32_t>(h);
}

// Numbers by their bits, so that a NaN is found again.
bool are_equal(const Node& x, const Node& y) {
  return x.op == y.op && x.a == y.a && x.b == y.b && x.c == y.c &&
         std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
}

}  // namespace

// About a millisecond of compiling: who asks it to stop does not notice the wait.
constexpr std::int32_t nodes_between_questions = 4096;

std::int32_t Graph::intern(const Node& node) {
  make_room();
  const std::uint32_t hash = hash_of(node);
  Place& place = place_of(node, hash);
  if (place.id >= 0) return place.id;
  nodes_.push_back(node);
  place = {size() - 1, hash};
  if (size() % nodes_between_questions == 0) stop_if_interrupted();
  return size() - 1;
}

Graph::Place& Graph::place_of(const Node& node, std::uint32_t hash) {
  const std::size_t mask = places_.size() - 1;
  for (std::size_t k = hash & mask;; k = (k + 1) & mask) {
    Place& place = places_[k];
    if (place.id < 0 || (place.hash == hash && are_equal(nodes_[place.id], node))) return place;
  }
}

void Graph::make_room() {
  if (2 * (nodes_.size() + 1) <= places_.size()) return;
  std::vector<Place> places(std::max<std::size_t>(256, 2 * places_.size()));
  const std::size_t mask = places.size() - 1;
  for (const Place& place : places_) {
    if (place.id < 0) continue;
    std::size_t k = place.hash & mask;
    while (places[k].id >= 0) k = (k + 1) & mask;
    places[k] = place;
  }
  places_ = std::move(places);
}

Expression Graph::make(Op op, std::int32_t a, std::int32_t b, std::int32_t c) {
  return Expression(this, intern({op, a, b, c, 0}));
}

std::int32_t Graph::id_of(Expression x) {
  if (!x.is_constant()) return x.id();
  double value = x.value() == 0 ? 0.0 : x.value();  // one zero, not two
  return intern({Op::constant, -1, -1, -1, value});
}

Expression Graph::input(const std::string& name) {
  inputs_.push_back(name);
  return make(Op::input, static_cast<std::int32_t>(inputs_.size()) - 1);
}

Expression Graph::lookup(std::shared_ptr<const Table> table, Expression x) {
  if (x.is_constant()) return table->evaluate(x.value(), 0);
  auto place = std::find(tables_.begin(), tables_.end(), table);
  if (place == tables_.end()) place = tables_.insert(tables_.end(), std::move(table));
  return make(Op::table, x.id(), static_cast<std::int32_t>(place - tables_.begin()), 0);
}

// Friction has comparisons of its own: while it sticks their outcomes are weights, which say nothing to a formula that asks for the sign of
// the same speed.
Expression Graph::make_comparison(Expression root, ComparisonKind kind) {
  const bool is_friction = comparison_label_.starts_with("friction of ");
  for (std::size_t i = 0; i < comparisons_.size(); ++i)
    if (comparisons_[i].root == root && comparisons_[i].kind == kind && comparisons_[i].is_friction == is_friction)
      return outcome(static_cast<int>(i));
  comparisons_.push_back({root, kind, comparison_label_, {}, false, is_friction});
  return outcome(static_cast<int>(comparisons_.size()) - 1);
}

Graph::Comparison* Graph::comparison_in(Expression x, bool& turned_round) {
  if (x.is_constant()) return nullptr;
  turned_round = x.node().op == Op::sub;
  const Node& leaf = turned_round ? nodes_[static_cast<std::size_t>(x.node().b)] : x.node();
  return leaf.op == Op::outcome ? &comparisons_[static_cast<std::size_t>(leaf.a)] : nullptr;
}

void Graph::set_touch(Expression outcome) {
  bool turned_round = false;
  if (Comparison* comparison = comparison_in(outcome, turned_round)) comparison->touches_at = turned_round ? 0 : 1;
}

void Graph::set_words(Expression outcome, const std::string& label, const ComparisonWords& words) {
  bool turned_round = false;
  Comparison* comparison = comparison_in(outcome, turned_round);
  if (!comparison) return;
  comparison->label = label;
  comparison->words = words;
  if (!turned_round) return;
  std::swap(comparison->words.rises, comparison->words.falls);
  std::swap(comparison->words.leaves_above, comparison->words.leaves_below);
}

void Graph::set_condition(Expression outcome, const std::string& label) {
  bool turned_round = false;
  Comparison* comparison = comparison_in(outcome, turned_round);
  if (!comparison || !comparison->words.rises.empty()) return;
  comparison->label = label;
  comparison->turned_round = turned_round;
}

Expression Graph::outcome(int index) { return make(Op::outcome, index); }

// --- operators: fold, then make ----------------------------------------------------------------------------------------

namespace {

Graph* graph_of(Expression x, Expression y) { return x.is_constant() ? y.graph() : x.graph(); }
bool is_op(Expression x, Op op) { return !x.is_constant() && x.node().op == op; }
Expression operand_a(Expression x) { return Expression(x.graph(), x.node().a); }
Expression operand_b(Expression x) { return Expression(x.graph(), x.node().b); }

Expression binary(Op op, Expression x, Expression y) {
  Graph* graph = graph_of(x, y);
  assert(x.is_constant() || y.is_constant() || x.graph() == y.graph());
  std::int32_t a = graph->id_of(x), b = graph->id_of(y);
  if ((op == Op::add || op == Op::mul) && !x.is_constant() && a > b) std::swap(a, b);  // constant factors stay in front
  return graph->make(op, a, b);
}

// c * y where y is a product with a constant in front
bool has_constant_factor(Expression x) { return is_op(x, Op::mul) && operand_a(x).is_constant(); }

template <class F>
Expression unary(Op op, Expression x, F f) {
  if (x.is_constant()) return f(x.value());
  return x.graph()->make(op, x.id());
}

Expression integer_power(Expression x, int n) {
  if (n == 1) return x;
  Expression half = integer_power(x, n / 2);
  return n % 2 == 0 ? half * half : half * half * x;
}

}  // namespace

Expression operator+(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return x.value() + y.value();
  if (x.is(0)) return y;
  if (y.is(0)) return x;
  if (is_op(y, Op::neg)) return x - operand_a(y);
  if (is_op(x, Op::neg)) return y - operand_a(x);
  if (y.is_constant()) std::swap(x, y);
  return binary(Op::add, x, y);
}

Expression operator-(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return x.value() - y.value();
  if (x.is(0)) return -y;
  if (y.is(0)) return x;
  if (x == y) return 0.0;
  if (is_op(y, Op::neg)) return x + operand_a(y);
  if (is_op(x, Op::neg)) return -(operand_a(x) + y);
  return binary(Op::sub, x, y);
}

Expression operator-(Expression x) {
  if (x.is_constant()) return -x.value();
  if (is_op(x, Op::neg)) return operand_a(x);
  if (is_op(x, Op::sub)) return operand_b(x) - operand_a(x);
  if (has_constant_factor(x)) return Expression(-operand_a(x).value()) * operand_b(x);
  return x.graph()->make(Op::neg, x.id());
}

Expression operator*(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return x.value() * y.value();
  if (y.is_constant()) std::swap(x, y);
  if (x.is_constant()) {
    if (x.is(0)) return 0.0;
    if (x.is(1)) return y;
    if (x.is(-1)) return -y;
    if (has_constant_factor(y)) return Expression(x.value() * operand_a(y).value()) * operand_b(y);
    if (is_op(y, Op::neg)) return Expression(-x.value()) * operand_a(y);
    return binary(Op::mul, x, y);
  }
  if (is_op(x, Op::neg) && is_op(y, Op::neg)) return operand_a(x) * operand_a(y);
  if (is_op(x, Op::neg)) return -(operand_a(x) * y);
  if (is_op(y, Op::neg)) return -(x * operand_a(y));
  return binary(Op::mul, x, y);
}

Expression operator/(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return x.value() / y.value();
  if (x.is(0)) return 0.0;
  if (y.is_constant() && y.value() != 0) return Expression(1 / y.value()) * x;
  if (is_op(x, Op::neg)) return -(operand_a(x) / y);
  if (is_op(y, Op::neg)) return -(x / operand_a(y));
  return binary(Op::div, x, y);
}

Expression sqrt(Expression x) {
  return unary(Op::sqrt, x, [](double v) { return std::sqrt(v); });
}
Expression sin(Expression x) {
  if (is_op(x, Op::neg)) return -sin(operand_a(x));
  return unary(Op::sin, x, [](double v) { return elementary::sin(v); });
}
Expression cos(Expression x) {
  if (is_op(x, Op::neg)) return cos(operand_a(x));
  return unary(Op::cos, x, [](double v) { return elementary::cos(v); });
}
Expression tan(Expression x) {
  return unary(Op::tan, x, [](double v) { return std::tan(v); });
}
Expression asin(Expression x) {
  return unary(Op::asin, x, [](double v) { return std::asin(v); });
}
Expression acos(Expression x) {
  return unary(Op::acos, x, [](double v) { return std::acos(v); });
}
Expression atan(Expression x) {
  return unary(Op::atan, x, [](double v) { return std::atan(v); });
}
Expression sinh(Expression x) {
  return unary(Op::sinh, x, [](double v) { return std::sinh(v); });
}
Expression cosh(Expression x) {
  return unary(Op::cosh, x, [](double v) { return std::cosh(v); });
}
Expression tanh(Expression x) {
  return unary(Op::tanh, x, [](double v) { return std::tanh(v); });
}
Expression exp(Expression x) {
  return unary(Op::exp, x, [](double v) { return elementary::exp(v); });
}
Expression log(Expression x) {
  return unary(Op::log, x, [](double v) { return std::log(v); });
}
Expression floor(Expression x) {
  if (x.is_constant()) return std::floor(x.value());
  return x.graph()->make_comparison(x, Graph::ComparisonKind::floor);
}
Expression square(Expression x) { return x * x; }

Expression atan2(Expression y, Expression x) {
  if (x.is_constant() && y.is_constant()) return elementary::atan2(y.value(), x.value());
  return binary(Op::atan2, y, x);
}

Expression pow(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return std::pow(x.value(), y.value());
  if (y.is_constant()) {
    double n = y.value();
    if (n == 0) return 1.0;
    if (n == 0.5) return sqrt(x);
    if (n == std::floor(n) && std::abs(n) <= 16) {
      Expression power = integer_power(x, static_cast<int>(std::abs(n)));
      return n > 0 ? power : 1.0 / power;
    }
  }
  return binary(Op::pow, x, y);
}

Expression kept_above(Expression x, Expression bound) {
  if (x.is_constant() && bound.is_constant()) return x.value() > bound.value() ? x.value() : bound.value();
  return binary(Op::kept_above, x, bound);
}

Expression kept_below(Expression x, Expression bound) {
  if (x.is_constant() && bound.is_constant()) return x.value() < bound.value() ? x.value() : bound.value();
  return binary(Op::kept_below, x, bound);
}

// In a step that goes beyond the end of a turn the outcome is held and x - y n goes on smoothly, as an integrator needs it. But at
// the ends themselves it is in its range: what round-off takes out of it is brought back, and what lies further outside is
// moved by as little, so that nothing jumps.
Expression remainder(Expression x, Expression y) {
  constexpr double round_off = 1e-14, below_one = 1 - 0x1p-53;  // below_one * y is the last number before y
  const Expression r = x - y * floor(x / y), last = below_one * y;
  const Expression hair = round_off * (kept_above(x, -x) + kept_above(y, -y));
  const Expression not_low = kept_above(r, kept_below(kept_below(0.0, last), r + hair));
  return kept_below(not_low, kept_above(kept_above(0.0, last), not_low - hair));
}

// --- conditionals ------------------------------------------------------------------------------------------------------

namespace {

// Of x - y and y - x one is compared: the one whose second operand is a number, or the older node.
bool is_turned_round(Expression root) {
  if (!is_op(root, Op::sub)) return false;
  const Expression x = operand_a(root), y = operand_b(root);
  return x.is_constant() || (!y.is_constant() && x.id() > y.id());
}

}  // namespace

// One root and its negative are one comparison: x >= 0 is the complement of -x > 0.
Expression unit_step(Expression root) {
  if (root.is_constant()) return root.value() >= 0 ? 1.0 : 0.0;
  if (is_op(root, Op::neg) || is_turned_round(root)) return 1.0 - above(-root);
  if (has_constant_factor(root))
    return operand_a(root).value() > 0 ? unit_step(operand_b(root)) : 1.0 - above(operand_b(root));
  return root.graph()->make_comparison(root, Graph::ComparisonKind::at_least);
}

Expression above(Expression root) {
  if (root.is_constant()) return root.value() > 0 ? 1.0 : 0.0;
  if (is_op(root, Op::neg) || is_turned_round(root)) return 1.0 - unit_step(-root);
  if (has_constant_factor(root))
    return operand_a(root).value() > 0 ? above(operand_b(root)) : 1.0 - unit_step(operand_b(root));
  return root.graph()->make_comparison(root, Graph::ComparisonKind::above);
}

Expression select(Expression weight, Expression a, Expression b) {
  if (a == b) return a;
  if (weight.is(1)) return a;
  if (weight.is(0)) return b;
  if (weight.is_constant()) return weight * a + (1.0 - weight.value()) * b;
  Graph* graph = weight.graph();
  return graph->make(Op::select, weight.id(), graph->id_of(a), graph->id_of(b));
}

Expression said(Expression outcome, const std::string& label, const ComparisonWords& words) {
  if (!outcome.is_constant()) outcome.graph()->set_words(outcome, label, words);
  return outcome;
}

Expression abs(Expression x) {
  if (x.is_constant()) return std::abs(x.value());
  return select(unit_step(x), x, -x);
}
Expression sign(Expression x) { return select(unit_step(x), 1.0, -1.0); }
Expression min(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return std::min(x.value(), y.value());
  return select(unit_step(x - y), y, x);
}
Expression max(Expression x, Expression y) {
  if (x.is_constant() && y.is_constant()) return std::max(x.value(), y.value());
  return select(unit_step(x - y), x, y);
}

}  // namespace armature::internal
