#include "fmi/hosted_motion.hpp"

#include <algorithm>
#include <cmath>

#include "model/request_error.hpp"

namespace armature::internal {

HostedMotion::HostedMotion(const Prepared& prepared)
    : prepared_(prepared),
      state_(prepared.start),
      dynamics_(make_dynamics(prepared)),
      comparisons_(*dynamics_, state_, prepared.options.rtol),
      contacts_(*dynamics_, state_,
                {prepared.options.rtol, prepared.options.atol, prepared.options.sequential_impacts}),
      samples_(prepared.system->equations(), prepared.start.t),
      impacts_(prepared, *dynamics_),
      follows_steps_(std::ranges::any_of(prepared.system->equations().discrete, &Discrete::follows_steps)),
      inputs_(prepared.parameters),
      pending_(prepared.parameters) {
  dynamics_->follow_roots(false);
  dynamics_->engine().project_stages(false);
  dynamics_->evaluator().set_parameters(inputs_);
  dynamics_->set_state(state_);
  dynamics_->engine().begin_projection(state_.t, state_.x.data());
  rows_.emplace(*dynamics_, row_);
  rows_->begin(state_);
}

void HostedMotion::begin() {
  samples_.take(state_, dynamics_->evaluator());
  comparisons_.begin();
  dynamics_->set_state(state_);
  if (contacts_.any()) {
    std::vector<RunEvent> events;
    if (const std::string broken = contacts_.begin(events); !broken.empty()) throw ComputationError(broken);
    comparisons_.begin();
    dynamics_->set_state(state_);
  }
  rows_->begin(state_);
  row_is_known_ = false;
}

void HostedMotion::continue_at(const State& state, const Eigen::VectorXd& inputs, bool sampled) {
  state_ = state;
  inputs_ = pending_ = inputs;
  dynamics_->evaluator().set_parameters(inputs_);
  dynamics_->set_state(state_);
  const double later = std::nextafter(state.t, HUGE_VAL);
  samples_ = Samples(prepared_.system->equations(), state.t);
  if (sampled)
    while (samples_.due(later)) {
      State unused = state_;
      samples_.take(unused, dynamics_->evaluator());
    }
  dynamics_->set_state(state_);
  contacts_.resume();
  row_is_known_ = false;
}

void HostedMotion::set_time(double t) { state_.t = t, row_is_known_ = false; }

void HostedMotion::set_states(const double* x) {
  std::copy_n(x, state_.x.size(), state_.x.data());
  row_is_known_ = false;
}

void HostedMotion::set_input(int k, double value) {
  inputs_[k] = pending_[k] = value;
  dynamics_->evaluator().set_parameters(inputs_);
  dynamics_->set_state(state_);
  row_is_known_ = false;
}

void HostedMotion::jump_input(int k, double value) { pending_[k] = value; }

bool HostedMotion::rates(double* xdot) { return dynamics_->derivative(state_.t, state_.x.data(), xdot); }

void HostedMotion::indicators(double* margins) {
  comparisons_.margins(state_.t, state_.x.data(), margins);
  if (contacts_.any()) contacts_.margins(state_.t, state_.x.data(), margins + prepared_.system->layout().nw);
}

const std::vector<double>& HostedMotion::channels() {
  if (!row_is_known_) rows_->write(state_.t, state_.x);
  row_is_known_ = true;
  return row_.values;
}

void HostedMotion::take_inputs() {
  if (pending_ == inputs_) return;
  comparisons_.change_held([&] {
    inputs_ = pending_;
    dynamics_->evaluator().set_parameters(inputs_);
  });
}

bool HostedMotion::return_to_constraints() {
  if (prepared_.system->layout().m == 0 && prepared_.system->equations().quaternions.empty()) return false;
  projected_ = state_.x;
  dynamics_->project_if_possible(state_.t, projected_.data());
  const bool moved = projected_ != state_.x;
  state_.x = projected_;
  return moved;
}

// Farther from the constraints than a step may err.
bool HostedMotion::has_drifted() {
  const Eigen::VectorXd before = state_.x;
  if (!return_to_constraints()) return false;
  const auto tolerance = prepared_.options.atol.array() + prepared_.options.rtol * before.array().abs();
  const bool far = ((state_.x - before).array().abs() > tolerance).any();
  state_.x = before;
  return far;
}

bool HostedMotion::complete_step() {
  row_is_known_ = false;
  if (follows_steps_) {
    dynamics_->evaluator().set(state_.t, state_.x.data());
    dynamics_->evaluator().next_discrete(state_.d);
    dynamics_->set_state(state_);
  }
  return comparisons_.arrives() || contacts_.arrives() || samples_.due(state_.t) || has_drifted();
}

void HostedMotion::change_outcomes(std::vector<RunEvent>& events) {
  impacts_.before(state_);
  for (RunEvent& event : comparisons_.change()) events.push_back(std::move(event));
  const std::string broken = impacts_.after(state_, events);
  if (!broken.empty()) throw ComputationError(broken);
  dynamics_->set_state(state_);
}

// Comparisons of velocities jump with them.
void HostedMotion::change_contacts(std::vector<RunEvent>& events) {
  std::string broken;
  comparisons_.jump_with([&] { broken = contacts_.change(events); });
  if (!broken.empty()) throw ComputationError(broken);
}

HostedMotion::Update HostedMotion::update() {
  Update update;
  row_is_known_ = false;
  update.state_changed = return_to_constraints();
  take_inputs();
  const Eigen::VectorXd before = state_.x;
  if (comparisons_.arrives()) change_outcomes(update.events);
  if (contacts_.arrives()) change_contacts(update.events);
  update.state_changed = update.state_changed || state_.x != before;
  if (samples_.due(state_.t)) comparisons_.change_held([&] { samples_.take(state_, dynamics_->evaluator()); });
  update.again = comparisons_.arrives() || contacts_.arrives();
  return update;
}

}  // namespace armature::internal
