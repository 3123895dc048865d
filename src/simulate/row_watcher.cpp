#include "simulate/row_watcher.hpp"

#include <algorithm>

namespace armature {

void RowWatcher::begin(Dynamics& dynamics, const State& start) {
  dynamics_ = &dynamics;
  const Rows::Known known = options_.integrator == "ida" ? Rows::Known::without_constraint_work : Rows::Known::all;
  if (wanted_ == Thread::beside && RowThread::possible(options_, dynamics)) {
    beside_.emplace(prepared_, dynamics, recorder_, known);
  } else {
    rows_.emplace(dynamics, recorder_, known);
    rows_->begin(start);
  }
  x_ = start.x;
  write(start.t, false);
  if (beside_) beside_->start();
  t_start_ = last_ = start.t;
  count_ = 1;
}

double RowWatcher::next_time() const {
  const double due = t_start_ + static_cast<double>(count_) * options_.record;
  return due > options_.end - 1e-9 * options_.record ? options_.end : due;
}

bool RowWatcher::step(const Integrator& integrator, double until) {
  for (double due = next_time(); due <= until + 1e-12 * options_.record && last_ < options_.end; due = next_time()) {
    integrator.interpolate(std::min(due, integrator.t()), x_);
    write(due, due < integrator.t() && options_.projection);
    last_ = due;
    ++count_;
  }
  return true;
}

void RowWatcher::write(double t, bool project) {
  if (beside_) return beside_->add(t, x_, project);
  if (project) dynamics_->project(t, x_.data(), nullptr);
  rows_->write(t, x_);
}

void RowWatcher::report(RunStatistics& statistics) {
  if (beside_)
    beside_->finish(statistics);
  else
    rows_->report(statistics);
}

}  // namespace armature
