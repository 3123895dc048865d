// The start of a run: assembled, with the modes of comparisons set and angles of cut joints unwrapped; and its branches.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/assembly.hpp"
#include "simulate/known_positions.hpp"
#include "simulate/prepare.hpp"

namespace armature {

namespace {

// What assembly had to satisfy: loops, motions prescribed, or both.
std::string purpose(const Equations& equations) {
  const auto prescribed =
      std::count_if(equations.rows.begin(), equations.rows.end(), [](const ConstraintRow& row) { return row.effort; });
  if (prescribed == 0) return "to close the loops";
  return prescribed < static_cast<std::ptrdiff_t>(equations.rows.size())
             ? "to close the loops and follow the prescribed motion"
             : "to follow the prescribed motion";
}

// What moved in assembly, for the user: the largest ways first, no more than a few.
std::string what_moved(const AssemblyResult& result, const Equations& equations) {
  std::vector<int> order(result.moved.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(result.moved[a]) > std::abs(result.moved[b]); });
  std::string text;
  int named = 0, more = 0;
  for (int i : order) {
    if (std::abs(result.moved[i]) < 1e-9) break;
    if (named == 4) {
      ++more;
      continue;
    }
    ++named;
    const Coordinate& coordinate = equations.positions[i];
    text += fmt::format("{}{} by {:.3g} {}", named == 1 ? "" : ", ", coordinate.name, result.moved[i], coordinate.unit);
  }
  if (named == 0) return "";
  return fmt::format("{}, assembly moved {}{}", purpose(equations), text,
                     more ? fmt::format(" and {} more", more) : "");
}

void unwrap_angles(SystemEvaluator& evaluator, State& state) {
  evaluator.set(state.t, state.x.data());
  evaluator.set_discrete(state.d);
  evaluator.next_discrete(state.d);
}

void take_start(const AssemblyResult& result, SystemEvaluator& evaluator, Prepared& prepared) {
  prepared.start = result.state;
  if (!result.success) {
    prepared.failure = result.sentence;
    return;
  }
  unwrap_angles(evaluator, prepared.start);
  if (std::string note = what_moved(result, prepared.system->equations()); !note.empty())
    prepared.notes.push_back(std::move(note));
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
  take_start(assemble(evaluator, prepared.system->initial_state()), evaluator, prepared);
}

void assemble_start(Prepared& prepared, SystemEvaluator& evaluator, KnownPositions& known) {
  take_start(known.assemble(evaluator, prepared.parameters), evaluator, prepared);
}

std::vector<State> assembly_branches(const Prepared& prepared) {
  SystemEvaluator evaluator(prepared.system);
  evaluator.set_parameters(prepared.parameters);
  std::vector<State> branches = assemble_all(evaluator, prepared.system->initial_state());
  for (State& branch : branches) unwrap_angles(evaluator, branch);
  return branches;
}

}  // namespace armature
