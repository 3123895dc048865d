#include "dynamics/closure_search.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

// Guesses in a row that may bring nothing nearer. Those of small parts cost little.
int patience(int coordinates) { return std::max(6, 30 - 3 * coordinates); }

// A tenth of a radian, or of the machine's length: closures of one loop lie further apart unless the pose is nearly singular.
constexpr double close_by = 0.1;

}  // namespace

// Comparisons have the outcomes of the pose at which the loops close, which may take several rounds.
std::optional<Closure> ClosureSearch::try_from(State state, Way way) {
  constexpr int rounds = 8;
  steps_.settle_comparisons(state);
  if (way == Way::by_near) {
    steps_.approach(state);
    steps_.settle_comparisons(state);
    steps_.reach(state);
  }
  std::vector<int> changed;
  for (int round = 0; round < rounds; ++round) {
    if (!steps_.close(state, most_steps_)) return std::nullopt;
    steps_.drop_turns(state);
    steps_.draw_near(state);
    steps_.drop_turns(state);
    changed = steps_.settle_comparisons(state);
    if (changed.empty()) return Closure{state, steps_.miss(state)};
  }
  contradictory_ = changed;
  return std::nullopt;
}

std::optional<Closure> ClosureSearch::first_closure() {
  std::optional<Closure> found = try_from(steps_.said(), Way::by_near);
  for (tries_ = 1; !found && tries_ <= guesses_; ++tries_) {
    State guess = steps_.said();
    steps_.shake(guess, tries_ / static_cast<double>(guesses_), generator_);
    found = try_from(guess, tries_ % 3 == 0 ? Way::by_near : Way::straight);
  }
  if (!found && guesses_ > 0) {
    State guess = steps_.said();
    steps_.approach(guess);
    steps_.least_gap(guess);
    found = try_from(guess, Way::straight);
  }
  return found;
}

// The other parts stay where they are nearest so far. A guess that leads anywhere closes within a few steps.
void ClosureSearch::improve(Closure& best, int component) {
  most_steps_ = 20;
  for (int vain = 0; vain < patience(steps_.coordinates(component)); ++vain) {
    const Miss miss = steps_.miss(best.state, component);
    if (miss.near <= close_by && miss.moved <= close_by) return;
    State guess = best.state;
    steps_.reset(guess, component);
    steps_.shake(guess, 1, generator_, component);
    const std::optional<Closure> other = try_from(guess, vain % 3 == 0 ? Way::by_near : Way::straight);
    if (other && other->miss.clearly_below(best.miss)) best = *other, vain = -1;
  }
}

std::optional<Closure> ClosureSearch::nearest() {
  std::optional<Closure> best = first_closure();
  for (int component = 0; best && guesses_ > 0 && component < steps_.components(); ++component)
    improve(*best, component);
  return best;
}

}  // namespace armature::internal
