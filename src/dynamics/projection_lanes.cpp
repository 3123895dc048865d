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
      m_(static_cast<int>(system.system().options().independent_rows.size())),
      quaternions_(!system.system().equations().quaternions.empty()),
      moved_(static_cast<std::size_t>(system.system().layout().nx())),
      position_error_(static_cast<std::size_t>(nv_)),
      one_x_(moved_.size()),
      one_dv_(position_error_.size()),
      one_rate_(static_cast<std::size_t>(nq_)) {}

LaneMask ProjectionLanes::read(const LaneRow* steps, const LaneRow* residuals) {
  lane_kernels::largest(m_, residuals, error_);
  const LaneMask positive = pivot_ratios(nv_, m_, residuals + m_, ratio_);
  return positive & lane_kernels::finite(nv_, steps);
}

LaneMask ProjectionLanes::project(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x,
                                  LaneRow* error) {
  lanes = position(lanes, t, row_size, x);
  return lanes ? velocity(lanes, t, row_size, x, error) : 0;
}

LaneMask ProjectionLanes::position(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x) {
  LaneRow size, way, previous;
  lane_kernels::largest(nq_, x, size);
  for (int k = 0; k < lane_count; ++k) {
    size[k] = row_size[k] * std::max(1.0, size[k]);
    previous[k] = std::numeric_limits<double>::infinity();
  }
  LaneMask done = 0;
  for (int pass = 0; pass < Projection::most_steps && (lanes & ~done); ++pass) {
    system_.set(t, x);
    const LaneRow* dv = system_.correct_position();
    lanes &= read(dv, dv + nv_) | done;
    lane_kernels::largest(nv_, dv, way);
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
    advance(moving, dv, x);
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
  const LaneRow* dv =
      error ? system_.correct_velocity_and_errors(position_error_.data(), error + nq_) : system_.correct_velocity();
  lanes &= read(dv, error ? dv + 3 * nv_ : dv + nv_);
  lane_kernels::largest(nv_, dv, way);
  LaneMask moving = 0;
  for_each_lane(lanes, [&](int k) {
    if (!(ratio_[k] >= Projection::traced_limit) || !std::isfinite(error_[k]))
      lanes &= ~(1u << k);
    else if (Projection::changes_branch(std::sqrt(ratio_[k]), way[k], speed[k]))
      lanes &= ~(1u << k);
    else if (error_[k] > Projection::round_off * row_size[k] * speed[k])
      moving |= 1u << k;
  });
  add(moving, dv, x + nq_);
  if (!error) return lanes;
  lane_kernels::add(nv_, ones, dv + nv_, position_error_.data());
  velocities_to_errors(lanes, x, error);
  add(lanes, dv + 2 * nv_, error + nq_);
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
