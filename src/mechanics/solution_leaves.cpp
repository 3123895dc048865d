#include "mechanics/solution_leaves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

void make_accelerations(Equations& equations, std::size_t count) {
  Graph& graph = *equations.graph;
  for (std::size_t k = equations.a.size(); k < count; ++k)
    equations.a.push_back(graph.input("acceleration of " + graph.inputs()[equations.v[k].node().a]));
}

void make_multipliers(Equations& equations, std::size_t count) {
  for (std::size_t r = equations.lambda.size(); r < count; ++r)
    equations.lambda.push_back(equations.graph->input("lambda of " + equations.rows[r].name));
}

template <class Leaves>
bool has_leaf_of(Expression x, const Leaves& leaves) {
  const std::vector<std::int32_t> own = leaves_of(x);
  return std::ranges::any_of(leaves,
                             [&](const Expression& leaf) { return std::ranges::binary_search(own, leaf.id()); });
}

}  // namespace

Expression acceleration_in_formula(Equations& equations, std::size_t velocity) {
  make_accelerations(equations, velocity + 1);
  equations.solution_in_formulas = true;
  return equations.a[velocity];
}

Expression multiplier_in_formula(Equations& equations, std::size_t row) {
  make_multipliers(equations, row + 1);
  equations.solution_in_formulas = true;
  return equations.lambda[row];
}

const std::array<Expression, 6>& reaction_in_formula(Equations& equations, const std::string& joint) {
  for (const ReactionSignal& signal : equations.reaction_signals)
    if (signal.reaction.joint == joint) return signal.leaf;
  ReactionSignal signal{{joint, {}}, {}};
  for (Expression& leaf : signal.leaf) leaf = equations.graph->input("reaction of " + joint);
  equations.reaction_signals.push_back(signal);
  equations.solution_in_formulas = true;
  return equations.reaction_signals.back().leaf;
}

void complete_solution_leaves(Equations& equations) {
  make_accelerations(equations, equations.v.size());
  make_multipliers(equations, equations.rows.size());
}

bool has_acceleration(const Equations& equations, Expression x) {
  return equations.solution_in_formulas && has_leaf_of(x, equations.a);
}

bool has_constraint_force(const Equations& equations, Expression x) {
  if (!equations.solution_in_formulas) return false;
  return has_leaf_of(x, equations.lambda) || std::ranges::any_of(equations.reaction_signals, [&](const auto& signal) {
           return has_leaf_of(x, signal.leaf);
         });
}

// The formula that was lowered last is the one to blame.
void refuse_algebraic_loop(const Equations& equations, Expression x) {
  if (!equations.solution_in_formulas) return;
  const bool acceleration = has_acceleration(equations, x);
  if (!acceleration && !has_constraint_force(equations, x)) return;
  Location where;
  std::string text = "it";
  for (auto formula = equations.watched.rbegin(); formula != equations.watched.rend(); ++formula)
    if (has_acceleration(equations, formula->value) || has_constraint_force(equations, formula->value)) {
      where = formula->where, text = formula->name;
      break;
    }
  throw FormulaError(
      where,
      fmt::format("{} depends on {}, which the force itself changes at once: an algebraic loop. A sampled controller "
                  "or a low_pass filter of the signal breaks the loop",
                  text, acceleration ? "an acceleration" : "a reaction or a multiplier"));
}

}  // namespace armature::internal
