#include "integrate/lane_integrator.hpp"

#include <algorithm>
#include <cassert>

#include "integrate/embedded_lanes.hpp"
#include "integrate/fixed_step_lanes.hpp"
#include "integrate/inner_steps.hpp"

namespace armature {

LaneIntegrator::LaneIntegrator(const Tableau& tableau, LaneOde& ode, bool error_controlled)
    : n_(ode.size()),
      ode_(ode),
      method_(tableau, ode),
      x_(static_cast<std::size_t>(n_)),
      previous_x_(x_),
      x1_(x_),
      F_(static_cast<std::size_t>(n_ * method_.dense_columns())) {
  for (int k = 0; k < lane_count; ++k) {
    lanes_.push_back(std::make_unique<Lane>(*this, k, error_controlled));
    at(k).previous_x_.setZero(n_);
    at(k).F_.setZero(n_, method_.dense_columns());
  }
}

LaneIntegrator::~LaneIntegrator() = default;

void LaneIntegrator::begin(int k) {
  at(k).inner_.reset();
  at(k).statistics_ = {};
  at(k).failure_ = StepStatus::ok;
  begun(k);
}

Integrator& LaneIntegrator::lane(int k) { return at(k); }

StepStatus LaneIntegrator::failure(int k) const { return lanes_[static_cast<std::size_t>(k)]->failure(); }

void LaneIntegrator::take(int k, double t1, const LaneRow* x1, double h) {
  Lane& lane = at(k);
  for (int e = 0; e < n_; ++e) {
    previous_x_[static_cast<std::size_t>(e)][k] = x_[static_cast<std::size_t>(e)][k];
    lane.x_[e] = x_[static_cast<std::size_t>(e)][k] = x1[e][k];
  }
  lane.previous_t_ = previous_t_[k] = t_[k];
  lane.t_ = t_[k] = t1;
  lane.gathered_ = false;
  lane.count_step(h);
}

void LaneIntegrator::make_dense(LaneMask lanes) {
  open_ = late_ ? lanes : 0;
  if (!late_) make_dense_now(lanes);
}

void LaneIntegrator::make_dense_now(LaneMask lanes) {
  if (!lanes) return;
  open_ &= ~lanes;
  LaneRow h;
  for (int k = 0; k < lane_count; ++k) h[k] = t_[k] - previous_t_[k];
  const LaneMask sound =
      method_.interpolant(lanes, previous_t_, h, previous_x_.data(), x_.data(), tolerance(), F_.data());
  unsound_ = (unsound_ & ~lanes) | (lanes & ~sound);
  for_each_lane(lanes, [&](int k) { at(k).statistics_.evaluations += method_.tableau().dense_c.size(); });
}

void LaneIntegrator::interpolate(LaneMask wanted, const LaneRow& t, LaneRow* x) {
  LaneRow theta;
  LaneMask ends = 0;
  for (int k = 0; k < lane_count; ++k) {
    theta[k] = (t[k] - previous_t_[k]) / (t_[k] - previous_t_[k]);
    ends |= static_cast<LaneMask>(t[k] == t_[k]) << k;
  }
  if (ends == all_lanes) {
    std::copy_n(x_.data(), n_, x);
    return;
  }
  if (open_ & ~ends) make_dense_now(open_ & ~ends);
  lane_kernels::dense_evaluate(n_, method_.dense_columns(), theta, F_.data(), previous_x_.data(), x);
  lane_kernels::copy(ends, n_, x_.data(), x);
  for_each_lane(wanted & (linear_ | unsound_) & ~ends, [&](int k) {
    Eigen::VectorXd one;
    lanes_[static_cast<std::size_t>(k)]->interpolate(t[k], one);
    for (int e = 0; e < n_; ++e) x[e][k] = one[e];
  });
}

void LaneIntegrator::Lane::start(double t, const Eigen::VectorXd& x) {
  t_ = previous_t_ = all_.t_[k_] = all_.previous_t_[k_] = t;
  x_ = x;
  gathered_ = false;
  for (int e = 0; e < all_.n_; ++e)
    all_.x_[static_cast<std::size_t>(e)][k_] = all_.previous_x_[static_cast<std::size_t>(e)][k_] = x[e];
  all_.has_end_ &= ~(1u << k_);
  all_.open_ &= ~(1u << k_);
  all_.linear_ &= ~(1u << k_);
  all_.unsound_ &= ~(1u << k_);
  if (inner_) inner_->forget();
  all_.restarted(k_);
}

StepStatus LaneIntegrator::Lane::step(double) {
  assert(false && "lanes step together");
  return StepStatus::solver_failed;
}

void LaneIntegrator::Lane::gather_dense() const {
  const auto row = [&](const std::vector<LaneRow>& rows, int e) { return rows[static_cast<std::size_t>(e)][k_]; };
  for (int e = 0; e < all_.n_; ++e) previous_x_[e] = row(all_.previous_x_, e);
  for (int i = 0; i < F_.size(); ++i) F_.data()[i] = row(all_.F_, i);
  gathered_ = true;
}

bool LaneIntegrator::Lane::reach(double t, Eigen::VectorXd& x) const {
  Ode* ode = all_.ode_.alone(k_);
  if (!ode || !all_.error_control()) return false;
  if (!inner_)
    inner_ = std::make_unique<InnerSteps>(all_.method_.tableau(), *ode, *all_.error_control(),
                                          all_.at(k_).statistics_.evaluations);
  return inner_->reach(previous_t_, previous_x_, t_, t, x);
}

// DenseOutput::evaluate, of this lane.
void LaneIntegrator::Lane::interpolate(double t, Eigen::VectorXd& x) const {
  if (t == t_) {
    x = x_;
    return;
  }
  if (has(all_.open_, k_)) all_.make_dense_now(1u << k_);
  if (!gathered_) gather_dense();
  if (has(all_.unsound_, k_) && t != previous_t_ && reach(t, x)) return;
  if (has(all_.linear_, k_)) {
    x = x_ + (t_ - t) / (t_ - previous_t_) * (previous_x_ - x_);
    return;
  }
  const double theta = (t - previous_t_) / (t_ - previous_t_), rest = 1 - theta;
  x.setZero(previous_x_.size());
  for (int i = static_cast<int>(F_.cols()) - 1; i >= 0; --i) {
    const double factor = i % 2 == 0 ? theta : rest;
    const double* F = F_.col(i).data();
    for (int e = 0; e < x.size(); ++e) x.data()[e] = factor * (x.data()[e] + F[e]);
  }
  x += previous_x_;
}

bool LaneIntegrator::Lane::path(const std::vector<int>& entries, StepPath& path) const {
  if (has(all_.open_, k_)) all_.make_dense_now(1u << k_);
  if (has(all_.unsound_ | all_.linear_, k_)) return false;
  const auto columns = static_cast<int>(F_.cols());
  path.begin(previous_t_, t_, columns, entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto e = static_cast<std::size_t>(entries[i]), n = static_cast<std::size_t>(all_.n_);
    path.set_dense(
        i, all_.previous_x_[e][k_], [&](int column) { return all_.F_[static_cast<std::size_t>(column) * n + e][k_]; },
        columns);
  }
  return true;
}

std::unique_ptr<LaneIntegrator> make_lane_integrator(const std::string& name, LaneOde& ode,
                                                     const IntegratorOptions& options, bool dense) {
  const Tableau* method = find_tableau(name);
  if (method && method->estimates_error()) return std::make_unique<EmbeddedLanes>(*method, ode, options, dense);
  return make_fixed_step_lanes(name, ode, options, dense);
}

std::unique_ptr<LaneIntegrator> make_fixed_step_lanes(const std::string& name, LaneOde& ode,
                                                      const IntegratorOptions& options, bool dense) {
  if (const Tableau* method = find_tableau(name)) return std::make_unique<FixedStepLanes>(*method, ode, options, dense);
  return nullptr;
}

}  // namespace armature
