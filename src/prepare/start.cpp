// The start of a run: assembled, with the outcomes of comparisons set and angles of cut joints unwrapped; and its branches.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "dynamics/assembly.hpp"
#include "dynamics/outcomes_by_roots.hpp"
#include "model/counted.hpp"
#include "prepare/branches.hpp"
#include "prepare/equilibrium.hpp"
#include "prepare/known_positions.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

namespace {

// What assembly had to satisfy: loops, motions prescribed, both, or only what the start asks of points and bodies.
std::string purpose(const Equations& equations) {
  const auto prescribed =
      std::count_if(equations.rows.begin(), equations.rows.end(), [](const ConstraintRow& row) { return row.effort; });
  if (equations.rows.empty()) return "to meet the start values";
  if (prescribed == 0) return "to close the loops";
  return prescribed < static_cast<std::ptrdiff_t>(equations.rows.size())
             ? "to close the loops and follow the prescribed motion"
             : "to follow the prescribed motion";
}

// The largest ways first, no more than a few: "platform by 0.02 rad and 0.007 m, elbow by 0.01 rad".
std::string list_of(std::vector<OpenCondition> ways) {
  constexpr std::size_t most = 4;
  std::stable_sort(ways.begin(), ways.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.gap) > std::abs(b.gap); });
  std::vector<std::pair<std::string, std::string>> things;  // names, and by how much
  for (const OpenCondition& way : ways) {
    const std::string gap = fmt::format("{:.3g}{}{}", way.gap, way.unit.empty() ? "" : " ", way.unit);
    const auto same = std::ranges::find(things, way.name, [](const auto& thing) { return thing.first; });
    if (same != things.end())
      same->second += " and " + gap;
    else
      things.emplace_back(way.name, gap);
  }
  std::string text;
  for (std::size_t k = 0; k < std::min(most, things.size()); ++k)
    text += fmt::format("{}{} by {}", k == 0 ? "" : ", ", things[k].first, things[k].second);
  return things.size() > most ? fmt::format("{} and {} more", text, things.size() - most) : text;
}

// Of an angle, or of a length of the machine.
double size_of(const std::string& unit, const AssemblyResult& result) { return unit == "m" ? result.length : 1; }

// What moved in assembly, counted from what the file says: from the named value, or from zero.
std::string what_moved(const AssemblyResult& result, const Equations& equations) {
  constexpr double noticeable = 1e-9;  // rad, or share of the machine's length: a motion that is reported
  std::vector<OpenCondition> moved;
  for (Eigen::Index i = 0; i < result.moved.size(); ++i) {
    const Coordinate& coordinate = equations.positions[static_cast<std::size_t>(i)];
    if (std::abs(result.moved[i]) >= noticeable * size_of(coordinate.unit, result))
      moved.push_back({coordinate.name, result.moved[i], coordinate.unit, false, {}});
  }
  return moved.empty() ? "" : fmt::format("{}, assembly moved {}", purpose(equations), list_of(moved));
}

std::string what_was_missed(const std::vector<OpenCondition>& missed) {
  if (missed.empty()) return "";
  return fmt::format("the loops do not allow all values in near; the nearest start misses {}", list_of(missed));
}

// `near` is a guess, and a start beside it is what was asked for; one that is far from it may be another pose than the one meant.
std::vector<OpenCondition> missed_by_far(const AssemblyResult& result) {
  constexpr double far_from_near = 0.5;  // rad, or share of the machine's length: a miss of `near` that a run says
  std::vector<OpenCondition> far;
  std::ranges::copy_if(result.missed, std::back_inserter(far), [&](const OpenCondition& condition) {
    return condition.gap > far_from_near * size_of(condition.unit, result);
  });
  return far;
}

void unwrap_angles(SystemEvaluator& evaluator, State& state) {
  evaluator.set(state);
  evaluator.next_discrete(state.d);
}

// The machine sinks from the assembled pose to where all forces balance.
void come_to_rest(SystemEvaluator& evaluator, Prepared& prepared) {
  if (evaluator.system().equations().has_velocity_rows()) {
    prepared.failure =
        "start.equilibrium: constraints on velocities alone (rolling, knife_edge) hold a machine at rest in any pose";
    return;
  }
  if (const auto& contacts = prepared.system->equations().contacts; !contacts.empty()) {
    prepared.failure = fmt::format(
        "start.equilibrium: {} is rigid, and the search for an equilibrium knows no rigid contacts; let the "
        "motion come to rest with damping, and continue with --from",
        contacts.front().label);
    return;
  }
  const Equilibrium rest = find_equilibrium(prepared.system, prepared.start, prepared.parameters);
  if (!rest.found) {
    prepared.failure = "start.equilibrium: " + rest.sentence;
    return;
  }
  prepared.start.x = rest.state.x;
  unwrap_angles(evaluator, prepared.start);
  set_outcomes_by_roots(evaluator, prepared.start);
  constexpr double noticeable = 1e-9;  // rad, or m
  std::string way = "which is the assembled pose";
  if (rest.mover >= 0 && rest.moved > noticeable) {
    const Coordinate& mover = evaluator.system().equations().positions[static_cast<std::size_t>(rest.mover)];
    way = fmt::format("{:.3g} {} ({}) from the assembled pose", rest.moved, mover.unit, mover.name);
  }
  prepared.notes.push_back("started at the static equilibrium, " + way);
}

void take_start(const AssemblyResult& result, SystemEvaluator& evaluator, Prepared& prepared) {
  prepared.start = result.state;
  if (!result.success) {
    prepared.failure = result.sentence;
    return;
  }
  unwrap_angles(evaluator, prepared.start);
  set_atol(prepared.options, prepared.system->equations(), result.length);
  const Equations& equations = prepared.system->equations();
  for (std::string note : {what_moved(result, equations), what_was_missed(result.missed)})
    if (!note.empty()) prepared.notes.push_back(std::move(note));
  if (std::string remark = what_was_missed(missed_by_far(result)); !remark.empty())
    prepared.remarks.push_back(std::move(remark));
  if (prepared.from_equilibrium) come_to_rest(evaluator, prepared);
}

State zero_of(const Prepared& prepared) {
  State state = prepared.system->initial_state();
  prepared.system->start_states(prepared.parameters, state);
  return state;
}

// compile() assembled the start of the file's own values.
AssemblyResult assemble_model(const Prepared& prepared, SystemEvaluator& evaluator) {
  const std::vector<double>& own = prepared.system->equations().p_value;
  if (prepared.assembled && std::equal(own.begin(), own.end(), prepared.parameters.begin(), prepared.parameters.end()))
    return *prepared.assembled;
  return assemble(evaluator, zero_of(prepared));
}

}  // namespace

void assemble_start(Prepared& prepared, const std::optional<State>& from) {
  SystemEvaluator evaluator(prepared.system);
  assemble_start(prepared, evaluator, from);
}

void assemble_start(Prepared& prepared, SystemEvaluator& evaluator, const std::optional<State>& from) {
  evaluator.set_parameters(prepared.parameters);
  if (from) {
    prepared.start = *from;
    if (!correct(evaluator, prepared.start)) prepared.failure = "the given state is too far from closing the loops";
    return;
  }
  take_start(assemble_model(prepared, evaluator), evaluator, prepared);
}

void assemble_start(Prepared& prepared, SystemEvaluator& evaluator, KnownPositions& known) {
  take_start(known.assemble(evaluator, prepared.parameters), evaluator, prepared);
}

AssemblyPoses find_branches(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  AssemblyPoses poses = find_poses(evaluator, zero_of(prepared));
  for (State& branch : poses.states) unwrap_angles(evaluator, branch);
  return poses;
}

std::string what_was_searched(const AssemblyPoses& poses) {
  constexpr std::size_t most_listed = 10;
  std::vector<std::string> samples;
  for (std::size_t k = 0; k < poses.motions.size(); ++k)
    if (poses.motions[k] > 0) samples.push_back(std::to_string(k + 1));
  const std::string found =
      fmt::format("found {} from {}; a search does not prove that there are no others",
                  counted(static_cast<long>(poses.states.size()), "way"), counted(poses.guesses, "start"));
  if (samples.empty()) return found;
  const std::size_t count = samples.size(), listed = std::min(count, most_listed);
  const std::string where =
      count == poses.states.size()
          ? "each of them"
          : fmt::format("{} {}{}", count == 1 ? "branch" : "branches",
                        fmt::join(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(listed), ", "),
                        count > listed ? ", …" : "");
  const std::string held =
      poses.held.empty() ? "" : fmt::format(", all with {} as in branch 1", fmt::join(poses.held, ", "));
  return fmt::format("{}. The loops and the values that are kept leave a free motion of {} at {}: samples of it{}",
                     found, counted(*std::ranges::max_element(poses.motions), "dimension"), where, held);
}

std::vector<State> assembly_branches(const Prepared& prepared) { return find_branches(prepared).states; }

}  // namespace armature::internal
