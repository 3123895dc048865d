#include "events/mode_engine.hpp"

namespace armature::internal {

ModeEngine::ModeEngine(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::roots)) {
  const Layout& n = dynamics.system().layout();
  roots_ = rates_ = outcomes_ = Eigen::VectorXd::Zero(n.nw);
  xdot_ = Eigen::VectorXd::Zero(n.nx());
  state_sizes_ = Eigen::VectorXd::Ones(n.nx());
}

step::EventSizes ModeEngine::sizes() const {
  const Layout& n = dynamics_.system().layout();
  const auto& entries = ranges_.entries();
  return {n.nw, n.nq, n.nv, n.nx(), entries.data(), static_cast<int>(entries.size()), state_sizes_.data()};
}

void ModeEngine::take_state_sizes() {
  const Layout& n = dynamics_.system().layout();
  const MachineSize size = dynamics_.engine().machine_size(state_.t, state_.x.data());
  state_sizes_.head(n.nq) = size.per_position().cwiseInverse();
  state_sizes_.segment(n.nq, n.nv) = dynamics_.modes().rate() * size.per_velocity().cwiseInverse();
}

const double* ModeEngine::roots(double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x);
  evaluator.set_modes(dynamics_.weights());
  evaluator.roots(roots_);
  return roots_.data();
}

const double* ModeEngine::roots_with(const double* outcomes) {
  outcomes_ = Eigen::Map<const Eigen::VectorXd>(outcomes, outcomes_.size());
  dynamics_.evaluator().set_modes(outcomes_);
  dynamics_.evaluator().roots(roots_);
  return roots_.data();
}

const double* ModeEngine::root_rates() {
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, rates_);
  return rates_.data();
}

std::string ModeEngine::name(int k) const {
  const std::string& label = mode(k).label;
  return label.empty() ? "comparison " + std::to_string(k + 1) : label;
}

void ModeEngine::changed(int k, double weight, ModeStatus status) {
  const ModeStatus now = state_.mode[std::size_t(k)];
  const bool slides = now == ModeStatus::sliding;
  if (quiet_ || (now == status && (state_.w[k] == weight || slides))) return;
  const char* what = slides                                   ? "sticks"
                     : status == ModeStatus::sliding          ? "slips"
                     : mode(k).kind == Graph::ModeKind::floor ? (state_.w[k] > weight ? "steps up" : "steps down")
                     : now == ModeStatus::above               ? "becomes true"
                                                              : "becomes false";
  events_.push_back({state_.t, name(k) + " " + what});
}

}  // namespace armature::internal
