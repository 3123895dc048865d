#include "simulate/row_watcher.hpp"

#include <algorithm>

namespace armature {

void RowWatcher::begin(Dynamics& dynamics, const State& start) {
  dynamics_ = &dynamics;
  rows_.emplace(dynamics, recorder_,
                options_.integrator == "ida" ? Rows::Known::without_constraint_work : Rows::Known::all);
  rows_->begin(start);
  rows_->write(start.t, start.x);
  t_start_ = last_ = start.t;
  count_ = 1;
}

double RowWatcher::next_time() const {
  const double due = t_start_ + static_cast<double>(count_) * options_.record;
  return due > options_.end - 1e-9 * options_.record ? options_.end : due;
}

bool RowWatcher::step(const Integrator& integrator, double until) {
  for (double due = next_time(); due <= until + 1e-12 * options_.record && last_ < options_.end; due = next_time()) {
    integrator.interpolate(std::min(due, integrator.t()), row_);
    if (due < integrator.t() && options_.projection) dynamics_->project(due, row_.data(), nullptr);
    rows_->write(due, row_);
    last_ = due;
    ++count_;
  }
  return true;
}

void RowWatcher::report(RunStatistics& statistics) const { rows_->report(statistics); }

}  // namespace armature
