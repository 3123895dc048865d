// A graph of shared expression nodes: what a model is compiled into.
//
// Every node is stored once (hash-consing), constants are folded and zeros and ones disappear as the graph is built, so
// that a planar mechanism written with 3-D formulas ends up with planar arithmetic. An Expression is a handle: a node of
// some graph, or a plain number that is not (yet) in any graph.
//
// Conditionals. A comparison is a *root function*: unit_step(root) is 1 where root >= 0, else 0. Its outcome is a leaf of the
// graph, which the integrator holds fixed between events; between events all programs are smooth. An outcome may
// also be a weight in (0,1): the state slides along root = 0 (stiction). select(w, a, b) is w a + (1-w) b, but a branch
// of weight zero is not looked at, so that it may be NaN. floor(x) counts as a comparison: its outcome is the integer n with
// n <= x < n + 1, and it changes where x leaves that range.
//
// kept_above(x, b) and kept_below(x, b) are no conditionals: they hold back what round-off takes out of the range where it belongs.
// Their derivatives are those of x, and where x or b is NaN they are b.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "step/comparison.hpp"

namespace armature::internal {

class Graph;

enum class Op : std::uint8_t {
  constant,  // value
  input,     // leaf: a = index into Graph::inputs()
  outcome,   // leaf: a = index into Graph::comparisons()
  add,
  sub,
  mul,
  div,
  neg,
  sqrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  atan2,
  pow,
  kept_above,  // a, but b where a is not above it
  kept_below,  // a, but b where a is not below it
  select,      // a: weight, b: value where the weight is 1, c: value where it is 0
  table,       // a: argument, b = index into Graph::tables(), c = order of derivative
};

struct Node {
  Op op;
  std::int32_t a = -1, b = -1, c = -1;  // operands: node ids, or the indices named above
  double value = 0;                     // of a constant
};

// How many of a, b, c are nodes.
constexpr int operand_count(Op op) {
  switch (op) {
    case Op::constant:
    case Op::input:
    case Op::outcome: return 0;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::atan2:
    case Op::pow:
    case Op::kept_above:
    case Op::kept_below: return 2;
    case Op::select: return 3;
    default: return 1;
  }
}

// A number, or a node of a graph.
class Expression {
 public:
  Expression() = default;
  Expression(double value) : value_(value) {}  // NOLINT: numbers are expressions
  Expression(Graph* graph, std::int32_t id);

  bool is_constant() const { return graph_ == nullptr; }
  bool is(double value) const { return graph_ == nullptr && value_ == value; }
  double value() const { return value_; }          // of a constant
  Graph* graph() const { return graph_; }          // null for a constant
  std::int32_t id() const { return id_; }          // of a node
  const Node& node() const;                        // of a node
  bool operator==(const Expression& other) const;  // the same node, or the same number

 private:
  Graph* graph_ = nullptr;
  std::int32_t id_ = -1;
  double value_ = 0;
};

Expression operator+(Expression x, Expression y);
Expression operator-(Expression x, Expression y);
Expression operator*(Expression x, Expression y);
Expression operator/(Expression x, Expression y);
Expression operator-(Expression x);
inline Expression& operator+=(Expression& x, Expression y) { return x = x + y; }
inline Expression& operator-=(Expression& x, Expression y) { return x = x - y; }
inline Expression& operator*=(Expression& x, Expression y) { return x = x * y; }

Expression sqrt(Expression x);
Expression sin(Expression x);
Expression cos(Expression x);
Expression tan(Expression x);
Expression asin(Expression x);
Expression acos(Expression x);
Expression atan(Expression x);
Expression atan2(Expression y, Expression x);
Expression sinh(Expression x);
Expression cosh(Expression x);
Expression tanh(Expression x);
Expression exp(Expression x);
Expression log(Expression x);
Expression floor(Expression x);  // an outcome
Expression pow(Expression x, Expression y);
Expression square(Expression x);
Expression kept_above(Expression x, Expression bound);  // x > bound ? x : bound, without an event
Expression kept_below(Expression x, Expression bound);  // x < bound ? x : bound
Expression remainder(Expression x, Expression y);       // x - y floor(x/y), in [0, y) for y > 0 and in (y, 0] for y < 0

Expression unit_step(Expression root);                             // 1 where root >= 0, else 0: an outcome
Expression above(Expression root);                                 // 1 where root > 0, else 0: an outcome
Expression select(Expression weight, Expression a, Expression b);  // a where weight is 1, b where it is 0
struct ComparisonWords;
Expression said(Expression outcome, const std::string& label,
                const ComparisonWords& words);  // the outcome, with its words
Expression abs(Expression x);
Expression sign(Expression x);  // 1 where x >= 0, else -1
Expression min(Expression x, Expression y);
Expression max(Expression x, Expression y);

// A piecewise polynomial of one variable: on [knots[i], knots[i+1]] it is sum_k coefficients[i][k] (x - knots[i])^k.
// Outside the knots it keeps the end value (hold), repeats itself (repeat) or follows the end polynomials.
struct Table {
  std::vector<double> knots;
  std::vector<std::array<double, 4>> coefficients;  // one per piece: knots.size() - 1
  bool hold = true, repeat = false;
  double evaluate(double x, int derivative) const;
  static Table linear(std::vector<double> x, std::vector<double> y);
  static Table spline(std::vector<double> x, std::vector<double> y);  // natural cubic
  static Table periodic_spline(std::vector<double> x,
                               std::vector<double> y);  // y.back() is taken as y.front(); repeats
  double wrapped(double x) const;                       // into the knots' range, by whole periods
};

// What a change of a comparison is in words, after its subject: "drive motor: the current reaches its limit". Without a subject they follow
// the label: "contact top touches".
struct ComparisonWords {
  std::string rises, falls;                          // the outcome becomes 1, 0; of a floor: it steps up, down
  std::string holds = {};                            // the comparison begins to slide; empty: "sticks"
  std::string leaves_above = {}, leaves_below = {};  // it ceases to, with the outcome 1, 0; empty: rises, falls
  std::string subject = {};
};

class Graph {
 public:
  using ComparisonKind = step::ComparisonKind;
  struct Comparison {
    Expression root;
    ComparisonKind kind;
    std::string label;           // for messages: what is compared, and where it stands in the file
    ComparisonWords words = {};  // empty: "is now true", "is now false"
    bool turned_round = false;   // what is labelled is one minus the outcome
    bool is_friction = false;
    int touches_at =
        -1;  // the outcome with which elastic surfaces touch, the root being their penetration; -1: no touch
    double breakaway = 1;  // stiction over sliding friction: how far a weight may leave (0,1) before sliding ends
    double outcome(double root) const { return step::outcome_of(kind, root); }
  };

  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Expression input(const std::string& name);                            // a new leaf
  Expression lookup(std::shared_ptr<const Table> table, Expression x);  // table(x)

  const Node& operator[](std::int32_t id) const { return nodes_[id]; }
  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<Comparison>& comparisons() const { return comparisons_; }
  const std::vector<std::shared_ptr<const Table>>& tables() const { return tables_; }
  Expression outcome(int index);                                              // the leaf of comparisons()[index]
  void forget_comparisons(std::size_t count) { comparisons_.resize(count); }  // those after the first `count`
  void set_root(int index, Expression root) { comparisons_[index].root = root; }
  void set_breakaway(int index, double ratio) { comparisons_[index].breakaway = ratio; }
  // What the changes of an outcome, or of one minus an outcome, are in words, and its label. Other expressions have none.
  void set_words(Expression outcome, const std::string& label, const ComparisonWords& words);
  void set_touch(Expression outcome);                                // 1: elastic surfaces touch
  void set_condition(Expression outcome, const std::string& label);  // unless it has words

  // Every comparison made while a label is set carries it.
  void set_comparison_label(std::string label) { comparison_label_ = std::move(label); }
  const std::string& comparison_label() const { return comparison_label_; }

  // For the operators; folding is done before.
  Expression make(Op op, std::int32_t a, std::int32_t b = -1, std::int32_t c = -1);
  std::int32_t id_of(Expression x);  // puts a number into the graph
  Expression make_comparison(Expression root, ComparisonKind kind);

 private:
  // Of an outcome, or of one minus an outcome; null: x is neither.
  Comparison* comparison_in(Expression x, bool& turned_round);

  // A place of the hash table: a node and what its hash begins with, which tells most other nodes from it without a look at them.
  struct Place {
    std::int32_t id = -1;  // -1: free
    std::uint32_t hash = 0;
  };
  std::int32_t intern(const Node& node);
  Place& place_of(const Node& node, std::uint32_t hash);  // of the equal node, or the free one where it belongs
  void make_room();                                       // for one more node

  std::vector<Node> nodes_;
  std::vector<Place> places_;  // open addressing; a power of two, at most half of them taken
  std::vector<std::string> inputs_;
  std::vector<Comparison> comparisons_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::string comparison_label_;
};

}  // namespace armature::internal
