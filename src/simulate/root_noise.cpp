#include "simulate/root_noise.hpp"

#include <cmath>

#include "expression/program_inputs.hpp"

namespace armature {

namespace {

constexpr double round_off = 1e-12;
constexpr double of_time = 1e-15;  // a few units of the last place

double finite_or_zero(double value) { return std::isfinite(value) ? std::abs(value) : 0; }

}  // namespace

RootNoise::RootNoise(Dynamics& dynamics) : dynamics_(dynamics) {
  root_ = moved_ = of_root_ = slope_ = Eigen::VectorXd::Zero(dynamics.system().layout().nw);
  const Layout& n = dynamics.system().layout();
  if (n.nw == 0) return;
  const std::vector<bool> read = inputs_read(*dynamics.system().program(Kernel::roots));
  for (int i = 0; i < n.nx(); ++i)
    if (read[static_cast<std::size_t>(n.q() + i)]) matter_.push_back(i);
}

void RootNoise::take(const State& state) {
  const Layout& n = dynamics_.system().layout();
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_modes(dynamics_.weights());
  evaluator.set(state.t, state.x.data());
  evaluator.roots(root_);
  of_root_.setZero();
  slope_.setZero();
  x_ = state.x;
  evaluator.set(state.t * (1 + of_time), x_.data());
  evaluator.roots(moved_);
  for (int k = 0; k < n.nw; ++k) of_root_[k] = finite_or_zero(moved_[k] - root_[k]);
  for (const int i : matter_) {
    const double delta = round_off * (1 + std::abs(x_[i]));
    x_[i] += delta;
    evaluator.set(state.t, x_.data());
    evaluator.roots(moved_);
    x_[i] = state.x[i];
    const bool is_velocity = i >= n.nq && i < n.nq + n.nv;
    for (int k = 0; k < n.nw; ++k) {
      const double difference = finite_or_zero(moved_[k] - root_[k]);
      of_root_[k] = std::max(of_root_[k], difference);
      if (is_velocity) slope_[k] += difference / delta;
    }
  }
}

double RootNoise::of_rate(int k) const {
  return round_off * slope_[k] * finite_or_zero(dynamics_.acceleration().vdot.lpNorm<Eigen::Infinity>());
}

}  // namespace armature
