#include "run/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/integrator.hpp"
#include "model/findings.hpp"
#include "prepare/tolerance.hpp"
#include "step/motion_limits.hpp"

namespace armature::internal {

namespace {

using Limits = step::MotionLimits;

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

void fail_for(const Finding& found, Outcome& outcome) {
  outcome.findings.push_back(found);
  if (outcome.status == RunStatus::failed) return;  // for a reason that came first
  outcome.sentence = fmt::format("{}, but {}", outcome.sentence, found.sentence);
  outcome.status = RunStatus::failed;
}

void judge_constraints(const Prepared& prepared, bool error_controlled, Outcome& outcome) {
  const ConstraintGap& gap = outcome.statistics.gap;
  const bool open = gap.share > Limits::loop_is_open;
  const bool drifts = error_controlled && gap.share > Limits::of_promise(prepared.options.rtol);
  if (!open && !drifts) return;
  const bool accepted = prepared.options.accept_drift;
  const std::string place = place_of(gap, prepared.system->equations()),
                    remedy = accepted ? "the run accepts it" : advice(prepared, error_controlled, gap.row);
  if (open && accepted)
    outcome.findings.push_back(finding<FindingCode::open_constraint>("place"_a = place));
  else if (open)
    fail_for(finding<FindingCode::constraint>("place"_a = place, "advice"_a = remedy), outcome);
  else
    outcome.findings.push_back(finding<FindingCode::drift>("place"_a = place, "advice"_a = remedy));
}

Finding out_of_balance(double error, double size) {
  return finding<FindingCode::energy>("error"_a = error, "size"_a = size);
}

Finding less_than_promised(double error, double size, const RunOptions& options) {
  const double share = error / size;
  return finding<FindingCode::accuracy>(
      "error"_a = error, "size"_a = size, "times"_a = share / options.rtol, "rtol"_a = options.rtol,
      "smaller"_a = std::max(options.rtol * Limits::promised * options.rtol / share, least_rtol),
      "otherwise"_a =
          options.integrator == step::accurate_method ? "" : fmt::format(", or integrator {}", step::accurate_method));
}

void judge_energy(const Prepared& prepared, bool error_controlled, Outcome& outcome, EnergyNoise& noise,
                  const LedgerSummedAnew& summed_anew) {
  const RunOptions& options = prepared.options;
  const double size = outcome.statistics.energy_size;
  const double share = error_controlled ? Limits::of_promise(options.rtol) : Limits::unbalanced;
  const double most = std::min(share, Limits::unbalanced) * size;
  double error = outcome.statistics.energy_error;
  if (!(size > 0) || error <= most || error <= noise.at(outcome.last)) return;
  if (error_controlled && summed_anew) error = std::min(error, summed_anew().value_or(error));
  if (error <= most) return;
  outcome.findings.push_back(error > Limits::unbalanced * size ? out_of_balance(error, size)
                                                               : less_than_promised(error, size, options));
}

// Energy that keeps the state on its constraints comes from nowhere: from a start or an event at which velocities had to jump, or
// from gains and steps that do not suit the motion.
void judge_stabilization(Outcome& outcome, EnergyNoise& noise) {
  const RunStatistics& found = outcome.statistics;
  if (!(found.stabilization_work > Limits::unbalanced * found.energy_size)) return;
  if (found.stabilization_work <= noise.at(outcome.last)) return;
  outcome.findings.push_back(
      finding<FindingCode::stabilization>("added"_a = found.stabilization_work, "size"_a = found.energy_size));
}

}  // namespace

void judge(const Prepared& prepared, bool error_controlled, Outcome& outcome, const LedgerSummedAnew& summed_anew) {
  EnergyNoise noise(prepared);
  judge(prepared, error_controlled, outcome, noise, summed_anew);
}

void judge(const Prepared& prepared, bool error_controlled, Outcome& outcome, EnergyNoise& noise,
           const LedgerSummedAnew& summed_anew) {
  judge_energy(prepared, error_controlled, outcome, noise, summed_anew);
  judge_stabilization(outcome, noise);
  judge_constraints(prepared, error_controlled, outcome);
}

}  // namespace armature::internal
