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
      dv_(static_cast<std::size_t>(nv_)),
      position_error_(static_cast<std::size_t>(nv_)),
      one_x_(moved_.size()),
      one_dv_(dv_.size()),
      one_rate_(static_cast<std::size_t>(nq_)) {}

LaneMask ProjectionLanes::read(const LaneRow* out) {
  lane_kernels::largest(m_, out + nv_, error_);
  const LaneRow* pivots = out + nv_ + m_;
  const LaneMask positive = pivot_ratios(nv_, m_, pivots, ratio_);
  return positive & lane_kernels::finite(nv_, out);
}

LaneMask ProjectionLanes::project(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x,
                                  LaneRow* error) {
  lanes = position(lanes, t, row_size, x);
  if (lanes) lanes = velocity(lanes, t, row_size, x);
  if (error && lanes) lanes = tangent_positions(lanes, t, x, error);
  if (error && lanes) lanes = make_tangent(lanes, t, x, error + nq_);
  return lanes;
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
    lanes &= read(dv) | done;
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

LaneMask ProjectionLanes::velocity(LaneMask lanes, const LaneRow& t, const LaneRow& row_size, LaneRow* x) {
  LaneRow speed;
  lane_kernels::largest(nv_, x + nq_, speed);
  system_.set(t, x);
  const LaneRow* dv = system_.correct_velocity();
  lanes &= read(dv);
  LaneMask moving = 0;
  for_each_lane(lanes, [&](int k) {
    if (!(ratio_[k] >= Projection::traced_limit) || !std::isfinite(error_[k]))
      lanes &= ~(1u << k);
    else if (error_[k] > Projection::round_off * row_size[k] * speed[k])
      moving |= 1u << k;
  });
  for (int i = 0; i < nv_; ++i) moved_[static_cast<std::size_t>(i)] = x[nq_ + i];
  lane_kernels::add(nv_, ones, dv, moved_.data());
  lane_kernels::copy(moving, nv_, moved_.data(), x + nq_);
  return lanes;
}

// With v on the manifold, phidot(v + c e) = c Phi e: the velocity step gives the normal part of any e.
LaneMask ProjectionLanes::make_tangent(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* dv) {
  LaneRow size, speed, factor;
  lane_kernels::largest(nv_, dv, size);
  lane_kernels::largest(nv_, x + nq_, speed);
  LaneMask zero = 0;
  for (int k = 0; k < lane_count; ++k) {
    factor[k] = std::max(1.0, speed[k]) / size[k];
    zero |= static_cast<LaneMask>(size[k] == 0 || !std::isfinite(size[k])) << k;
  }
  if (!(lanes & ~zero)) return lanes;
  std::copy_n(x, moved_.size(), moved_.begin());
  lane_kernels::add(nv_, factor, dv, moved_.data() + nq_);
  system_.set(t, moved_.data());
  const LaneRow* normal = system_.correct_velocity();
  LaneMask good = read(normal);
  for (int k = 0; k < lane_count; ++k)
    if (!(ratio_[k] >= Projection::traced_limit)) good &= ~(1u << k);
  std::copy_n(dv, nv_, dv_.begin());
  add_quotient(nv_, normal, factor, dv_.data());
  lane_kernels::copy(lanes & good & ~zero, nv_, dv_.data(), dv);
  return lanes & (good | zero);
}

LaneMask ProjectionLanes::tangent_positions(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* error) {
  if (!quaternions_) return make_tangent(lanes, t, x, error);
  const auto each = [&](const auto& convert) {
    for_each_lane(lanes, [&](int k) {
      for (std::size_t i = 0; i < one_rate_.size(); ++i) one_x_[i] = x[i][k], one_rate_[i] = error[i][k];
      for (std::size_t i = 0; i < one_dv_.size(); ++i) one_dv_[i] = position_error_[i][k];
      convert(one_x_.data(), one_rate_.data());
      for (std::size_t i = 0; i < one_rate_.size(); ++i) error[i][k] = one_rate_[i];
      for (std::size_t i = 0; i < one_dv_.size(); ++i) position_error_[i][k] = one_dv_[i];
    });
  };
  each([&](const double* q, const double* rate) { configuration_.velocity(q, rate, one_dv_.data()); });
  lanes = make_tangent(lanes, t, x, position_error_.data());
  each([&](const double* q, double* rate) { configuration_.rate(q, one_dv_.data(), rate); });
  return lanes;
}

void ProjectionLanes::advance(LaneMask lanes, const LaneRow* dv, LaneRow* x) {
  if (!lanes) return;
  if (!quaternions_) {
    std::copy_n(x, nq_, moved_.begin());
    lane_kernels::add(nq_, ones, dv, moved_.data());
    lane_kernels::copy(lanes, nq_, moved_.data(), x);
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
