#include "dynamics/outcomes_by_roots.hpp"

namespace armature::internal {

namespace {

// One pass over all comparisons; false: they agree with their roots.
bool follow_roots(SystemEvaluator& evaluator, State& state, Eigen::VectorXd& roots) {
  const std::vector<Graph::Comparison>& comparisons = evaluator.system().equations().graph->comparisons();
  evaluator.set_outcomes(state.w);
  evaluator.roots(roots);
  bool changed = false;
  for (Eigen::Index k = 0; k < roots.size(); ++k) {
    const Graph::Comparison& comparison = comparisons[static_cast<std::size_t>(k)];
    const double outcome = comparison.outcome(roots[k]);
    if (state.comparisons[k] == ComparisonStatus::sliding || state.w[k] == outcome) continue;
    state.comparisons[k] = status_of(comparison, outcome);
    state.w[k] = outcome;
    changed = true;
  }
  return changed;
}

}  // namespace

std::vector<int> set_outcomes_by_roots(SystemEvaluator& evaluator, State& state) {
  std::vector<int> changed;
  if (state.comparisons.empty()) return changed;
  const Eigen::VectorXd before = state.w;
  Eigen::VectorXd roots(static_cast<Eigen::Index>(state.comparisons.size()));
  evaluator.set(state.t, state.x.data());
  for (std::size_t pass = 0; pass <= state.comparisons.size() && follow_roots(evaluator, state, roots);) ++pass;
  evaluator.set_outcomes(state.w);
  for (Eigen::Index k = 0; k < before.size(); ++k)
    if (state.w[k] != before[k]) changed.push_back(static_cast<int>(k));
  return changed;
}

}  // namespace armature::internal
