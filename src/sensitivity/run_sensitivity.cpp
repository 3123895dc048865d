#include "sensitivity/run_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
  bridge_.begin();
  roots_.jump = -std::numeric_limits<double>::infinity();
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

double RunSensitivity::regularity(const Step& step, double t) {
  State state = held_;
  state.t = t;
  step.interpolate(t, state.x);
  path_.sensitivity().set(state);
  return path_.sensitivity().regularity();
}

bool RunSensitivity::advance(const Step& step, double from, double until) {
  before_pose_.reset();
  pose_begin_ = pose_end_ = from;
  const bool has_loops = path_.sensitivity().layout().m > 0;
  if (!bridge_.active()) {
    if (path_.advance(step, held_, from, until)) {
      if (has_loops) bridge_.note(path_, from, until);
      return true;
    }
    failure_ = path_.failure();
    if (!has_loops) return false;
  }
  return pass_singular_pose(step, from, until);
}

// Up to the last regular time of the piece, across the pose, and on from where it is regular again, in this piece or a later one.
bool RunSensitivity::pass_singular_pose(const Step& step, double from, double until) {
  constexpr int points = 64;
  // How regular the pose is along the piece, at 64 points and both ends.
  std::array<double, points + 1> t, sine;
  for (std::size_t k = 0; k <= points; ++k) {
    t[k] = k == points ? until : from + (until - from) * static_cast<double>(k) / points;
    sine[k] = regularity(step, t[k]);
  }
  const auto worst = static_cast<std::size_t>(std::ranges::min_element(sine) - sine.begin());
  // The stretch around the worst point in which the matrix says nothing.
  std::size_t last = worst, next = worst;
  while (last > 0 && sine[last] < SingularBridge::regular) --last;
  while (next < points && sine[next] < SingularBridge::regular) ++next;
  // Entering it: the matrix is followed up to its last regular point and kept there.
  if (!bridge_.active()) {
    if (sine[worst] >= SingularBridge::regular) return false;
    if (last > 0) {
      if (!path_.advance(step, held_, from, t[last])) return false;
      bridge_.note_last(path_, from, t[last]);
      before_pose_.emplace(path_);
    }
    if (!bridge_.open(t[last], t[worst])) return false;
    failure_.clear();
  }
  pose_begin_ = t[last], pose_end_ = t[next];
  // The piece ends inside: the bridge is closed in a later one.
  if (sine[next] < SingularBridge::regular) {
    bridge_.at(until, path_.S());
    return true;
  }
  // Leaving it: the matrix beyond follows from that before the pose and from the constraints behind it.
  regularity(step, t[next]);
  const SingularBridge bridge = bridge_;
  if (!bridge_.close(path_.sensitivity(), t[next], path_.S())) {
    failure_ = fmt::format("at t = {:.10g} s the pose is singular, and motions nearby do not pass it as this one does",
                           t[worst]);
    return false;
  }
  // And on, as usual, to the end of the piece.
  passed_ = bridge;
  if (next == points || path_.advance(step, held_, t[next], until)) return true;
  failure_ = path_.failure();
  return false;
}

void RunSensitivity::at(double t, MatrixXd& S) {
  if (pose_begin_ == pose_end_ || t > pose_end_) return path_.at(t, S);
  if (t <= pose_begin_ && before_pose_) return before_pose_->at(t, S);
  (bridge_.active() ? bridge_ : passed_).at(t, S);
}

bool RunSensitivity::step(const Step& step, double until) {
  if (!failure_.empty()) return false;
  const double from = held_.t;
  held_.d = moving_->d, held_.w = dynamics_->weights();
  if (!advance(step, from, until)) return false;
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
  if ((event || sampled) && bridge_.active())
    failure_ = fmt::format("at t = {:.10g} s the pose is singular while laws change", moving_->t);
  if (!failure_.empty()) return false;
  if (event || sampled) bridge_.begin();  // S has a kink here
  if (event) {
    instant_.after = *moving_;
    instant_.after.w = dynamics_->weights();
    failure_ = saltation_.cross(path_.sensitivity(), roots_, instant_);
    path_.S() = instant_.S_after;
  }
  if (event || sampled) {
    roots_.jump = moving_->t;
    roots_.jump_shift = event ? instant_.shift : Eigen::RowVectorXd::Zero(path_.S().cols());
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
