#include "dynamics/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "dynamics/assembly_steps.hpp"
#include "dynamics/projection.hpp"

namespace armature {
namespace {

using Eigen::VectorXd;

std::string length_or_angle(double gap, const std::string& unit) {
  if (unit == "m") return fmt::format("{:.4g} mm", gap * 1000);
  return unit.empty() ? fmt::format("{:.3g}", gap) : fmt::format("{:.3g} {}", gap, unit);
}

// Gaps of the rows of one owner together: the norm of those of one unit.
void add_open_loops(const Equations& equations, const VectorXd& phi, double tolerance,
                    std::vector<OpenCondition>& open) {
  std::map<std::pair<std::string, std::string>, double> squares;
  for (int i = 0; i < phi.size(); ++i) squares[{equations.rows[i].owner, equations.rows[i].unit}] += phi[i] * phi[i];
  for (const auto& [key, square] : squares) {
    if (std::sqrt(square) > tolerance) open.push_back({key.first, std::sqrt(square), key.second, false, {}});
  }
}

void add_open_keeps(const std::vector<StartCondition>& keep, const VectorXd& residual, double tolerance,
                    std::vector<OpenCondition>& open) {
  for (std::size_t i = 0; i < keep.size(); ++i) {
    const double gap = std::abs(residual[i]);
    if (gap > tolerance) open.push_back({keep[i].name, gap, keep[i].unit, true, keep[i].where});
  }
}

std::string not_finite_speed(const Equations& equations, const VectorXd& phidot, const VectorXd& speed) {
  for (int i = 0; i < phidot.size(); ++i) {
    if (!std::isfinite(phidot[i]))
      return fmt::format("{}: its rate of change is no finite number at the start", equations.rows[i].name);
  }
  for (int i = 0; i < speed.size(); ++i) {
    const StartCondition& condition = equations.speed_keep[i];
    if (!std::isfinite(speed[i]))
      return fmt::format("line {}: start speed of {}: gives no finite number", condition.where.line, condition.name);
  }
  return "no velocities can be found at the start: some motion has no inertia, or a constraint is no finite number "
         "there";
}

std::string not_finite(const Equations& equations, const VectorXd& phi, const VectorXd& start) {
  for (int i = 0; i < phi.size(); ++i) {
    if (!std::isfinite(phi[i])) return fmt::format("{}: gives no finite number at the start", equations.rows[i].name);
  }
  const std::size_t keeps = equations.keep.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(start.size()); ++i) {
    const StartCondition& condition = i < keeps ? equations.keep[i] : equations.near[i - keeps];
    if (!std::isfinite(start[i])) {
      return fmt::format("line {}: start of {}: gives no finite number", condition.where.line, condition.name);
    }
  }
  return {};
}

std::string describe(const std::vector<OpenCondition>& open, const std::vector<std::string>& contradicted,
                     bool velocities) {
  const std::string against = contradicted.empty() ? "" : fmt::format(" (against {})", fmt::join(contradicted, ", "));
  std::string loops, keeps;
  for (const OpenCondition& condition : open) {
    std::string& list = condition.kept ? keeps : loops;
    const std::string gap = length_or_angle(condition.gap, condition.unit);
    list += fmt::format("{}{} by {}", list.empty() ? "" : ", ", condition.name, gap);
  }
  if (!keeps.empty() && loops.empty()) {
    return fmt::format("the kept {} contradict each other: {} cannot be met{}", velocities ? "speeds" : "values", keeps,
                       against);
  }
  if (velocities) {
    return fmt::format("no velocities satisfy the constraints: {} is violated{}{}", loops.empty() ? keeps : loops,
                       against, keeps.empty() ? "" : fmt::format(", with the kept speeds {}", keeps));
  }
  return fmt::format("the loops do not close: {} stays open{}{}; change the lengths, or the kept start values", loops,
                     against, keeps.empty() ? "" : fmt::format(", and kept values are missed: {}", keeps));
}

void largest_first(std::vector<OpenCondition>& open) {
  std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.gap > b.gap; });
}

constexpr std::size_t enough_choice = 12;  // closures from shaken guesses, of which the best is taken

// The one that misses `near` least; without such conditions, the one nearest to the guess.
State nearest(AssemblySteps& steps, const std::vector<State>& closed, const State& guess) {
  const auto misses = [&](const State& state) {
    const Eigen::Index near = static_cast<Eigen::Index>(steps.equations().near.size());
    steps.evaluate(state);
    const bool conditions = near > 0 && steps.start_residual().size() >= near;
    return conditions ? steps.start_residual().tail(near).norm() : steps.distance(state, guess);
  };
  const State* best = &closed[0];
  for (const State& state : closed)
    if (misses(state) < misses(*best) - 1e-9) best = &state;
  return *best;
}

// The state is left as near as it came.
bool find_positions(AssemblySteps& steps, const AssemblyOptions& options, AssemblyResult& result) {
  State& state = result.state;
  const Equations& equations = steps.equations();
  steps.evaluate(state);
  result.sentence = not_finite(equations, steps.phi(), steps.start_residual());
  if (!result.sentence.empty()) return false;

  steps.approach(state);
  const State guess = state;
  steps.reach(state);
  std::mt19937 generator(options.seed);
  std::vector<State> closed;  // where the guess itself does not close, the best of several
  for (result.attempts = 1; result.attempts <= options.attempts + 1 && closed.size() < enough_choice;
       ++result.attempts) {
    if (steps.close(state)) {
      closed.push_back(state);
      if (result.attempts == 1) break;
    }
    state = guess;
    steps.shake(state, result.attempts / static_cast<double>(options.attempts), generator);
  }
  if (!closed.empty()) {
    state = nearest(steps, closed, guess);
    result.moved = state.x.head(result.moved.size()) - guess.x.head(result.moved.size());
    return true;
  }

  state = guess;
  steps.least_gap(state);
  add_open_keeps(steps.keep(), steps.keep_residual(), steps.tolerance(), result.open);
  add_open_loops(equations, steps.phi(), steps.tolerance(), result.open);
  largest_first(result.open);
  result.sentence = describe(result.open, steps.contradicted(), false);
  return false;
}

bool find_velocities(AssemblySteps& steps, AssemblyResult& result) {
  if (!steps.velocities(result.state)) {
    result.sentence = not_finite_speed(steps.equations(), steps.phidot(), steps.speed_residual());
    return false;
  }
  add_open_keeps(steps.speed_keep(), steps.speed_residual(), steps.speed_tolerance(), result.open);
  add_open_loops(steps.equations(), steps.phidot(), steps.speed_tolerance(), result.open);
  for (OpenCondition& condition : result.open) {
    if (!condition.kept && !condition.unit.empty()) condition.unit += "/s";
  }
  largest_first(result.open);
  if (!result.open.empty()) result.sentence = describe(result.open, steps.contradicted(), true);
  return result.open.empty();
}

}  // namespace

AssemblyResult assemble(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options) {
  AssemblyResult result = assemble_positions(evaluator, guess, options);
  if (result.success) assemble_velocities(evaluator, result, options.conditions);
  return result;
}

AssemblyResult assemble_positions(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options) {
  AssemblyResult result;
  result.state = guess;
  result.moved = VectorXd::Zero(evaluator.system().layout().nq);
  evaluator.set_discrete(guess.d);
  evaluator.set_modes(guess.w);
  AssemblySteps steps(evaluator, options.conditions);
  result.success = find_positions(steps, options, result);
  return result;
}

void assemble_velocities(SystemEvaluator& evaluator, AssemblyResult& result, bool conditions) {
  evaluator.set_discrete(result.state.d);
  evaluator.set_modes(result.state.w);
  AssemblySteps steps(evaluator, conditions);
  steps.evaluate(result.state);
  result.success = find_velocities(steps, result);
}

std::vector<State> assemble_all(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options) {
  std::vector<State> found;
  AssemblyResult first = assemble(evaluator, guess, {options.conditions, 60, options.seed});
  if (!first.success) return found;
  found.push_back(first.state);

  AssemblySteps steps(evaluator, options.conditions);
  steps.hold_free_coordinates(first.state);
  std::mt19937 generator(options.seed);
  for (int k = 0; k < options.attempts; ++k) {
    State state = first.state;
    steps.shake(state, 1, generator);
    if (!steps.close(state)) continue;
    const auto same = [&](const State& other) { return steps.distance(state, other) < 1e-6; };
    if (std::any_of(found.begin(), found.end(), same)) continue;
    AssemblyResult result;
    result.state = state;
    assemble_velocities(evaluator, result, options.conditions);
    if (result.success) found.push_back(result.state);
  }
  std::stable_sort(found.begin() + 1, found.end(), [&](const State& a, const State& b) {
    return steps.distance(a, found[0]) < steps.distance(b, found[0]);
  });
  return found;
}

bool correct(SystemEvaluator& evaluator, State& state) {
  evaluator.set_discrete(state.d);
  evaluator.set_modes(state.w);
  Projection projection(evaluator);
  return projection.position(state.t, state.x.data()) && projection.velocity(state.t, state.x.data());
}

}  // namespace armature
