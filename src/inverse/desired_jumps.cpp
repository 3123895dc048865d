#include "inverse/desired_jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <unordered_set>

#include "dynamics/machine_size.hpp"
#include "expression/derivative.hpp"
#include "expression/interruption.hpp"

namespace armature::internal {

namespace {

constexpr double visible_share = 1e-9;  // of a jump, against the size of what jumps
constexpr double least_size = 1e-9;     // of a row's own, and as much ten times in a run: what jumps is no smaller

// The rows of wanted motion as functions of t alone: phi at the pose of the start, and phi_t.
class WantedMotions {
 public:
  WantedMotions(const Prepared& prepared, const std::vector<bool>& motion)
      : evaluator_(prepared.system), terms_(evaluator_.make_terms()), state_(prepared.start) {
    evaluator_.set_parameters(prepared.parameters);
    const Layout& n = prepared.system->layout();
    state_.x.segment(n.nq, n.nv).setZero();
    for (int r = 0; r < n.m; ++r)
      if (motion[r]) rows_.push_back(r);
  }
  std::size_t count() const { return 2 * rows_.size(); }
  int row(std::size_t k) const { return rows_[k / 2]; }
  static bool is_speed(std::size_t k) { return k % 2 == 1; }
  // By the machine's own length and the length of the run.
  Eigen::VectorXd least_sizes(double rate) {
    SparseTerms terms = evaluator_.make_sparse_terms();
    evaluator_.set(state_);
    evaluator_.position(terms);
    const MachineSize machine(evaluator_.system().equations(), terms, state_.x.data());
    Eigen::VectorXd sizes(static_cast<Eigen::Index>(count()));
    for (std::size_t k = 0; k < count(); ++k)
      sizes[static_cast<Eigen::Index>(k)] = least_size / machine.per_row()[row(k)] * (is_speed(k) ? rate : 1);
    return sizes;
  }

  // Position and speed of each row.
  Eigen::VectorXd at(double t) {
    evaluator_.set(t, state_.x.data());
    evaluator_.take_outcomes(state_.w);
    evaluator_.motion(terms_);
    Eigen::VectorXd values(static_cast<Eigen::Index>(count()));
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      values[static_cast<Eigen::Index>(2 * i)] = terms_.phi[rows_[i]];
      values[static_cast<Eigen::Index>(2 * i + 1)] = terms_.phidot[rows_[i]];
    }
    return values;
  }

 private:
  SystemEvaluator evaluator_;
  Terms terms_;
  State state_;
  std::vector<int> rows_;
};

struct Jump {
  double t, size;
};

// Halves the interval towards the larger change: that of a continuous function shrinks with it.
std::optional<Jump> jump_between(WantedMotions& wanted, Eigen::Index k, double a, double b, double fa, double fb,
                                 double size) {
  while (std::abs(fb - fa) > visible_share * size) {
    const double middle = 0.5 * (a + b);
    if (!(middle > a && middle < b)) return Jump{b, std::abs(fb - fa)};
    const double f = wanted.at(middle)[k];
    if (std::abs(f - fa) > std::abs(fb - f))
      b = middle, fb = f;
    else
      a = middle, fa = f;
  }
  return std::nullopt;
}

// Where a value that is finite at a, and not at b, ceases to be.
double end_of_values(WantedMotions& wanted, Eigen::Index k, double a, double b) {
  for (double middle; (middle = 0.5 * (a + b)) > a && middle < b;)
    (std::isfinite(wanted.at(middle)[k]) ? a : b) = middle;
  return b;
}

// Angles of atan2 jump at their cut, and what is chosen by a comparison may jump where the comparison changes.
bool may_jump(const Graph& graph, std::int32_t root) {
  // All nodes below the root, once each.
  std::vector<std::int32_t> open = {root};
  std::unordered_set<std::int32_t> seen;
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = graph[id];
    if (node.op == Op::outcome || node.op == Op::atan2) return true;
    const int operands = operand_count(node.op);
    if (operands > 0) open.push_back(node.a);
    if (operands > 1) open.push_back(node.b);
    if (operands > 2) open.push_back(node.c);
  }
  return false;
}

}  // namespace

// A comparison of time is a formula of t, too.
std::vector<bool> rows_that_may_jump(const Equations& equations) {
  const auto& comparisons = equations.graph->comparisons();
  const auto in_time = [&](const Expression& x) {
    for (const std::int32_t leaf : leaves_of(x))
      if (leaf == equations.t.id() ||
          ((*x.graph())[leaf].op == Op::outcome &&
           depends_on(comparisons[static_cast<std::size_t>((*x.graph())[leaf].a)].root, equations.t)))
        return true;
    return false;
  };
  std::vector<bool> rows;
  for (const ConstraintRow& row : equations.rows)
    rows.push_back(!row.phi.is_constant() && may_jump(*row.phi.graph(), row.phi.id()) && in_time(row.phi));
  return rows;
}

std::optional<DesiredJump> jump_of_desired_motion(const Prepared& prepared, const std::vector<bool>& motion,
                                                  bool speeds) {
  WantedMotions wanted(prepared, motion);
  const auto is_looked_at = [&](std::size_t k) { return speeds || !WantedMotions::is_speed(k); };
  const auto found = [&](std::size_t k, double t, double size) {
    return DesiredJump{prepared.system->equations().rows[static_cast<std::size_t>(wanted.row(k))].name,
                       WantedMotions::is_speed(k), t, size};
  };
  const double from = prepared.start.t, end = prepared.options.end;
  const long rows = std::max(1L, std::lround((end - from) / prepared.options.record));
  const auto time = [&](long i) { return from + (end - from) * double(i) / double(rows); };
  const long operations = prepared.system->operation_count();
  Eigen::VectorXd size = wanted.least_sizes(prepared.options.rate);
  for (long i = 0; i <= rows; ++i) {
    if (interrupted_after(operations)) return std::nullopt;
    const Eigen::VectorXd here = wanted.at(time(i)).cwiseAbs();
    if (here.allFinite()) size = size.cwiseMax(here);
  }
  Eigen::VectorXd before = wanted.at(from), now;
  for (long i = 1; i <= rows; ++i, before = now) {
    if (interrupted_after(operations)) return std::nullopt;
    now = wanted.at(time(i));
    // a speed that grows without bound is none, rather than a small jump of the position at last
    for (std::size_t k = 0; k < wanted.count(); ++k)
      if (const auto c = static_cast<Eigen::Index>(k);
          is_looked_at(k) && std::isfinite(before[c]) && !std::isfinite(now[c]))
        return found(k, end_of_values(wanted, c, time(i - 1), time(i)), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < wanted.count(); ++k) {
      const auto c = static_cast<Eigen::Index>(k);
      if (!is_looked_at(k)) continue;
      const auto jump = jump_between(wanted, c, time(i - 1), time(i), before[c], now[c], size[c]);
      if (jump) return found(k, jump->t, jump->size);
    }
  }
  return std::nullopt;
}

}  // namespace armature::internal
