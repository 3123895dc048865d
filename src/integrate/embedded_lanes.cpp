#include "integrate/embedded_lanes.hpp"

#include <cassert>
#include <cmath>

namespace armature {

EmbeddedLanes::EmbeddedLanes(const Tableau& tableau, LaneOde& ode, const IntegratorOptions& options, bool dense)
    : LaneIntegrator(tableau, ode, true),
      tolerance_{options.rtol, options.atol},
      options_(options),
      dense_(dense),
      controls_(lane_count, StepControl(tableau.error_order, options.max_step)),
      stiffness_(lane_count, StiffnessTest(tableau)),
      error_(x_.size()),
      work_(x_.size()),
      slope_(n_) {
  assert(tableau.E.rows() > 0 && options.atol.size() == n_);
  alone_.fill(Eigen::VectorXd(n_));
}

void EmbeddedLanes::begun(int k) {
  controls_[static_cast<std::size_t>(k)] = StepControl(method_.tableau().error_order, options_.max_step);
  stiffness_[static_cast<std::size_t>(k)] = StiffnessTest(method_.tableau());
  if (options_.first_step > 0) control(k).set_length(options_.first_step);
}

void EmbeddedLanes::restarted(int k) {
  stepping_ &= ~(1u << k);
  control(k).forget_history();
}

LaneIntegrator::Tried EmbeddedLanes::attempt(LaneMask lanes, const LaneRow& t_stop) {
  Tried tried;
  const LaneMask going = begin_steps(lanes, t_stop);
  tried.failed = lanes & ~going;
  take_stages(going);
  for_each_lane(going, [&](int k) {
    if (status_[static_cast<std::size_t>(k)] != StepStatus::ok) return reject(k);
    if (stiffness_[static_cast<std::size_t>(k)].due()) look_for_stiffness(k);
    control(k).accept(h_[k], error_norm_[k]);
    take(k, t1_[k], x1_.data(), h_[k]);
    tried.stepped |= 1u << k;
  });
  has_end_ |= tried.stepped;
  stepping_ &= ~tried.stepped;
  if (dense_) make_dense(tried.stepped);
  return tried;
}

// Lanes with a step to try, its length chosen; the others cannot go on.
LaneMask EmbeddedLanes::begin_steps(LaneMask lanes, const LaneRow& t_stop) {
  LaneMask going = lanes;
  for_each_lane(lanes & ~stepping_ & ~has_end_, [&](int k) {
    ++at(k).count().evaluations;
    if (method_.finish(k, t_[k], at(k).x().data())) return;
    at(k).fail(StepStatus::not_finite);
    going &= ~(1u << k);
  });
  const LaneMask fresh = going & ~stepping_;
  if (fresh) method_.shift(fresh);
  stepping_ |= fresh;
  has_end_ &= ~fresh;
  for_each_lane(going, [&](int k) {
    if (has(fresh, k)) status_[static_cast<std::size_t>(k)] = StepStatus::step_too_small;
    if (!choose_length(k, t_stop[k])) going &= ~(1u << k);
  });
  return going;
}

bool EmbeddedLanes::choose_length(int k, double t_stop) {
  if (!control(k).has_length()) control(k).set_length(starting_length(k, t_stop));
  if (!(control(k).length() >= smallest_step_length(t_[k], t_stop))) {
    control(k).set_length(0);
    at(k).fail(status_[static_cast<std::size_t>(k)]);
    return false;
  }
  h_[k] = control(k).towards(t_stop - t_[k]);
  t1_[k] = h_[k] == t_stop - t_[k] ? t_stop : t_[k] + h_[k];
  return true;
}

void EmbeddedLanes::refuse(LaneMask lanes, StepStatus reason) {
  for_each_lane(lanes, [&](int k) { status_[static_cast<std::size_t>(k)] = reason; });
}

void EmbeddedLanes::take_stages(LaneMask lanes) {
  if (!lanes) return;
  refuse(lanes, StepStatus::not_finite);
  lanes = method_.advance(lanes, t_, h_, x_.data(), x1_.data());
  for_each_lane(lanes, [&](int k) { at(k).count().evaluations += method_.tableau().stages() - 1; });
  const LaneOde::Finish done = finish_and_return(lanes);
  const LaneMask finished = done.any();
  judge(done);
  const LaneRow known = error_norm_;
  if (lanes & ~finished) end_steps(lanes & ~finished);
  for_each_lane(finished, [&](int k) { error_norm_[k] = known[k]; });
}

LaneOde::Finish EmbeddedLanes::finish_and_return(LaneMask lanes) {
  method_.estimate_without_end(0, h_, error_.data());
  if (method_.tableau().E.rows() > 1) weigh_estimates();
  work_ = x1_;
  const LaneOde::Finish done = method_.finish_and_return(lanes, t1_, h_, x1_.data(), error_.data());
  for_each_lane(done.any(), [&](int k) { ++at(k).count().evaluations, ++at(k).count().projections; });
  return done;
}

void EmbeddedLanes::judge(const LaneOde::Finish& finished) {
  const LaneMask lanes = finished.any();
  if (!lanes) return;
  LaneRow way;
  norm(error_, error_norm_);
  if (finished.all_before) {
    for (std::size_t i = 0; i < work_.size(); ++i)
      for (int k = 0; k < lane_count; ++k) work_[i][k] -= x1_[i][k];
    norm(work_, way);
  }
  LaneMask open = 0;
  for_each_lane(lanes, [&](int k) {
    const bool accepted = !(error_norm_[k] > 1);
    status_[static_cast<std::size_t>(k)] = accepted ? StepStatus::ok : StepStatus::step_too_small;
    const bool known = has(finished.all, k) || (has(finished.all_before, k) && way[k] <= short_way);
    if (accepted && !known) open |= 1u << k;
  });
  if (!open) return;
  for_each_lane(open, [&](int k) { ++at(k).count().evaluations; });
  refuse(open & ~method_.finish(open, t1_, x1_.data()), StepStatus::not_finite);
}

void EmbeddedLanes::end_steps(LaneMask lanes) {
  lanes = estimate_errors(lanes);
  refuse(lanes, StepStatus::step_too_small);
  for_each_lane(lanes, [&](int k) {
    if (!(error_norm_[k] <= hopeless_error(tolerance_.rtol))) lanes &= ~(1u << k);
  });
  if (lanes) lanes = return_to_manifold(lanes);
  refuse(lanes, StepStatus::ok);
}

LaneMask EmbeddedLanes::estimate_errors(LaneMask lanes) {
  const Tableau& tableau = method_.tableau();
  if (tableau.error_needs_end()) {
    for_each_lane(lanes, [&](int k) { ++at(k).count().evaluations; });
    lanes = method_.finish(lanes, t1_, x1_.data());
  }
  method_.estimate(0, h_, error_.data());
  if (tableau.E.rows() > 1)
    weigh_estimates();
  else
    norm(error_, error_norm_);
  return lanes;
}

void EmbeddedLanes::norm(const std::vector<LaneRow>& error, LaneRow& result) const {
  lane_kernels::error_norm(n_, tolerance_.rtol, tolerance_.atol.data(), error.data(), x_.data(), x1_.data(), result);
}

void EmbeddedLanes::weigh_estimates() {
  LaneRow second, ratio;
  norm(error_, error_norm_);
  method_.estimate(1, h_, work_.data());
  norm(work_, second);
  for (int k = 0; k < lane_count; ++k) {
    const bool plain = error_norm_[k] == 0 || !std::isfinite(error_norm_[k]);
    ratio[k] = plain ? 1 : error_norm_[k] / std::hypot(error_norm_[k], 0.1 * second[k]);
    error_norm_[k] *= ratio[k];
  }
  lane_kernels::scale(n_, ratio, error_.data());
}

LaneMask EmbeddedLanes::return_to_manifold(LaneMask lanes) {
  work_ = x1_;
  for_each_lane(lanes, [&](int k) { ++at(k).count().projections; });
  const LaneMask back = ode_.project(lanes, t1_, x1_.data(), error_.data());
  refuse(lanes & ~back, StepStatus::projection_failed);
  LaneRow tangent;  // a lane that was given up before keeps the norm it was given up with
  norm(error_, tangent);
  LaneMask accepted = back;
  for_each_lane(back, [&](int k) {
    error_norm_[k] = tangent[k];
    if (tangent[k] > 1) accepted &= ~(1u << k);
  });
  const LaneMask moved = accepted & lane_kernels::different(n_, work_.data(), x1_.data());
  const LaneMask open = method_.tableau().error_needs_end() ? moved : accepted;
  if (!open) return accepted;
  for_each_lane(open, [&](int k) { ++at(k).count().evaluations; });
  const LaneMask finished = method_.finish(open, t1_, x1_.data());
  refuse(open & ~finished, StepStatus::not_finite);
  return (accepted & ~open) | finished;
}

void EmbeddedLanes::look_for_stiffness(int k) {
  auto& [x1, of_slope, of_x] = alone_;
  for (int e = 0; e < n_; ++e) {
    x1[e] = x1_[static_cast<std::size_t>(e)][k];
    of_slope[e] = method_.last()[e][k] - method_.last_stage()[e][k];
    of_x[e] = x1[e] - method_.last_stage_x()[e][k];
  }
  stiffness_[static_cast<std::size_t>(k)].look(h_[k], tolerance_, of_slope, of_x, x1);
}

void EmbeddedLanes::reject(int k) {
  ++at(k).count().rejected;
  if (status_[static_cast<std::size_t>(k)] == StepStatus::step_too_small && std::isfinite(error_norm_[k]))
    control(k).reject(h_[k], error_norm_[k]);
  else
    control(k).fail(h_[k]);
}

// Once a run, by the lane alone.
double EmbeddedLanes::starting_length(int k, double t_stop) {
  for (int e = 0; e < n_; ++e) slope_[e] = method_.first()[e][k];
  const auto f = [&](double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot) {
    ++at(k).count().evaluations;
    return ode_.derivative(k, t, x.data(), xdot.data());
  };
  return starting_step_length(t_[k], t_stop, at(k).x(), slope_, tolerance_, method_.tableau().error_order, f);
}

}  // namespace armature
