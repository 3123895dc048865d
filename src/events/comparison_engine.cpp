#include "events/comparison_engine.hpp"

namespace armature::internal {

ComparisonEngine::ComparisonEngine(Dynamics& dynamics, State& state)
    : dynamics_(dynamics),
      state_(state),
      ranges_(dynamics.system().layout(), *dynamics.system().program(Kernel::roots)),
      clear_(ranges_, *dynamics.system().program(Kernel::roots)) {
  const Layout& n = dynamics.system().layout();
  roots_ = end_roots_ = rates_ = outcomes_ = Eigen::VectorXd::Zero(n.nw);
  xdot_ = Eigen::VectorXd::Zero(n.nx());
  state_sizes_ = Eigen::VectorXd::Ones(n.nx());
}

step::EventSizes ComparisonEngine::sizes() const {
  const Layout& n = dynamics_.system().layout();
  const auto& entries = ranges_.entries();
  return {n.nw, n.nq, n.nv, n.nx(), entries.data(), static_cast<int>(entries.size()), state_sizes_.data()};
}

void ComparisonEngine::take_state_sizes() {
  const Layout& n = dynamics_.system().layout();
  const MachineSize size = dynamics_.engine().machine_size(state_.t, state_.x.data());
  state_sizes_.head(n.nq) = size.per_position().cwiseInverse();
  state_sizes_.segment(n.nq, n.nv) = dynamics_.comparisons().rate() * size.per_velocity().cwiseInverse();
}

const double* ComparisonEngine::roots(double t, const double* x) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(t, x);
  evaluator.set_outcomes(dynamics_.weights());
  evaluator.roots(roots_);
  return roots_.data();
}

const double* ComparisonEngine::roots_with(const double* outcomes) {
  outcomes_ = Eigen::Map<const Eigen::VectorXd>(outcomes, outcomes_.size());
  dynamics_.evaluator().set_outcomes(outcomes_);
  dynamics_.evaluator().roots(roots_);
  return roots_.data();
}

const double* ComparisonEngine::root_rates() {
  dynamics_.evaluator().root_rates(dynamics_.acceleration().vdot, rates_);
  return rates_.data();
}

std::string ComparisonEngine::name(int k) const {
  const std::string& label = comparison(k).label;
  return label.empty() ? "comparison " + std::to_string(k + 1) : label;
}

namespace {

const std::string& first_given(const std::string& own, const std::string& other) { return own.empty() ? other : own; }

// status: what it was before.
std::string change_in_words(const Graph::Comparison& comparison, ComparisonStatus status, ComparisonStatus now,
                            bool steps_up) {
  const ComparisonWords& words = comparison.words;
  const bool above = now == ComparisonStatus::above;
  if (now == ComparisonStatus::sliding) return first_given(words.holds, "sticks");
  if (comparison.kind == Graph::ComparisonKind::floor)
    return steps_up ? first_given(words.rises, "steps up") : first_given(words.falls, "steps down");
  if (status == ComparisonStatus::sliding)
    return first_given(
        above ? first_given(words.leaves_above, words.rises) : first_given(words.leaves_below, words.falls), "slips");
  return first_given(above ? words.rises : words.falls,
                     above != comparison.turned_round ? "is now true" : "is now false");
}

}  // namespace

void ComparisonEngine::changed(int k, double weight, ComparisonStatus status) {
  const ComparisonStatus now = state_.comparisons[std::size_t(k)];
  const bool slides = now == ComparisonStatus::sliding;
  if (quiet_ || (now == status && (state_.w[k] == weight || slides))) return;
  const std::string what = change_in_words(comparison(k), status, now, state_.w[k] > weight),
                    subject = comparison(k).words.subject;
  events_.push_back({state_.t, (subject.empty() ? name(k) + " " : subject + ": ") + what});
}

}  // namespace armature::internal
