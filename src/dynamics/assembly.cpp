#include "dynamics/assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>

#include "dynamics/assembly_poses.hpp"
#include "dynamics/assembly_steps.hpp"
#include "dynamics/closure_search.hpp"
#include "dynamics/projection.hpp"
#include "expression/interruption.hpp"

namespace armature::internal {
namespace {

using Eigen::VectorXd;

std::string length_or_angle(double gap, const std::string& unit) {
  if (unit == "m") return fmt::format("{:.4g} mm", gap * 1000);
  return unit.empty() ? fmt::format("{:.3g}", gap) : fmt::format("{:.3g} {}", gap, unit);
}

// Gaps of the rows of one owner together: the norm of those of one unit.
void add_open_loops(const AssemblySteps& steps, const VectorXd& phi, std::vector<OpenCondition>& open) {
  const Equations& equations = steps.equations();
  std::map<std::pair<std::string, std::string>, std::pair<double, bool>> gaps;  // square, and whether one is open
  for (int i = 0; i < phi.size(); ++i) {
    auto& [square, is_open] = gaps[{equations.rows[i].owner, equations.rows[i].unit}];
    square += phi[i] * phi[i], is_open = is_open || !steps.is_met(i);
  }
  for (const auto& [key, gap] : gaps)
    if (gap.second) open.push_back({key.first, std::sqrt(gap.first), key.second, false, {}});
}

void add_open_keeps(const AssemblySteps& steps, const std::vector<StartCondition>& keep, const VectorXd& residual,
                    std::vector<OpenCondition>& open) {
  const int loops = static_cast<int>(steps.equations().rows.size());
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (!steps.is_met(loops + static_cast<int>(i)))
      open.push_back({keep[i].name, std::abs(residual[i]), keep[i].unit, true, keep[i].where});
}

std::string not_finite_speed(const Equations& equations, const VectorXd& phidot, const VectorXd& speed) {
  for (int i = 0; i < phidot.size(); ++i) {
    if (!std::isfinite(phidot[i]))
      return fmt::format("{}: its rate of change is not finite at the start", equations.rows[i].name);
  }
  for (int i = 0; i < speed.size(); ++i) {
    const StartCondition& condition = equations.speed_keep[i];
    if (!std::isfinite(speed[i]))
      return fmt::format("{}: start speed of {}: has no finite value",
                         line_in_words(condition.where, equations.used_files), condition.name);
  }
  return "no velocities can be found at the start: a constraint or a start speed is not finite there";
}

std::string not_finite(const Equations& equations, const VectorXd& phi, const VectorXd& start) {
  for (int i = 0; i < phi.size(); ++i) {
    if (!std::isfinite(phi[i])) return fmt::format("{}: has no finite value at the start", equations.rows[i].name);
  }
  const std::size_t keeps = equations.keep.size();
  for (std::size_t i = 0; i < static_cast<std::size_t>(start.size()); ++i) {
    const StartCondition& condition = i < keeps ? equations.keep[i] : equations.near[i - keeps];
    if (!std::isfinite(start[i])) {
      return fmt::format("{}: start of {}: has no finite value", line_in_words(condition.where, equations.used_files),
                         condition.name);
    }
  }
  return {};
}

std::string listed(const std::vector<OpenCondition>& open, bool kept) {
  std::string list;
  for (const OpenCondition& condition : open)
    if (condition.kept == kept)
      list += fmt::format("{}{} by {}", list.empty() ? "" : ", ", condition.name,
                          length_or_angle(condition.gap, condition.unit));
  return list;
}

std::string describe(const std::vector<OpenCondition>& open, const std::vector<std::string>& contradicted,
                     bool velocities) {
  const std::string against = contradicted.empty() ? "" : fmt::format(" (against {})", fmt::join(contradicted, ", "));
  const std::string loops = listed(open, false), keeps = listed(open, true);
  if (!keeps.empty() && loops.empty()) {
    return fmt::format("the kept {} contradict each other: {} cannot be met{}", velocities ? "speeds" : "values", keeps,
                       against);
  }
  if (velocities) {
    return fmt::format("no velocities satisfy the constraints: {} is violated{}{}", loops, against,
                       keeps.empty() ? "" : fmt::format(", with the kept speeds {}", keeps));
  }
  return fmt::format("the loops do not close: {} stays open{}{}; change the lengths, or the kept start values", loops,
                     against, keeps.empty() ? "" : fmt::format(", and these kept values are not met: {}", keeps));
}

// Where the least gap is no gap: the loops close, but only in a way that is not allowed.
std::string why_not_closed(const Equations& equations, const std::vector<int>& contradictory_comparisons) {
  if (contradictory_comparisons.empty() && equations.senses.empty())
    return "the loops do not close from any guess near the start values; change the start values";
  if (contradictory_comparisons.empty())
    return fmt::format("the loops close only with the axes of a joint reversed (cut: {}); change the start values",
                       fmt::join(equations.cut_joints, ", "));
  std::vector<std::string> labels;
  for (const int comparison : contradictory_comparisons) {
    const std::string& label = equations.graph->comparisons()[comparison].label;
    labels.push_back(label.empty() ? fmt::format("number {}", comparison + 1) : label);
  }
  return fmt::format(
      "no start is consistent with the comparison {}: whichever outcome is assumed, the closed pose gives the other; "
      "change the start values or the formula",
      fmt::join(labels, ", "));
}

void largest_first(std::vector<OpenCondition>& open) {
  std::stable_sort(open.begin(), open.end(), [](const auto& a, const auto& b) { return a.gap > b.gap; });
}

// Components of a point or a pose go by the name of the whole.
std::string whole(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return name;
  const std::string last = name.substr(dot + 1);
  for (const char* component : {"x", "y", "z", "r", "rx", "ry", "rz"})
    if (last == component) return name.substr(0, dot);
  return name;
}

// Conditions of `near` on points, bodies and cut joints; those on coordinates are in `moved`.
std::vector<OpenCondition> missed_conditions(const AssemblySteps& steps) {
  constexpr double noticeable = 1e-9;  // rad, or share of the machine's length: a miss of `near` that is reported
  const auto& positions = steps.equations().positions;
  const std::vector<StartCondition>& near = steps.near();
  const VectorXd residual = steps.near_residual();
  std::map<std::pair<std::string, std::string>, double> squares;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const auto is_it = [&](const Coordinate& position) { return position.name == near[i].name; };
    if (std::none_of(positions.begin(), positions.end(), is_it))
      squares[{whole(near[i].name), near[i].unit}] +=
          residual[static_cast<Eigen::Index>(i)] * residual[static_cast<Eigen::Index>(i)];
  }
  std::vector<OpenCondition> missed;
  for (const auto& [key, square] : squares)
    if (std::sqrt(square) > noticeable * (key.second == "m" ? steps.length() : 1))
      missed.push_back({key.first, std::sqrt(square), key.second, false, {}});
  return missed;
}

// The state is left as near as it came.
bool find_positions(AssemblySteps& steps, const AssemblyOptions& options, AssemblyResult& result) {
  State& state = result.state;
  const Equations& equations = steps.equations();
  steps.evaluate(state);
  result.sentence = not_finite(equations, steps.phi(), steps.start_residual());
  if (!result.sentence.empty()) return false;

  steps.begin(state);
  ClosureSearch search(steps, options.attempts, options.seed);
  const std::optional<Closure> closure = search.nearest();
  result.attempts = search.tries();
  if (closure) {
    state = closure->state;
    steps.evaluate(state);
    steps.take_turns(state);
    result.moved = state.x.head(result.moved.size()) - steps.said().x.head(result.moved.size());
    result.missed = missed_conditions(steps);
    return true;
  }

  steps.settle_comparisons(state);
  steps.approach(state);
  steps.least_gap(state);
  add_open_keeps(steps, steps.keep(), steps.keep_residual(), result.open);
  add_open_loops(steps, steps.phi(), result.open);
  largest_first(result.open);
  result.sentence = result.open.empty() ? why_not_closed(equations, search.contradictory_comparisons())
                                        : describe(result.open, steps.contradicted(), false);
  return false;
}

bool find_velocities(AssemblySteps& steps, AssemblyResult& result) {
  if (!steps.velocities(result.state)) {
    result.sentence = not_finite_speed(steps.equations(), steps.phidot(), steps.speed_residual());
    return false;
  }
  add_open_keeps(steps, steps.speed_keep(), steps.speed_residual(), result.open);
  add_open_loops(steps, steps.phidot(), result.open);
  for (OpenCondition& condition : result.open) {
    if (!condition.kept && !condition.unit.empty()) condition.unit += "/s";
  }
  largest_first(result.open);
  if (!result.open.empty()) result.sentence = describe(result.open, steps.contradicted(), true);
  return result.open.empty();
}

// Closed, with comparisons that agree with it.
bool closes(AssemblySteps& steps, State& state) {
  steps.settle_comparisons(state);
  for (int round = 0; round < 8; ++round) {
    if (!steps.close(state)) return false;
    steps.drop_turns(state);
    if (steps.settle_comparisons(state).empty()) return true;
  }
  return false;
}

// Motions that loops, kept values and what is held leave at a pose, to first order.
class SearchSteps : public AssemblySteps {
 public:
  using AssemblySteps::AssemblySteps;
  int motions_left(State state) {
    evaluate(state);
    gather(Goal::close);
    return factor(metric_.weights()) ? configuration_.nv() - rows_.rank() : 0;
  }
};

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
  evaluator.hold(guess);
  AssemblySteps steps(evaluator, options.conditions);
  result.success = find_positions(steps, options, result);
  return result;
}

void assemble_velocities(SystemEvaluator& evaluator, AssemblyResult& result, bool conditions) {
  evaluator.hold(result.state);
  AssemblySteps steps(evaluator, conditions);
  steps.measure(result.state);
  result.length = steps.size(result.state).length();
  result.success = find_velocities(steps, result);
}

AssemblyPoses find_poses(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options) {
  AssemblyPoses found;
  AssemblyResult first = assemble(evaluator, guess, {options.conditions, 60, options.seed});
  found.guesses = first.attempts, found.closed = first.success ? 1 : 0;
  if (!first.success) return found;
  found.states.push_back(first.state);

  SearchSteps steps(evaluator, options.conditions);
  State said = first.state;
  steps.begin(said);
  steps.hold_free_coordinates(first.state);
  std::mt19937 generator(options.seed);
  for (int k = 0; k < options.attempts; ++k) {
    stop_if_interrupted();
    State state = first.state;
    steps.shake(state, 1, generator);
    ++found.guesses;
    if (!closes(steps, state)) continue;
    ++found.closed;
    steps.take_turns(state);
    constexpr double same_pose = 1e-6;  // rad, or share of the machine's length
    const auto same = [&](const State& other) { return steps.distance(state, other) < same_pose; };
    if (std::any_of(found.states.begin(), found.states.end(), same)) continue;
    AssemblyResult result;
    result.state = state;
    assemble_velocities(evaluator, result, options.conditions);
    if (result.success) found.states.push_back(result.state);
  }
  std::stable_sort(found.states.begin() + 1, found.states.end(), [&](const State& a, const State& b) {
    return steps.distance(a, found.states[0]) < steps.distance(b, found.states[0]);
  });
  found.held = steps.held();
  for (const State& state : found.states)
    found.motions.push_back(steps.motions_left(state) + static_cast<int>(found.held.size()));
  return found;
}

std::vector<State> assemble_all(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options) {
  return find_poses(evaluator, guess, options).states;
}

bool correct(SystemEvaluator& evaluator, State& state) {
  evaluator.hold(state);
  Projection projection(evaluator);
  return projection.position(state.t, state.x.data()) && projection.velocity(state.t, state.x.data());
}

}  // namespace armature::internal
