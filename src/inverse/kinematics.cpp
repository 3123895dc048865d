#include "inverse/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>

#include "dynamics/outcomes_by_roots.hpp"
#include "inverse/pose_continuation.hpp"
#include "observe/recorded_rows.hpp"
#include "prepare/setup.hpp"

namespace armature::internal {

Model driven(Model model, const std::string& name, const std::string& formula) {
  const std::string text = fmt::format("{} - ({})", name, formula);
  PrescribedConstraint drive{"--move " + name, {}, "prescribed", {}};
  try {
    parse_formula(formula, {});  // whose sentence is about what was typed
    drive.zero = parse_formula(text, {});
  } catch (const FormulaError& error) {
    throw ModelError(model, {{{}, "--move " + name, error.what()}});
  }
  model.prescribed.push_back(drive);
  // the drive decides: what the file keeps of this coordinate becomes a guess
  const auto same = [&](const StartEntry& entry) { return entry.name == name; };
  std::ranges::copy_if(model.start.keep, std::back_inserter(model.start.near), same);
  std::erase_if(model.start.keep, same);
  std::erase_if(model.start.speed_keep, same);
  return model;
}

namespace {

// "A = 1.0947 rad, B = …": the first coordinates of a pose.
std::string pose_text(const Eigen::VectorXd& x, const Equations& equations) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, equations.positions.size()); ++i)
    text += fmt::format("{}{} = {:.6g} {}", i ? ", " : "", equations.positions[i].name, x[static_cast<Eigen::Index>(i)],
                        equations.positions[i].unit);
  return equations.positions.size() > most ? text + ", …" : text;
}

// The first constraint, which a prescribed motion is too, that has no finite value or rate at this time; empty: all have.
std::string constraint_without_value(SystemEvaluator& evaluator, const State& pose, double t) {
  SparseTerms terms = evaluator.make_sparse_terms();
  State there = pose;
  there.t = t;
  evaluator.set(t, there.x.data());
  set_outcomes_by_roots(evaluator, there);
  evaluator.motion(terms);
  for (Eigen::Index i = 0; i < terms.phi.size(); ++i)
    if (!std::isfinite(terms.phi[i]) || !std::isfinite(terms.phidot[i]))
      return evaluator.system().equations().rows[static_cast<std::size_t>(i)].name;
  return "";
}

}  // namespace

Outcome move(const Prepared& prepared, Recorder& recorder, const Progress& progress) {
  const RunOptions& options = prepared.options;
  auto dynamics = make_dynamics(prepared);
  SystemEvaluator& evaluator = dynamics->evaluator();
  RecordedRows rows(*dynamics, recorder, RecordedRows::Known::positions);
  PoseContinuation poses(evaluator, prepared.start);
  ConstraintGaps gaps(prepared.system->equations());
  rows.begin(prepared.start);
  Outcome outcome;
  const auto began = std::chrono::steady_clock::now();
  auto end = [&](RunStatus status, std::string sentence) {
    outcome.status = status;
    outcome.sentence = std::move(sentence);
    outcome.last = poses.state();
    outcome.findings = poses.choices();
    outcome.statistics.constraints = prepared.system->layout().m;
    outcome.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    rows.report(outcome.statistics);
    outcome.statistics.gap = gaps.worst();
    return outcome;
  };
  // Rows at equal distances; the last one at the end itself.
  const long count = std::max(1L, std::lround((options.end - prepared.start.t) / options.record));
  for (long k = 0; k <= count; ++k) {
    const double t = k == count ? options.end : prepared.start.t + double(k) * options.record;
    if (!poses.advance(t)) {
      if (const std::string name = constraint_without_value(evaluator, poses.state(), t); !name.empty())
        return end(
            RunStatus::failed,
            fmt::format("the prescribed motion has no finite value or rate at t = {:.10g} s ({}); end before that "
                        "time, or change its formula",
                        t, name));
      const std::string loop = poses.open_loop(t);
      return end(
          RunStatus::failed,
          fmt::format("the prescribed motion cannot be followed past t = {:.10g} s: {} there ({})", poses.state().t,
                      loop.empty() ? "the mechanism does not reach further" : "loop '" + loop + "' cannot close",
                      pose_text(poses.state().x, prepared.system->equations())));
    }
    dynamics->set_state(poses.state());
    rows.write(t, poses.state().x);
    if (rows.terms().phi.size() > 0) gaps.look(t, poses.state().x.data(), rows.terms());
    if (progress && !progress(t, k)) return end(RunStatus::stopped, fmt::format("stopped at t = {:.6g} s", t));
  }
  return end(RunStatus::finished, fmt::format("reached t = {:g} s", options.end));
}

}  // namespace armature::internal
