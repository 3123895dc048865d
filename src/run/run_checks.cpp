#include "run/run_checks.hpp"

#include <cmath>
#include <utility>

#include "expression/interruption.hpp"
#include "model/findings.hpp"
#include "run/judgement.hpp"
#include "run/ledger_review.hpp"
#include "run/passed_limits.hpp"
#include "run/step_limit.hpp"

namespace armature::internal {

RunChecks::RunChecks(const Prepared& prepared, Dynamics& dynamics, const Integrator& integrator, Warn warn)
    : prepared_(prepared),
      dynamics_(dynamics),
      integrator_(integrator),
      stiff_(prepared, integrator),
      beam_errors_(prepared.beams),
      crawl_(prepared.start.t),
      chatter_(prepared.start.t, prepared.options.end),
      warn_(std::move(warn)) {}

void RunChecks::look(const State& state, bool change, double pause, Outcome& outcome) {
  chatter_.look(state.t, change);
  beam_errors_.look(state.t, state.x);
  // another method takes the steps now
  if (!switched_ && stiff_.switched()) {
    switched_ = true;
    outcome.events.push_back({*stiff_.switched(), stiff_.switch_event()});
  }
  // the end is out of reach
  const RunOptions& options = prepared_.options;
  const double end = options.open_ended ? pause : options.end;
  if (std::isinf(end) || !crawl_.look(state.t, integrator_.statistics().steps, end, options.open_ended)) return;
  outcome.findings.push_back(stiff_.crawls(crawl_));
  if (warn_) warn_(outcome.findings.back().sentence);
}

std::string RunChecks::advice() const { return stiff_.now() ? stiff_.advice().sentence : ""; }

void RunChecks::judge(Outcome& outcome, bool repeatable) {
  append(beam_errors_.findings(), outcome.findings);
  if (!integrator_.error_controlled())
    append(passed_limits(prepared_.current_limits, outcome.peaks, prepared_.options), outcome.findings);
  const LedgerSummedAnew anew = [&] { return reviewed_energy_error(prepared_, outcome.last.t); };
  internal::judge(prepared_, integrator_.error_controlled(), outcome, repeatable ? anew : LedgerSummedAnew());
  // who stops a large model does not wait for its eigenvalues
  constexpr int large = 100;
  const bool no_time = outcome.status == RunStatus::stopped && prepared_.system->layout().nv > large && interrupted();
  if (outcome.status != RunStatus::failed && !no_time) judge_steps(outcome);
}

void RunChecks::judge_steps(Outcome& outcome) {
  std::optional<Finding> advice = step_limit_advice(prepared_, dynamics_, outcome);
  if (!advice && stiff_.mostly() && !crawl_.known()) advice = stiff_.advice();
  if (advice) outcome.findings.push_back(*std::move(advice));
}

}  // namespace armature::internal
