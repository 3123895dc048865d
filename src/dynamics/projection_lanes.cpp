#include "dynamics/projection_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/pivot_lanes.hpp"
#include "dynamics/projection.hpp"
#include "integrate/lane_kernels.hpp"

namespace armature {

namespace {

constexpr LaneRow ones{{1, 1, 1, 1, 1, 1, 1, 1}};

}  // namespace

ProjectionLanes::ProjectionLanes(SystemLanes& system)
    : system_(system),
      configuration_(system.system().equations()),
      nq_(configuration_.nq()),
      nv_(configuration_.nv()),
      nz_(system.system().layout().nz),
      m_(static_cast<int>(system.system().options().independent_rows.size())),
      quaternions_(!system.system().equations().quaternions.empty()),
      counts_work_(system.system().equations().stabilization_work >= 0),
      moved_(static_cast<std::size_t>(system.system().layout().nx())),
      position_error_(static_cast<std::size_t>(nv_)),
      one_x_(moved_.size()),
      one_dv_(position_error_.size()),
      one_rate_(static_cast<std::size_t>(nq_)) {}

LaneMask ProjectionLanes::read(const LaneRow* step, const LaneRow* residual, const PivotsView<lane_count>& pivots) {
  lane_kernels::largest(m_, residual, error_);
  const LaneMask positive = pivot_ratios(nv_, m_, pivots, ratio_);
  return positive & lane_kernels::finite(nv_, step);
}

LaneMask ProjectionLanes::project(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x,
                                  LaneRow* error) {
  lanes = position(lanes, t, row_size, x);
  return lanes ? velocity(lanes, t, row_size, x, error) : 0;
}

void ProjectionLanes::typical_size(const LaneRow& row_size, const LaneRow* x, LaneRow& size) const {
  lane_kernels::largest(nq_, x, size);
  for (int k = 0; k < lane_count; ++k) size[k] = row_size[k] * std::max(1.0, size[k]);
}

template <class Correct, class Take>
LaneMask ProjectionLanes::go_straight(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x,
                                      const Correct& correct, const Take& take) {
  LaneRow size, speed, phi, phidot, dq, dv, before{};
  typical_size(row_size, x, size);
  lane_kernels::largest(nv_, x + nq_, speed);
  LaneMask done = 0, repeated = 0;
  well_regular_ = ends_where_evaluated_ = 0;
  for (int pass = 0; pass < Projection::most_straight && (lanes & ~done); ++pass) {
    system_.set(t, x);
    const Straight out = correct();
    lane_kernels::largest(m_, out.phi, phi);
    lane_kernels::largest(m_, out.phidot, phidot);
    lane_kernels::largest(nv_, out.dq, dq);
    lane_kernels::largest(nv_, out.dv, dv);
    const LaneMask usable = out.usable & pivot_ratios(nv_, m_, out, ratio_);
    LaneMask last = 0, going = 0, moving = 0;
    for_each_lane(lanes & ~done, [&](int k) {
      const LaneMask bit = 1u << k;
      if (!has(usable, k) || !Projection::is_regular(ratio_[k], phi[k], size[k])) {
        lanes &= ~bit;
      } else if (Projection::is_last(dq[k], dv[k], speed[k])) {
        const bool open =
            phi[k] > Projection::round_off * size[k] || phidot[k] > Projection::round_off * row_size[k] * speed[k];
        last |= bit, work_[k] = open ? (*out.work)[k] : 0;
        if (open) moving |= bit;
        if (ratio_[k] >= Projection::well_regular) well_regular_ |= bit;
        if (!open || (pass > 0 && dq[k] <= Projection::no_way && dv[k] <= Projection::no_way * speed[k]))
          ends_where_evaluated_ |= bit;
      } else {
        going |= bit;
      }
    });
    advance(moving | going, out.dq, x);
    add(moving | going, out.dv, x + nq_);
    take(last);
    done |= last, repeated |= going;
    if (pass == 0 && going && counts_work_) before = system_.energy();  // the inputs are those of before
  }
  done &= lanes, repeated &= done;
  if (!repeated || !counts_work_) return done;
  system_.set(t, x);
  const LaneRow& after = system_.energy();
  for_each_lane(repeated, [&](int k) { work_[k] = after[k] - before[k]; });
  return done;
}

LaneMask ProjectionLanes::straight(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x) {
  const auto correct = [&] {
    const MotionCorrectionView<lane_count> view = system_.correct_motion();
    return Straight{view, view, lanes};
  };
  return go_straight(lanes, t, row_size, x, correct, [](LaneMask) {});
}

LaneMask ProjectionLanes::finish(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x, LaneRow* xdot,
                                 LaneRow* error, const LaneRow& weight) {
  StepEndView<lane_count> end;
  const auto correct = [&] {
    errors_to_velocities(lanes, x, error);
    end = system_.step_end(position_error_.data(), error + nq_, weight);
    return Straight{end, end,
                    lane_kernels::finite(nv_, end.vdot) & lane_kernels::finite(nq_, end.qdot) &
                        lane_kernels::finite(nz_, end.zdot)};
  };
  return go_straight(lanes, t, row_size, x, correct,
                     [&](LaneMask last) { take_step_end(last, end, weight, x, xdot, error); });
}

void ProjectionLanes::take_step_end(LaneMask lanes, const StepEndView<lane_count>& end, const LaneRow& weight,
                                    const LaneRow* x, LaneRow* xdot, LaneRow* error) {
  copy_derivative(lanes, system_.system().layout(), end, xdot);
  lane_kernels::copy(lanes, nv_, end.position_error, position_error_.data());
  velocities_to_errors(lanes, x, error);
  lane_kernels::copy(lanes, nv_, end.velocity_error, error + nq_);
  for (int i = 0; i < nz_; ++i)
    for_each_lane(lanes, [&](int k) { error[nq_ + nv_ + i][k] += weight[k] * end.zdot[i][k]; });
}

LaneMask ProjectionLanes::position(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x) {
  LaneRow size, way, previous;
  typical_size(row_size, x, size);
  for (int k = 0; k < lane_count; ++k) previous[k] = std::numeric_limits<double>::infinity();
  LaneMask done = 0;
  for (int pass = 0; pass < Projection::most_steps && (lanes & ~done); ++pass) {
    system_.set(t, x);
    const PositionCorrectionView<lane_count> view = system_.correct_position();
    lanes &= read(view.dq, view.phi, view) | done;
    lane_kernels::largest(nv_, view.dq, way);
    LaneMask moving = 0;
    for_each_lane(lanes & ~done, [&](int k) {
      const double error = error_[k];
      if (!(ratio_[k] >= std::max(Projection::traced_limit, error / size[k])) || !std::isfinite(error))
        lanes &= ~(1u << k);
      else if (error <= Projection::round_off * size[k] || (error > 0.5 * previous[k] && error < 1e-10 * size[k]))
        done |= 1u << k;
      else
        moving |= 1u << k;
      previous[k] = error;
    });
    advance(moving, view.dq, x);
    for_each_lane(moving, [&](int k) {
      if (way[k] <= Projection::square_is_round_off) done |= 1u << k;
    });
  }
  return lanes & done;
}

LaneMask ProjectionLanes::velocity(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x,
                                   LaneRow* error) {
  LaneRow speed, way;
  lane_kernels::largest(nv_, x + nq_, speed);
  if (error) errors_to_velocities(lanes, x, error);
  system_.set(t, x);
  ErrorCorrectionView<lane_count> view;
  if (error)
    view = system_.correct_velocity_and_errors(position_error_.data(), error + nq_);
  else
    view = {system_.correct_velocity(), nullptr, nullptr};
  lanes &= read(view.dv, view.phidot, view);
  lane_kernels::largest(nv_, view.dv, way);
  LaneMask moving = 0;
  for_each_lane(lanes, [&](int k) {
    if (!(ratio_[k] >= Projection::traced_limit) || !std::isfinite(error_[k]))
      lanes &= ~(1u << k);
    else if (Projection::changes_branch(std::sqrt(ratio_[k]), way[k], speed[k]))
      lanes &= ~(1u << k);
    else if (error_[k] > Projection::round_off * row_size[k] * speed[k])
      moving |= 1u << k;
  });
  add(moving, view.dv, x + nq_);
  if (!error) return lanes;
  lane_kernels::add(nv_, ones, view.d_position_error, position_error_.data());
  velocities_to_errors(lanes, x, error);
  add(lanes, view.d_velocity_error, error + nq_);
  return lanes;
}

void ProjectionLanes::errors_to_velocities(LaneMask lanes, const LaneRow* x, const LaneRow* error) {
  if (!quaternions_) {
    std::copy_n(error, nv_, position_error_.begin());
    return;
  }
  for_each_lane(lanes, [&](int k) {
    for (std::size_t i = 0; i < one_rate_.size(); ++i) one_x_[i] = x[i][k], one_rate_[i] = error[i][k];
    configuration_.velocity(one_x_.data(), one_rate_.data(), one_dv_.data());
    for (std::size_t i = 0; i < one_dv_.size(); ++i) position_error_[i][k] = one_dv_[i];
  });
}

void ProjectionLanes::velocities_to_errors(LaneMask lanes, const LaneRow* x, LaneRow* error) {
  if (!quaternions_) {
    lane_kernels::copy(lanes, nv_, position_error_.data(), error);
    return;
  }
  for_each_lane(lanes, [&](int k) {
    for (std::size_t i = 0; i < one_rate_.size(); ++i) one_x_[i] = x[i][k];
    for (std::size_t i = 0; i < one_dv_.size(); ++i) one_dv_[i] = position_error_[i][k];
    configuration_.rate(one_x_.data(), one_dv_.data(), one_rate_.data());
    for (std::size_t i = 0; i < one_rate_.size(); ++i) error[i][k] = one_rate_[i];
  });
}

// x + dv in some lanes.
void ProjectionLanes::add(LaneMask lanes, const LaneRow* dv, LaneRow* x) {
  std::copy_n(x, nv_, moved_.begin());
  lane_kernels::add(nv_, ones, dv, moved_.data());
  lane_kernels::copy(lanes, nv_, moved_.data(), x);
}

void ProjectionLanes::advance(LaneMask lanes, const LaneRow* dv, LaneRow* x) {
  if (!lanes) return;
  if (!quaternions_) {
    add(lanes, dv, x);
    return;
  }
  for_each_lane(lanes, [&](int k) {
    for (int i = 0; i < nq_; ++i) one_x_[static_cast<std::size_t>(i)] = x[i][k];
    for (int i = 0; i < nv_; ++i) one_dv_[static_cast<std::size_t>(i)] = dv[i][k];
    configuration_.advance(one_x_.data(), one_dv_.data());
    for (int i = 0; i < nq_; ++i) x[i][k] = one_x_[static_cast<std::size_t>(i)];
  });
}

}  // namespace armature
