#include "events/comparisons.hpp"

namespace armature::internal {

namespace {

std::vector<step::Comparison> comparisons_of(const Equations& equations) {
  std::vector<step::Comparison> comparisons;
  for (const Graph::Comparison& comparison : equations.graph->comparisons()) {
    comparisons.emplace_back();
    comparisons.back().kind = comparison.kind;
    comparisons.back().breakaway = comparison.breakaway;
  }
  return comparisons;
}

std::optional<double> time_of(const step::EventTime& event) {
  return event.found ? std::optional(event.t) : std::nullopt;
}

}  // namespace

Comparisons::Comparisons(Dynamics& dynamics, State& state, double rtol)
    : state_(state),
      engine_(dynamics, state),
      memory_(comparisons_of(dynamics.system().equations())),
      guards_(2 * memory_.size()),
      flutters_(memory_.size()),
      numbers_(static_cast<std::size_t>(dynamics.system().layout().nx()) + memory_.size()),
      x_(Eigen::VectorXd::Zero(dynamics.system().layout().nx())),
      changes_(engine_, engine_.sizes(), memory(), state.comparisons.data(), state.w.data(), rtol) {}

step::EventMemory Comparisons::memory() {
  return {memory_.data(), guards_.data(), numbers_.data(), numbers_.data() + x_.size(), flutters_.data()};
}

void Comparisons::begin() {
  if (!any()) return;
  engine_.take_state_sizes();
  changes_.begin(state_.t, state_.x.data());
}

std::optional<std::string> Comparisons::fluttering(int changes) const {
  const int comparison = changes_.fluttering(changes);
  return comparison < 0 ? std::nullopt : std::optional(engine_.name(comparison));
}

std::optional<double> Comparisons::find_change(const Integrator& integrator) {
  return time_of(changes_.find_change(LastStep(integrator, x_)));
}

std::optional<double> Comparisons::find_change(const Integrator& integrator, const Known& known) {
  return time_of(changes_.find_change(LastStep(integrator, x_), known));
}

void Comparisons::margins(double t, const double* x, double* margins) {
  changes_.look(t, x);
  for (std::size_t k = 0; k < memory_.size(); ++k) margins[k] = changes_.margin(static_cast<int>(k));
}

std::vector<RunEvent> Comparisons::change() {
  changes_.change(state_.t, state_.x.data());
  return engine_.take_events();
}

}  // namespace armature::internal
