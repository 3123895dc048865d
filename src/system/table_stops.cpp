#include "system/table_stops.hpp"

#include <algorithm>
#include <set>

#include "expression/turning_points.hpp"
#include "expression/variation.hpp"
#include "mechanics/solution_leaves.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

// All that the motion depends on.
std::vector<Expression> laws_of_motion(const Equations& e) {
  std::vector<Expression> all = e.f;
  all.insert(all.end(), e.zdot.begin(), e.zdot.end());
  for (const ConstraintRow& row : e.rows) all.push_back(row.phi), all.push_back(row.rate.value_or(0.0));
  for (const Discrete& value : e.discrete) all.push_back(value.next);
  for (const Graph::Comparison& comparison : e.graph->comparisons()) all.push_back(comparison.root);
  return all;
}

// The nodes among these and their operands that look up a table.
std::set<std::int32_t> lookups_of(const Graph& graph, const std::vector<Expression>& expressions) {
  std::vector<bool> met(static_cast<std::size_t>(graph.size()), false);
  std::vector<std::int32_t> open;
  const auto meet = [&](std::int32_t id) {
    if (!met[static_cast<std::size_t>(id)]) met[static_cast<std::size_t>(id)] = true, open.push_back(id);
  };
  for (const Expression& x : expressions)
    if (!x.is_constant()) meet(x.id());
  std::set<std::int32_t> found;
  while (!open.empty()) {
    const std::int32_t id = open.back();
    open.pop_back();
    const Node& node = graph[id];
    if (node.op == Op::table && node.c == 0) found.insert(id);
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) meet(operands[k]);
  }
  return found;
}

using Leaves = std::initializer_list<const std::vector<Expression>*>;
bool is_leaf_of(Leaves lists, std::int32_t leaf) {
  return std::ranges::any_of(lists,
                             [&](const auto* list) { return std::ranges::count(*list, leaf, &Expression::id) > 0; });
}

// Of time, positions and parameters: its rate is known without accelerations.
bool has_rate(const Equations& e, Expression x) {
  return std::ranges::all_of(leaves_of(x), [&](std::int32_t leaf) {
    return leaf == e.t.id() || is_leaf_of({&e.q, &e.p}, leaf);
  });
}

// It changes within a step, and is known without accelerations and multipliers.
bool moves(const Equations& e, Expression x) {
  if (has_acceleration(e, x) || has_constraint_force(e, x)) return false;
  return std::ranges::any_of(leaves_of(x), [&](std::int32_t leaf) {
    return leaf == e.t.id() || is_leaf_of({&e.q, &e.v, &e.z}, leaf);
  });
}
bool moves_evenly(const Equations& e, Expression xdot) {
  return std::ranges::all_of(leaves_of(xdot), [&](std::int32_t leaf) { return is_leaf_of({&e.p}, leaf); });
}

// t + D(x)/|xdot|, with D(x) towards where x goes: of the two ways the one whose time is not in the past.
Expression next_turn(const Equations& e, const Table& table, const std::vector<double>& turns, Expression x,
                     Expression xdot) {
  const Recurrence ahead{table.repeat, table.knots.front(), table.knots.back() - table.knots.front()};
  const Recurrence back{table.repeat, -table.knots.back(), ahead.period};
  std::vector<double> mirrored;
  for (const double turn : turns) mirrored.push_back(-turn);
  std::ranges::reverse(mirrored);
  const auto distance = [&](const std::vector<double>& points, const Recurrence& recurrence, Expression at) {
    return e.graph->lookup(std::make_shared<const Table>(distance_to_next(points, recurrence)), at);
  };
  return e.t + kept_above(distance(turns, ahead, x) / xdot, distance(mirrored, back, -x) / -xdot);
}

// As step::Lookup. xdot: zero where it is not known.
void add_lookup(Equations& e, const std::shared_ptr<const Table>& table, Expression x, Expression xdot) {
  std::vector<double> values;
  for (const double place : monotonic_places(*table)) values.push_back(table->evaluate(place, 0));
  const auto [low, high] = std::ranges::minmax(values);
  const Variation along = variation(*table);
  const Expression so_far =
      e.graph->lookup(std::make_shared<const Table>(along.table), x) + along.slope * (x - along.first);
  e.lookups.push_back(e.graph->lookup(table, x) / (high - low));
  e.lookups.push_back(so_far / (high - low));
  e.lookups.push_back(x);
  e.lookups.push_back(xdot);
}

}  // namespace

void add_table_stops(Equations& e) {
  Derivative along(flow_of_positions(e));
  for (const std::int32_t id : lookups_of(*e.graph, laws_of_motion(e))) {
    const Node node = (*e.graph)[id];
    const Expression x(e.graph.get(), node.a);
    if (!moves(e, x)) continue;
    const std::shared_ptr<const Table> table = e.graph->tables()[static_cast<std::size_t>(node.b)];
    const std::vector<double> turns = turning_points(*table);
    if (turns.empty()) continue;
    const Expression xdot = has_rate(e, x) ? along(x) : Expression(0.0);
    if (!xdot.is(0)) e.stops.push_back(next_turn(e, *table, turns, x, xdot));
    if (xdot.is(0) || !moves_evenly(e, xdot)) add_lookup(e, table, x, xdot);
  }
}

}  // namespace armature::internal
