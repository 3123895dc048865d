#include "system/solution_signals.hpp"

#include "mechanics/articulated_tree.hpp"
#include "mechanics/solution_leaves.hpp"
#include "system/constrained_solution.hpp"
#include "system/friction_loads.hpp"
#include "system/substitute.hpp"

namespace armature::internal {

using List = std::vector<Expression>;

SolutionSignals::SolutionSignals(std::shared_ptr<Equations> equations) : equations_(std::move(equations)) {
  for (const Graph::Comparison& comparison : equations_->graph->comparisons()) roots_.push_back(comparison.root);
}

std::shared_ptr<Equations> SolutionSignals::copy_with(const LeafMap& values) {
  for (std::size_t k = 0; k < roots_.size(); ++k) equations_->graph->set_root(static_cast<int>(k), roots_[k]);
  auto copy = std::make_shared<Equations>(*equations_);
  if (copy->tree) copy->tree = std::make_shared<ArticulatedTree>(*copy->tree);
  for (Quantity& quantity : copy->quantities) {
    quantity.has_acceleration = has_acceleration(*equations_, quantity.value);
    quantity.has_force = has_constraint_force(*equations_, quantity.value);
  }
  substitute(*copy, values);
  return copy;
}

std::shared_ptr<const Equations> SolutionSignals::at_zero() {
  if (!any()) return equations_;
  LeafMap zero;
  for (const List* leaves : {&equations_->a, &equations_->lambda})
    for (const Expression& leaf : *leaves) zero[leaf.id()] = 0.0;
  for (const ReactionSignal& signal : equations_->reaction_signals)
    for (const Expression& leaf : signal.leaf) zero[leaf.id()] = 0.0;
  for (const FrictionLoad& load : equations_->loads) zero[load.leaf.id()] = 0.0;
  return copy_with(zero);
}

std::shared_ptr<const Equations> SolutionSignals::solved(const std::vector<int>& independent_rows) {
  if (!any()) return equations_;
  const ConstrainedSolution solution(*equations_, independent_rows);
  const SolvedLoads loads = solve_loads(*equations_, solution);
  LeafMap values;
  for (std::size_t k = 0; k < equations_->a.size(); ++k) values[equations_->a[k].id()] = loads.solution.vdot[k];
  for (std::size_t r = 0; r < equations_->lambda.size(); ++r)
    values[equations_->lambda[r].id()] = loads.solution.lambda[r];
  values.insert(loads.values.begin(), loads.values.end());
  Substitution substituted(values);
  for (const ReactionSignal& signal : equations_->reaction_signals)
    for (std::size_t i = 0; i < 6; ++i) values[signal.leaf[i].id()] = substituted(signal.reaction.wrench[i]);
  auto copy = copy_with(values);
  // recorded reactions keep their accelerations and multipliers
  Substitution loaded(loads.values);
  for (Reaction& reaction : copy->reactions)
    for (Expression& x : reaction.wrench) x = loaded(x);
  copy->watched.insert(copy->watched.begin(), loads.watched.begin(), loads.watched.end());
  copy->loads = loads.loads;
  copy->undetermined_loads.insert(copy->undetermined_loads.end(), loads.undetermined.begin(), loads.undetermined.end());
  return copy;
}

}  // namespace armature::internal
