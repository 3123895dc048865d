#include "dynamics/mode_signs.hpp"

namespace armature::internal {

namespace {

// One pass over all modes; false: they agree with their roots.
bool follow_roots(SystemEvaluator& evaluator, State& state, Eigen::VectorXd& roots) {
  const std::vector<Graph::Mode>& modes = evaluator.system().equations().graph->modes();
  evaluator.set_modes(state.w);
  evaluator.roots(roots);
  bool changed = false;
  for (Eigen::Index k = 0; k < roots.size(); ++k) {
    const Graph::Mode& mode = modes[static_cast<std::size_t>(k)];
    const double outcome = mode.outcome(roots[k]);
    if (state.mode[k] == ModeStatus::sliding || state.w[k] == outcome) continue;
    state.mode[k] = status_of(mode, outcome);
    state.w[k] = outcome;
    changed = true;
  }
  return changed;
}

}  // namespace

std::vector<int> set_modes_by_roots(SystemEvaluator& evaluator, State& state) {
  std::vector<int> changed;
  if (state.mode.empty()) return changed;
  const Eigen::VectorXd before = state.w;
  Eigen::VectorXd roots(static_cast<Eigen::Index>(state.mode.size()));
  evaluator.set(state.t, state.x.data());
  for (std::size_t pass = 0; pass <= state.mode.size() && follow_roots(evaluator, state, roots);) ++pass;
  evaluator.set_modes(state.w);
  for (Eigen::Index k = 0; k < before.size(); ++k)
    if (state.w[k] != before[k]) changed.push_back(static_cast<int>(k));
  return changed;
}

}  // namespace armature::internal
