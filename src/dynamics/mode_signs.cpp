#include "dynamics/mode_signs.hpp"

namespace armature {

namespace {

// One pass over all modes; false: they agree with their roots.
bool follow_roots(SystemEvaluator& evaluator, State& state, Eigen::VectorXd& roots) {
  evaluator.set_modes(state.w);
  evaluator.roots(roots);
  bool changed = false;
  for (Eigen::Index k = 0; k < roots.size(); ++k) {
    const auto status = roots[k] >= 0 ? ModeStatus::above : ModeStatus::below;
    if (state.mode[k] == ModeStatus::sliding || state.mode[k] == status) continue;
    state.mode[k] = status;
    state.w[k] = status == ModeStatus::above ? 1 : 0;
    changed = true;
  }
  return changed;
}

}  // namespace

std::vector<int> set_modes_by_roots(SystemEvaluator& evaluator, State& state) {
  std::vector<int> changed;
  if (state.mode.empty()) return changed;
  const std::vector<ModeStatus> before = state.mode;
  Eigen::VectorXd roots(static_cast<Eigen::Index>(state.mode.size()));
  evaluator.set(state.t, state.x.data());
  for (std::size_t pass = 0; pass <= state.mode.size() && follow_roots(evaluator, state, roots);) ++pass;
  evaluator.set_modes(state.w);
  for (std::size_t k = 0; k < before.size(); ++k)
    if (state.mode[k] != before[k]) changed.push_back(static_cast<int>(k));
  return changed;
}

}  // namespace armature
