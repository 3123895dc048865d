#include "system/system_lanes.hpp"

#include <algorithm>
#include <array>

namespace armature {

SystemLanes::SystemLanes(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      acceleration_(system_->acceleration_, lane_count),
      acceleration_baumgarte_(system_->acceleration_baumgarte_, lane_count),
      correct_position_(system_->correct_position_, lane_count),
      correct_velocity_(system_->correct_velocity_, lane_count),
      correct_velocity_and_errors_(system_->correct_velocity_and_errors_, lane_count),
      correct_motion_(system_->correct_motion_, lane_count),
      step_end_(system_->step_end_, lane_count),
      roots_(system_->roots_, lane_count),
      root_rates_(system_->root_rates_, lane_count),
      discrete_(system_->discrete_, lane_count),
      energy_(system_->energy_, lane_count) {
  in_.resize(static_cast<std::size_t>(system_->layout().size() + 3 + 2 * system_->layout().nv));
  int outputs = 0;
  for (Evaluator* evaluator :
       {&acceleration_, &acceleration_baumgarte_, &correct_position_, &correct_velocity_, &correct_velocity_and_errors_,
        &correct_motion_, &step_end_, &roots_, &root_rates_, &discrete_, &energy_})
    outputs = std::max(outputs, evaluator->program().output_count());
  out_.resize(static_cast<std::size_t>(outputs));
}

void SystemLanes::set(const LaneRow& t, const LaneRow* x) {
  in_[0] = t;
  std::copy_n(x, system_->layout().nx(), in_.begin() + 1);
}

void SystemLanes::hold(int lane, const double* d, const double* w, const double* p) {
  const Layout& n = system_->layout();
  LaneRow* row = in_.data() + n.d();
  for (int i = 0; i < n.nd; ++i) (*row++)[lane] = d[i];
  for (int i = 0; i < n.nw; ++i) (*row++)[lane] = w[i];
  for (int i = 0; i < n.np; ++i) (*row++)[lane] = p[i];
}

void SystemLanes::set_gains(int lane, double alpha, double beta) {
  const auto first = static_cast<std::size_t>(system_->layout().size());
  in_[first][lane] = alpha, in_[first + 1][lane] = beta;
}

const LaneRow* SystemLanes::correct_velocity_and_errors(const LaneRow* position_error, const LaneRow* velocity_error) {
  set_errors(position_error, velocity_error);
  return run(correct_velocity_and_errors_);
}

const LaneRow* SystemLanes::step_end(const LaneRow* position_error, const LaneRow* velocity_error,
                                     const LaneRow& weight) {
  *set_errors(position_error, velocity_error) = weight;
  return run(step_end_);
}

// Behind alpha and beta; returns what stands behind them.
LaneRow* SystemLanes::set_errors(const LaneRow* position_error, const LaneRow* velocity_error) {
  const int nv = system_->layout().nv;
  LaneRow* errors = in_.data() + system_->layout().size() + 2;
  std::copy_n(position_error, nv, errors);
  std::copy_n(velocity_error, nv, errors + nv);
  return errors + 2 * nv;
}

// The accelerations stand where gains stand for others.
const LaneRow* SystemLanes::root_rates(const LaneRow* vdot) {
  LaneRow* further = in_.data() + system_->layout().size();
  const std::array<LaneRow, 2> gains = {further[0], further[1]};
  std::copy_n(vdot, system_->layout().nv, further);
  const LaneRow* rates = run(root_rates_);
  std::copy_n(gains.begin(), gains.size(), further);
  return rates;
}

const LaneRow* SystemLanes::run(Evaluator& evaluator) {
  out_.resize(std::max(out_.size(), static_cast<std::size_t>(evaluator.program().output_count())));
  evaluator(in_.data()->lane, out_.data()->lane);
  return out_.data();
}

}  // namespace armature
