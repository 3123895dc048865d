#include "observe/observation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/integrator.hpp"

namespace armature::internal {

namespace {

// Such a method does not know the work of constraints, and decides on rank for itself.
bool solves_dae(const Prepared& prepared) { return method_of(prepared.options.integrator).own_dae; }

}  // namespace

Observation::Observation(const Prepared& prepared, Dynamics& dynamics, Recorder& recorder, Lists lists)
    : prepared_(prepared),
      options_(prepared.options),
      dynamics_(dynamics),
      rows_(dynamics, recorder,
            solves_dae(prepared) ? RecordedRows::Known::without_constraint_work : RecordedRows::Known::all),
      checks_(prepared),
      slope_check_(prepared, dynamics),
      crossings_(dynamics),
      peaks_(dynamics),
      rank_dips_(dynamics),
      lists_crossings_(lists == Lists::all && crossings_.any()),
      lists_peaks_(lists != Lists::none && peaks_.any()),
      lists_rank_(lists == Lists::all && rank_dips_.any() && !solves_dae(prepared)) {}

void Observation::begin(const State& start) {
  if (lists_crossings_) crossings_.begin(start.t, start.x);
  if (lists_peaks_) peaks_.begin(start.t, start.x);
  rows_.begin(start);
  rows_.write(start.t, start.x);
  checks_.begin(prepared_, dynamics_, start);
  t_start_ = last_ = start.t;
  count_ = 1;
}

void Observation::see(const Step& step, double until, double pivot, bool anew) {
  if (anew) peaks_.restart();
  write_rows(step, until);
  checks_.pass(step, until);
  if (lists_crossings_) crossings_.find(step, until, events_);
  if (lists_peaks_) peaks_.find(step, until);
  if (lists_rank_) rank_dips_.find(step, until, pivot);
}

double Observation::next_time() const {
  const double due = t_start_ + static_cast<double>(count_) * options_.record;
  const double end = options_.last_time();
  constexpr double at_end = 1e-9;  // of the distance of rows: a row so near to the end is the last
  return due > end - at_end * options_.record ? end : due;
}

void Observation::write_rows(const Step& step, double until) {
  constexpr double at_row = 1e-12;  // of the distance of rows
  slope_check_.begin_step(step);
  for (double due = next_time(); due <= until + at_row * options_.record && last_ < options_.last_time();
       due = next_time()) {
    if (gives_up()) return;
    step.interpolate(std::min(due, step.t()), x_);
    if (due < step.t() && options_.projection) dynamics_.project_if_possible(due, x_.data());
    if (rows_.write(due, x_)) slope_check_.look(due, x_);
    checks_.look(due, x_, rows_.terms(), rows_.values());
    last_ = due;
    ++count_;
  }
}

// A step may hold millions of rows.
bool Observation::gives_up() { return gave_up_ = moment_.is_over(); }

void Observation::report(Outcome& outcome) {
  if (gave_up_ && outcome.status == RunStatus::finished) {
    outcome.status = RunStatus::stopped;
    outcome.sentence = fmt::format("stopped at t = {:.6g} s of {:g} s", last_, options_.end);
  }
  rows_.report(outcome.statistics);
  checks_.report(outcome);
  slope_check_.report(outcome);
  outcome.events = merged(std::move(events_), std::move(outcome.events));
  outcome.peaks = peaks_.peaks();
  outcome.statistics.take_rank(rank_dips_.smallest_rank());
}

}  // namespace armature::internal
