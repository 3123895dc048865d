#include "integrate/fixed_step_lanes.hpp"

namespace armature {

FixedStepLanes::FixedStepLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense)
    : LaneIntegrator(tableau, ode, false), step_(options.step), dense_(dense) {}

void FixedStepLanes::restarted(int k) { grids_[static_cast<std::size_t>(k)] = {t_[k], step_, 0}; }

LaneIntegrator::Tried FixedStepLanes::attempt(LaneMask lanes, const LaneRow& t_stop) {
  LaneMask on_grid = 0;
  for_each_lane(lanes, [&](int k) {
    bool on = false;
    t1_[k] = grids_[static_cast<std::size_t>(k)].next(t_stop[k], on);
    h_[k] = t1_[k] - t_[k];
    on_grid |= static_cast<LaneMask>(on) << k;
    at(k).count().evaluations += method_.tableau().stages();
    ++at(k).count().projections;
  });
  LaneMask going = begin_steps(lanes);
  going = method_.advance(going, t_, h_, x_.data(), x1_.data());
  LaneMask failed = fail(lanes & ~going, StepStatus::not_finite, t_);
  const LaneMask back = going ? ode_.project(going, t1_, x1_.data(), nullptr) : 0;
  failed |= fail(going & ~back, StepStatus::projection_failed, t1_);
  for_each_lane(back, [&](int k) {
    take(k, t1_[k], x1_.data(), h_[k]);
    grids_[static_cast<std::size_t>(k)].index += has(on_grid, k);
  });
  if (dense_) {
    has_end_ |= method_.finish(back, t_, x_.data());
    linear_ = (linear_ & ~back) | (back & ~has_end_);
    make_dense(back & has_end_);
  }
  return {back, failed};
}

// f where the steps begin; the lanes in which it is known.
LaneMask FixedStepLanes::begin_steps(LaneMask lanes) {
  if (const LaneMask open = lanes & ~has_end_; open) has_end_ |= method_.finish(open, t_, x_.data());
  const LaneMask going = lanes & has_end_;
  method_.shift(going);
  has_end_ &= ~lanes;
  return going;
}

LaneMask FixedStepLanes::fail(LaneMask lanes, StepStatus reason, const LaneRow& t) {
  for_each_lane(lanes, [&](int k) { at(k).fail(reason, fixed_step_failure(reason, t[k], step_)); });
  return lanes;
}

}  // namespace armature
