#include "sensitivity/run_sensitivity.hpp"

#include <algorithm>
#include <utility>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<bool> due_values(const Equations& equations, const Samples& samples, double t) {
  std::vector<bool> due;
  for (const Discrete& value : equations.discrete) due.push_back(value.period > 0 && samples.due(value, t));
  return due;
}

}  // namespace

RunSensitivity::RunSensitivity(const MotionSensitivity& motion, const Saltation& saltation)
    : path_(motion), saltation_(saltation) {}

void RunSensitivity::set(const Prepared& prepared, const MatrixXd& S) {
  path_.sensitivity().set_parameters(prepared.parameters);
  saltation_.set_parameters(prepared.parameters);
  roots_.rtol = prepared.options.rtol, roots_.atol = prepared.options.atol;
  failure_.clear();
  held_ = prepared.start;
  dynamics_ = nullptr;  // the run restarts once before it begins
  path_.begin(prepared, S);
}

void RunSensitivity::begin(Dynamics& dynamics, const State& state) {
  dynamics_ = &dynamics, moving_ = &state;
  path_.sensitivity().set_sliding_rate(dynamics.comparisons().rate());
  const Equations& equations = dynamics.system().equations();
  const Samples samples(equations, state.t);
  if (samples.due(state.t)) saltation_.sample(held_, due_values(equations, samples, state.t), path_.S());
  failure_ = saltation_.held_at_once(held_, state, path_.S());
  if (failure_.empty()) failure_ = saltation_.closed_at_once(held_, state, path_.S());
  roots_.scale.setZero(saltation_.roots());
  hold();
  look_at_roots();
}

void RunSensitivity::hold() {
  held_ = *moving_;
  held_.w = dynamics_->weights();
}

// Where the next piece begins.
void RunSensitivity::look_at_roots() {
  if (roots_.scale.size() == 0) return;
  saltation_.roots(path_.sensitivity(), held_, root_);
  roots_.scale = roots_.scale.cwiseMax(root_.cwiseAbs());
}

bool RunSensitivity::step(const Step& step, double until) {
  if (!failure_.empty()) return false;
  const double from = held_.t;
  held_.d = moving_->d, held_.w = dynamics_->weights();
  if (!path_.advance(step, held_, from, until)) {
    failure_ = path_.failure();
    return false;
  }
  held_.t = until;
  step.interpolate(until, held_.x);
  if (roots_.scale.size() > 0) {
    roots_.piece_start = root_;
    roots_.piece = until - from;
    saltation_.roots(path_.sensitivity(), held_, root_);
    roots_.scale = roots_.scale.cwiseMax(root_.cwiseAbs());
  }
  return true;
}

void RunSensitivity::changing() {
  if (!failure_.empty()) return;
  changes_ = true;
  instant_.contacts.reset();
  instant_.before = held_;
  instant_.before.x = moving_->x;
  instant_.S_before = path_.S();
}

void RunSensitivity::contacts_changed(const ContactImpulses& impulses) {
  if (failure_.empty()) instant_.contacts = impulses;
}

void RunSensitivity::sampling(const Samples& samples) {
  if (!failure_.empty()) return;
  samples_ = true;
  State seen = *moving_;
  const Layout& n = dynamics_->system().layout();
  seen.w = Eigen::Map<const VectorXd>(dynamics_->evaluator().inputs() + n.w(), n.nw);
  saltation_.sample(seen, due_values(dynamics_->system().equations(), samples, moving_->t), path_.S());
}

bool RunSensitivity::restarted() {
  const bool event = std::exchange(changes_, false), sampled = std::exchange(samples_, false);
  if (!failure_.empty()) return false;
  if (event) {
    instant_.after = *moving_;
    instant_.after.w = dynamics_->weights();
    failure_ = saltation_.cross(path_.sensitivity(), roots_, instant_);
    path_.S() = instant_.S_after;
  }
  const bool jumped = sampled || (event && instant_.contacts);
  if (jumped && failure_.empty()) failure_ = saltation_.held_at_once(held_, *moving_, path_.S());
  hold();
  look_at_roots();
  return event && failure_.empty();
}

void RunSensitivity::observe(Directional& formulas, const State& state, const MatrixXd& S, MatrixXd& derivatives) {
  MotionSensitivity& motion = path_.sensitivity();
  const bool slides = std::ranges::count(state.comparisons, ComparisonStatus::sliding) > 0;
  if (slides && motion.set(state) && motion.rate(S, rate_)) {
    formulas.set(motion.state());
    formulas(S, derivatives);
    motion.add_weight_changes(formulas, derivatives);
    return;
  }
  formulas.set(state);
  formulas(S, derivatives);
}

}  // namespace armature::internal
