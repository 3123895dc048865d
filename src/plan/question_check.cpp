#include "plan/question_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "linear/decompositions.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using List = std::vector<Expression>;

constexpr double kept = 1e-9;        // of a limit's range, or SI: a limit that is met
constexpr double determined = 1e-6;  // of a gradient: what is left of it across those of loops and targets

List state_leaves(const PlannedMachine& machine, bool with_time) {
  const Equations& e = machine.equations();
  List leaves;
  if (with_time) leaves.push_back(e.t);
  for (const List* list : {&e.q, &e.v}) leaves.insert(leaves.end(), list->begin(), list->end());
  for (const int k : machine.states) leaves.push_back(e.z[static_cast<std::size_t>(k)]);
  return leaves;
}

bool depends_only_on(Expression x, const List& leaves) {
  if (x.is_constant()) return true;
  return std::ranges::all_of(leaves_of(x), [&](std::int32_t leaf) {
    return std::ranges::any_of(leaves, [&](const Expression& known) { return known.id() == leaf; });
  });
}

double tolerance(const PathLimit& limit) {
  const double range = limit.high - limit.low;
  return kept * (std::isfinite(range) ? range : 1);
}

// How far beyond its limit a value is; zero or less: within.
double beyond(const PathLimit& limit, double value) {
  return std::max(limit.low - value, value - limit.high) - tolerance(limit);
}

// Of limits of the state alone, at the start.
std::vector<std::pair<std::size_t, double>> values_at_start(const PlannedMachine& machine) {
  const Equations& e = machine.equations();
  const List leaves = state_leaves(machine, true);
  const State& start = machine.prepared.start;
  const int mechanical = static_cast<int>(e.q.size() + e.v.size());
  VectorXd in(static_cast<Index>(leaves.size()));
  // The leaves at the start: time, positions and velocities, then the other states.
  in.head(1 + mechanical) << start.t, start.x.head(mechanical);
  for (std::size_t k = 0; k < machine.states.size(); ++k)
    in[1 + mechanical + static_cast<Index>(k)] = start.x[mechanical + machine.states[k]];
  std::vector<std::pair<std::size_t, double>> values;
  for (std::size_t k = 0; k < machine.limits.size(); ++k)
    if (const Expression value = machine.limits[k].value; depends_only_on(value, leaves))
      values.emplace_back(k, LocalFunction(leaves, {value}).values(in)[0]);
  return values;
}

[[noreturn]] void refuse(const PathLimit& limit, double value, const std::string& where, const std::string& advice) {
  const double distance = std::max(limit.low - value, value - limit.high);
  const std::string by = fmt::format("{:.4g}{}{}", distance, limit.unit.empty() ? "" : " ", limit.unit);
  if (limit.name.starts_with("--"))
    throw RequestError(limit.name.substr(2),
                       fmt::format("does not hold at {}, by {}; {}, or relax it", where, by, advice));
  throw RequestError(fmt::format("{} is beyond {}, by {}; {}", where, limit.name, by, advice));
}

void check(PathLimit& limit, double value, const std::string& where, const std::string& advice) {
  if (beyond(limit, value) > limit.margin) refuse(limit, value, where, advice);
  limit.low = std::min(limit.low, value), limit.high = std::max(limit.high, value);
}

// Whether a row is a combination of others, which are of full rank or not.
bool is_spanned(const VectorXd& row, const MatrixXd& by) {
  if (row.norm() == 0) return true;
  if (by.rows() == 0) return false;
  LeastNorm solve;
  solve.factor(by.transpose());
  return (by.transpose() * solve.solve(row) - row).norm() <= determined * row.norm();
}

}  // namespace

void check_start(PlannedMachine& machine) {
  for (const auto& [k, value] : values_at_start(machine))
    check(machine.limits[k], value, "the start", "start elsewhere (--set, or 'start' of the file)");
}

void check_target(const Collocation& c, const VectorXd& target, PlannedMachine& machine) {
  const List leaves = state_leaves(machine, true);
  VectorXd in(1 + c.nx());
  in << 0, target;
  if (c.at_rest()) in.segment(1 + c.nq(), c.nv()).setZero();
  // the rows that hold at the end
  std::vector<int> used;
  for (int k = 0; k < c.closures(); ++k) used.push_back(k);
  for (std::size_t k = 0; k < machine.targets.size(); ++k)
    if (c.target_is_pose()[k]) used.push_back(c.closures() + static_cast<int>(k));
  const VectorXd residual = c.at_pose().values(in)(used);
  if (residual.size() > 0 && residual.lpNorm<Eigen::Infinity>() > determined) return;  // the pose is not the target's
  const MatrixXd rows = c.at_pose().jacobian(in).middleCols(1, c.nq())(used, Eigen::all);
  for (PathLimit& limit : machine.limits) {
    if (!depends_only_on(limit.value, leaves) || depends_only_on(limit.value, {})) continue;
    const LocalFunction function(leaves, {limit.value});
    const double value = function.values(in)[0];
    if (beyond(limit, value) <= 0) continue;
    // time and states are not known at the end; velocities are where it is at rest
    const VectorXd gradient = function.jacobian(in).row(0);
    const bool other = gradient[0] != 0 || !gradient.tail(c.nz()).isZero(0) ||
                       (!c.at_rest() && !gradient.segment(1 + c.nq(), c.nv()).isZero(0));
    if (!other && is_spanned(gradient.segment(1, c.nq()), rows))
      check(limit, value, "the target", "choose another one (--to)");
  }
}

}  // namespace armature::internal
