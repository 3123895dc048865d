#include "dynamics/lane_dynamics.hpp"

#include <algorithm>

#include "dynamics/pivot_lanes.hpp"
#include "dynamics/projection.hpp"
#include "step/arithmetic.hpp"

namespace armature {

namespace {

void gather(const LaneRow* rows, int k, std::vector<double>& one) {
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = rows[i][k];
}
void scatter(const std::vector<double>& one, int k, LaneRow* rows) {
  for (std::size_t i = 0; i < one.size(); ++i) rows[i][k] = one[i];
}

}  // namespace

LaneDynamics::LaneDynamics(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      projection_(system_),
      sliding_(system_),
      configuration_(system_.system().equations()),
      rows_(static_cast<int>(system_.system().options().independent_rows.size())),
      saved_x_(static_cast<std::size_t>(size())),
      saved_error_(saved_x_),
      one_x_(saved_x_.size()),
      one_xdot_(saved_x_.size()) {}

void LaneDynamics::set_lane(int k, Dynamics& dynamics) {
  lanes_[static_cast<std::size_t>(k)] = &dynamics;
  hold(k);
}

void LaneDynamics::hold(int k) {
  Dynamics& dynamics = at(k);
  const Layout& n = system_.system().layout();
  const double* in = dynamics.evaluator().inputs();
  system_.hold(k, in + n.d(), dynamics.weights().data(), in + n.p());
  const Stabilization& s = dynamics.stabilization();
  system_.set_gains(k, s.alpha, s.beta);
  const auto mark = [&](LaneMask& mask, bool on) { mask = on ? mask | 1u << k : mask & ~(1u << k); };
  mark(plain_, dynamics.plain());
  sliding_.set(k, dynamics.single_sliding());
  mark(pulled_, s.alpha != 0 || s.beta != 0);
  mark(straight_, s.projection && !s.post_adjust && n.m > 0);
  mark(finishing_, dynamics.finishes() && n.m > 0);
}

void LaneDynamics::derivative_alone(int k, double t, const LaneRow* x, LaneRow* xdot, LaneMask& done) {
  gather(x, k, one_x_);
  regular_ &= ~(1u << k);
  if (at(k).derivative(t, one_x_.data(), one_xdot_.data())) done |= 1u << k;
  if (!has(plain_, k)) hold(k);
  scatter(one_xdot_, k, xdot);
}

// Lanes with Baumgarte's terms and lanes without take different programs; one kind is done together.
LaneMask LaneDynamics::derivative(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow* xdot) {
  const LaneMask pulled = lanes & plain_ & pulled_, sliding = pulled ? 0 : lanes & sliding_.lanes() & ~pulled_;
  LaneMask together = pulled ? pulled : lanes & plain_;
  if (together | sliding) {
    system_.set(t, x);
    if (sliding) sliding_.begin(sliding);
    const AccelerationView<lane_count> view = pulled ? system_.acceleration_baumgarte() : system_.acceleration();
    together &= regular_accelerations(system_.system(), view);
    copy_derivative(together, system_.system().layout(), view, xdot);
    if (sliding) together |= finish_sliding(sliding, view, xdot);
  }
  regular_ |= together;
  LaneMask done = together;
  for_each_lane(lanes & ~together, [&](int k) { derivative_alone(k, t[k], x, xdot, done); });
  return done;
}

LaneMask LaneDynamics::finish_sliding(LaneMask lanes, const AccelerationView<lane_count>& view, LaneRow* xdot) {
  const LaneMask found = sliding_.finish(lanes, view, xdot);
  for_each_lane(found, [&](int k) { at(k).set_weight(sliding_.mode(k), sliding_.weight(k)); });
  return found;
}

void LaneDynamics::project_alone(int k, double t, LaneRow* x, LaneRow* error, LaneMask& done) {
  gather(x, k, one_x_);
  if (error) gather(error, k, one_xdot_);
  if (at(k).project(t, one_x_.data(), error ? one_xdot_.data() : nullptr)) done |= 1u << k;
  scatter(one_x_, k, x);
  if (error) scatter(one_xdot_, k, error);
}

LaneMask LaneDynamics::project(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) {
  std::copy_n(x, size(), saved_x_.begin());
  if (error) std::copy_n(error, size(), saved_error_.begin());
  LaneMask done = error ? 0 : go_straight(lanes, t, x);
  if (done != lanes) done |= project_together(lanes & ~done, t, x, error);
  const LaneMask alone = lanes & ~done;
  if (!alone) return done;
  step::copy(alone, size(), saved_x_.data(), x);
  if (error) step::copy(alone, size(), saved_error_.data(), error);
  for_each_lane(alone, [&](int k) { project_alone(k, t[k], x, error, done); });
  return done;
}

LaneMask LaneDynamics::with_scale(LaneMask lanes, const LaneRow& t, const LaneRow* x, LaneRow& scale) {
  for_each_lane(lanes, [&](int k) {
    if (at(k).projection_scale() == 0) {
      gather(x, k, one_x_);
      at(k).begin_projection(t[k], one_x_.data());
    }
    scale[k] = at(k).projection_scale();
    if (!(scale[k] > 0)) lanes &= ~(1u << k);
  });
  return lanes;
}

void LaneDynamics::add_straight_work(LaneMask lanes, LaneRow* x) const {
  const Layout& n = system_.system().layout();
  const int work = system_.system().equations().stabilization_work;
  if (work >= 0) for_each_lane(lanes, [&](int k) { x[n.nq + n.nv + work][k] += projection_.work()[k]; });
}

// With saved_x_ as x was.
LaneMask LaneDynamics::go_straight(LaneMask lanes, const LaneRow& t, LaneRow* x) {
  LaneRow scale{};
  const LaneMask tried = with_scale(lanes & straight_, t, x, scale);
  if (!tried) return 0;
  normalize(tried, x);
  const LaneMask done = projection_.straight(tried, t, scale, x);
  add_straight_work(done, x);
  step::copy(tried & ~done, size(), saved_x_.data(), x);
  return done;
}

LaneOde::Finish LaneDynamics::finish(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* xdot, LaneRow* error,
                                     const LaneRow& weight) {
  LaneRow scale{};
  const LaneMask tried = with_scale(lanes & finishing_, t, x, scale);
  if (!tried) return {};
  std::copy_n(x, size(), saved_x_.begin());
  normalize(tried, x);
  const LaneMask done = projection_.finish(tried, t, scale, x, xdot, error, weight);
  add_straight_work(done, x);
  step::copy(tried & ~done, size(), saved_x_.data(), x);
  regular_ |= done;
  Finish finished;
  finished.all = done & projection_.ends_where_evaluated();
  finished.all_before = done & ~finished.all & projection_.well_regular();
  finished.all_but_derivative = done & ~finished.all & ~finished.all_before;
  return finished;
}

// Dynamics::project() where the way to the manifold is straight.
LaneMask LaneDynamics::project_together(LaneMask lanes, const LaneRow& t, LaneRow* x, LaneRow* error) {
  const Layout& n = system_.system().layout();
  LaneRow scale{}, before{};
  for_each_lane(lanes, [&](int k) {
    const Stabilization& s = at(k).stabilization();
    scale[k] = at(k).projection_scale();
    const bool known = !s.projection || n.m == 0 || scale[k] > 0;
    if (!known || s.post_adjust) lanes &= ~(1u << k);
  });
  if (!lanes) return 0;
  const bool projection = at(__builtin_ctz(lanes)).stabilization().projection && n.m > 0;
  const int work = system_.system().equations().stabilization_work;
  if (work >= 0) {
    system_.set(t, x);
    before = system_.energy();
  }
  normalize(lanes, x);
  if (projection) {
    normalize(lanes, x);
    lanes = projection_.project(lanes, t, scale, x, error);
  }
  if (work >= 0) {
    system_.set(t, x);
    const LaneRow& after = system_.energy();
    for_each_lane(lanes, [&](int k) { x[n.nq + n.nv + work][k] += after[k] - before[k]; });
  }
  return lanes;
}

void LaneDynamics::normalize(LaneMask lanes, LaneRow* x) {
  if (system_.system().equations().quaternions.empty()) return;
  for_each_lane(lanes, [&](int k) {
    gather(x, k, one_x_);
    configuration_.normalize(one_x_.data());
    scatter(one_x_, k, x);
  });
}

}  // namespace armature
