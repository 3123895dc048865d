// The start of a run: assembled, with the outcomes of comparisons set and angles of cut joints unwrapped; and its branches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/assembly.hpp"
#include "dynamics/outcomes_by_roots.hpp"
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

// The largest ways first, no more than a few.
std::string list_of(std::vector<OpenCondition> ways) {
  constexpr std::size_t most = 4;
  std::stable_sort(ways.begin(), ways.end(),
                   [](const auto& a, const auto& b) { return std::abs(a.gap) > std::abs(b.gap); });
  std::string text;
  for (std::size_t k = 0; k < std::min(most, ways.size()); ++k)
    text += fmt::format("{}{} by {:.3g}{}{}", k == 0 ? "" : ", ", ways[k].name, ways[k].gap,
                        ways[k].unit.empty() ? "" : " ", ways[k].unit);
  return ways.size() > most ? fmt::format("{} and {} more", text, ways.size() - most) : text;
}

// What moved in assembly, counted from what the file says: from the named value, or from zero.
std::string what_moved(const AssemblyResult& result, const Equations& equations) {
  constexpr double noticeable = 1e-9;  // rad, or share of the machine's length: a motion that is reported
  std::vector<OpenCondition> moved;
  for (Eigen::Index i = 0; i < result.moved.size(); ++i) {
    const Coordinate& coordinate = equations.positions[i];
    const bool is_length = coordinate.kind == Coordinate::Kind::length;
    if (std::abs(result.moved[i]) >= noticeable * (is_length ? result.length : 1))
      moved.push_back({coordinate.name, result.moved[i], coordinate.unit, false, {}});
  }
  return moved.empty() ? "" : fmt::format("{}, assembly moved {}", purpose(equations), list_of(moved));
}

std::string what_was_missed(const AssemblyResult& result) {
  if (result.missed.empty()) return "";
  return fmt::format("the loops do not allow all values in near; the nearest start misses {}", list_of(result.missed));
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
  for (std::string note : {what_moved(result, prepared.system->equations()), what_was_missed(result)})
    if (!note.empty()) prepared.notes.push_back(std::move(note));
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

std::vector<State> assembly_branches(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  std::vector<State> branches = assemble_all(evaluator, zero_of(prepared));
  for (State& branch : branches) unwrap_angles(evaluator, branch);
  return branches;
}

}  // namespace armature::internal
