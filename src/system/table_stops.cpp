#include "system/table_stops.hpp"

#include <algorithm>
#include <set>

#include "expression/derivative.hpp"
#include "expression/turning_points.hpp"

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

bool is_of_parameters(const Equations& e, Expression x) {
  if (x.is_constant()) return true;
  const std::vector<std::int32_t> leaves = leaves_of(x);
  return std::ranges::all_of(leaves, [&](std::int32_t leaf) { return std::ranges::any_of(e.p, [&](const Expression& p) { return p.id() == leaf; }); });
}

// t + D(x)/a, with the distance D(x) to the next turn on the way of x, which a tells: of the two ways the one that has it in the future.
Expression next_turn(const Equations& e, const Table& table, const std::vector<double>& turns, Expression x, Expression a) {
  const Recurrence ahead{table.repeat, table.knots.front(), table.knots.back() - table.knots.front()};
  const Recurrence back{table.repeat, -table.knots.back(), ahead.period};
  std::vector<double> mirrored;
  for (const double turn : turns) mirrored.push_back(-turn);
  std::ranges::reverse(mirrored);
  const auto distance = [&](const std::vector<double>& points, const Recurrence& recurrence, Expression at) {
    return e.graph->lookup(std::make_shared<const Table>(distance_to_next(points, recurrence)), at);
  };
  return e.t + kept_above(distance(turns, ahead, x) / a, distance(mirrored, back, -x) / -a);
}

}  // namespace

void add_table_stops(Equations& e) {
  Derivative along(LeafMap{{e.t.id(), 1.0}});
  for (const std::int32_t id : lookups_of(*e.graph, laws_of_motion(e))) {
    const Node node = (*e.graph)[id];
    const Expression x(e.graph.get(), node.a), a = along(x);
    if (a.is_constant() && a.value() == 0) continue;
    if (!is_of_parameters(e, a) || !is_of_parameters(e, Substitution(LeafMap{{e.t.id(), 0.0}})(x))) continue;
    const Table& table = *e.graph->tables()[static_cast<std::size_t>(node.b)];
    const std::vector<double> turns = turning_points(table);
    if (!turns.empty()) e.stops.push_back(next_turn(e, table, turns, x, a));
  }
}

}  // namespace armature::internal
