#include "run/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/integrator.hpp"
#include "prepare/tolerance.hpp"
#include "run/energy_noise.hpp"

namespace armature::internal {

namespace {

// A gap beyond this share of the machine's size is no small error of a closed loop any more: an arm of 1 m misses its bearing by
// 1 mm, which is more than the play of any bearing. Whatever chose the steps or the stabilization, the motion is another machine's.
constexpr double loop_is_open = 1e-3;

// Shares of the energy in motion.
constexpr double unbalanced = 0.01;
constexpr double promised = 100;     // rtol: see judgement.hpp
constexpr double round_off = 1e-10;  // what long motions lose at the smallest tolerances

std::string length_or_angle(double gap, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.2g}", gap) : fmt::format("{:.2g} {}", gap, unit);
}

// "C (translation along x) by 0.6 m at t = 1.57 s, 0.4 of the machine's size"
std::string place_of(const ConstraintGap& gap, const Equations& equations) {
  const ConstraintRow& row = equations.rows[static_cast<std::size_t>(gap.row)];
  return fmt::format("{}{} by {} at t = {:.6g} s, which is {:.2g} of the size of its constraint", row.owner,
                     row.direction.empty() ? "" : fmt::format(" ({})", row.direction),
                     length_or_angle(gap.gap, row.unit), gap.t, gap.share);
}

std::string advice(const Prepared& prepared, bool error_controlled, int row) {
  const std::vector<int>& used = prepared.system->options().independent_rows;
  if (!std::ranges::binary_search(used, row))
    return "this constraint was treated as redundant, but the mechanism can move to poses where it is not; start from "
           "another pose";
  const char* smaller = error_controlled ? "a smaller tolerance" : "a smaller step";
  return fmt::format("use {}{}", prepared.options.projection ? "" : "stabilization: projection, or ", smaller);
}

void fail_for(std::string sentence, Outcome& outcome) {
  outcome.findings.push_back({"constraint", sentence});
  outcome.sentence = fmt::format("{}, but {}", outcome.sentence, sentence);
  outcome.status = RunStatus::failed;
}

void judge_constraints(const Prepared& prepared, bool error_controlled, Outcome& outcome) {
  const ConstraintGap& gap = outcome.statistics.gap;
  const bool open = gap.share > loop_is_open;
  const bool drifts = error_controlled && gap.share > std::max(promised * prepared.options.rtol, round_off);
  if (!open && !drifts) return;
  std::string sentence =
      fmt::format("{}: {}; {}", open ? "the constraints are violated" : "the constraints drift",
                  place_of(gap, prepared.system->equations()), advice(prepared, error_controlled, gap.row));
  if (open && outcome.status != RunStatus::failed)
    fail_for(std::move(sentence), outcome);
  else
    add_finding("constraint", std::move(sentence), outcome);
}

std::string out_of_balance(const RunStatistics& found) {
  return fmt::format(
      "the energy balance is off by {:.2g} J of {:.2g} J; do not trust the motion. Try a smaller tolerance or step",
      found.energy_error, found.energy_size);
}

std::string less_than_promised(const RunStatistics& found, const RunOptions& options) {
  const double share = found.energy_error / found.energy_size;
  return fmt::format(
      "the motion is less accurate than its tolerance promises: the energy is off by {:.2g} J of {:.2g} J, {:.2g} "
      "times rtol "
      "({:g}). Try rtol {:.0e}{}",
      found.energy_error, found.energy_size, share / options.rtol, options.rtol,
      std::max(options.rtol * promised * options.rtol / share, least_rtol),
      options.integrator == step::accurate_method ? "" : fmt::format(", or integrator {}", step::accurate_method));
}

void judge_energy(const Prepared& prepared, bool error_controlled, Outcome& outcome) {
  const RunStatistics& found = outcome.statistics;
  const RunOptions& options = prepared.options;
  const double share = found.energy_size > 0 ? found.energy_error / found.energy_size : 0;
  const bool wrong = share > unbalanced;
  const bool inaccurate = error_controlled && share > std::max(promised * options.rtol, round_off);
  if ((!wrong && !inaccurate) || found.energy_error <= energy_noise(prepared, outcome.last)) return;
  add_finding("energy", wrong ? out_of_balance(found) : less_than_promised(found, options), outcome);
}

// Energy that keeps the state on its constraints comes from nowhere: from a start or an event at which velocities had to jump, or
// from gains and steps that do not suit the motion.
void judge_stabilization(const Prepared& prepared, Outcome& outcome) {
  const RunStatistics& found = outcome.statistics;
  if (!(found.stabilization_work > unbalanced * found.energy_size)) return;
  if (found.stabilization_work <= energy_noise(prepared, outcome.last)) return;
  add_finding(
      "energy",
      fmt::format(
          "stabilization adds or removes {:.2g} J of {:.2g} J (work.stabilization): velocities had to jump onto "
          "the constraints. Try a smaller tolerance or step, or a start away from singular poses",
          found.stabilization_work, found.energy_size),
      outcome);
}

}  // namespace

void add_finding(std::string code, std::string sentence, Outcome& outcome) {
  outcome.warnings.push_back(sentence);
  outcome.findings.push_back({std::move(code), std::move(sentence)});
}

void judge(const Prepared& prepared, bool error_controlled, Outcome& outcome) {
  judge_energy(prepared, error_controlled, outcome);
  judge_stabilization(prepared, outcome);
  judge_constraints(prepared, error_controlled, outcome);
}

}  // namespace armature::internal
