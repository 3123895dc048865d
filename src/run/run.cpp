#include "run/run.hpp"

#include <fmt/format.h>

#include "expression/interruption.hpp"
#include "run/diagnose.hpp"
#include "step/advance.hpp"

namespace armature::internal {

Run::Run(const Prepared& prepared, StepWatcher& watcher, Dynamics& dynamics, Integrator& integrator, Index2* index2,
         Warn warn, std::shared_ptr<const WatchedTerms> terms)
    : prepared_(prepared),
      dynamics_(dynamics),
      integrator_(integrator),
      index2_(index2),
      watcher_(watcher),
      motion_(prepared, watcher, dynamics, integrator, index2, std::move(warn), std::move(terms)) {}

void Run::begin() {
  began_ = std::chrono::steady_clock::now();
  motion_.begin();
}

double Run::set_parameters(const Eigen::VectorXd& parameters) {
  const double before = stored_energy();
  motion_.change_held([&] {
    dynamics_.evaluator().set_parameters(parameters);
    if (index2_) index2_->set_parameters(parameters);
  });
  const double work = stored_energy() - before;
  watcher_.receive(work);
  return work;
}

double Run::stored_energy() {
  dynamics_.evaluator().set(state().t, state().x.data());
  dynamics_.evaluator().set_outcomes(dynamics_.weights());
  return dynamics_.evaluator().energy();
}

std::optional<Outcome> Run::step(const Progress& progress) {
  if (std::optional<Outcome> outcome = end_if_broken()) return outcome;
  // the index-2 form holds outcomes as they are: it cannot find the weight of one that slides
  if (index2_ && motion_.changes().comparisons().sliding())
    return end(RunStatus::failed,
               fmt::format("at t = {:.10g} s friction or a comparison sticks, which ida cannot handle; "
                           "use dopri5 or cvode_bdf",
                           t()));
  step::Tried<1> tried;
  do tried = step::advance<1>(motion_, true);
  while (!tried.stepped && !tried.failed);
  if (tried.failed) return fail(motion_.last().status);
  return conclude(progress);
}

// ---- how it ends

std::optional<Outcome> Run::end_if_broken() {
  const std::string& broken = motion_.changes().broken();
  return broken.empty() ? std::nullopt : std::optional(end(RunStatus::failed, broken));
}

std::optional<Outcome> Run::conclude(const Progress& progress) {
  if (std::optional<Outcome> outcome = end_if_broken()) return outcome;
  if (motion_.checks().endless()) return end(RunStatus::failed, motion_.changes().endless());
  if (motion_.last().enough) return end(RunStatus::finished, fmt::format("all results are known at t = {:g} s", t()));
  if (progress && !progress(t(), integrator_.statistics().steps)) return end_stopped();
  if (t() < prepared_.options.last_time()) return std::nullopt;
  return end(RunStatus::finished, fmt::format("reached t = {:g} s", prepared_.options.end));
}

Outcome Run::end_stopped() {
  const RunOptions& options = prepared_.options;
  return end(RunStatus::stopped, options.open_ended
                                     ? fmt::format("stopped at t = {:.6g} s", t())
                                     : fmt::format("stopped at t = {:.6g} s of {:g} s", t(), options.end));
}

// A large model is not evaluated any more where the run is stopped.
Outcome Run::fail(StepStatus status) {
  if (interrupted()) return end_stopped();
  std::string why = why_step_failed(status, integrator_, dynamics_, state(), prepared_.file, index2_ != nullptr);
  if (const std::string advice = motion_.checks().advice(); !advice.empty()) why += "; " + advice;
  return end(RunStatus::failed, std::move(why));
}

Outcome Run::end(RunStatus status, std::string sentence) {
  Outcome& outcome = motion_.outcome();
  outcome.status = status;
  outcome.sentence = std::move(sentence);
  outcome.last = state();
  const auto& counts = dynamics_.statistics();
  outcome.statistics.integrator = integrator_.statistics();
  outcome.statistics.near_singular = counts.near_singular;
  outcome.statistics.smallest_rank = counts.smallest_rank;
  outcome.statistics.constraints = prepared_.system->layout().m;
  watcher_.report(outcome);
  outcome.statistics.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  append(laws_met(), outcome.findings);
  motion_.report(outcome);
  motion_.checks().judge(outcome, !motion_.has_host());
  return std::move(outcome);
}

}  // namespace armature::internal
