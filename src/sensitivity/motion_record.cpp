#include "sensitivity/motion_record.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace armature::internal {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int fitted = 9;  // points of a step whose dense output is no polynomial

std::vector<bool> due_values(const Equations& equations, const Samples& samples, double t) {
  std::vector<bool> due;
  for (const Discrete& value : equations.discrete) due.push_back(value.period > 0 && samples.due(value, t));
  return due;
}

std::vector<int> begin_to_slide(const State& before, const State& after) {
  std::vector<int> begin;
  for (std::size_t k = 0; k < after.comparisons.size(); ++k)
    if (after.comparisons[k] == ComparisonStatus::sliding && before.comparisons[k] != ComparisonStatus::sliding)
      begin.push_back(static_cast<int>(k));
  return begin;
}

bool same_held(const State& a, const State& b) { return a.d == b.d && a.w == b.w && a.comparisons == b.comparisons; }

}  // namespace

// ---- x over a step

PolynomialPath::PolynomialPath(const Step& step)
    : middle_(0.5 * (step.previous_t() + step.t())), length_(step.t() - step.previous_t()) {
  std::vector<int> all(static_cast<std::size_t>(step.x().size()));
  std::iota(all.begin(), all.end(), 0);
  StepPath path;
  if (!step.path(all, path)) {
    fit(step);
    return;
  }
  middle_ = path.middle(), length_ = path.length();
  c_.resize(step.x().size(), path.order() + 1);
  for (Eigen::Index i = 0; i < c_.rows(); ++i)
    for (Eigen::Index k = 0; k < c_.cols(); ++k)
      c_(i, k) = path[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
}

// Through Chebyshev's points.
void PolynomialPath::fit(const Step& step) {
  MatrixXd powers(fitted, fitted), values(fitted, step.x().size());
  VectorXd x;
  for (int k = 0; k < fitted; ++k) {
    const double u = -0.5 * std::cos(std::numbers::pi * k / (fitted - 1));
    for (int j = 0; j < fitted; ++j) powers(k, j) = std::pow(u, j);
    step.interpolate(std::clamp(middle_ + u * length_, step.previous_t(), step.t()), x);
    values.row(k) = x.transpose();
  }
  c_ = powers.partialPivLu().solve(values).transpose();
}

void PolynomialPath::operator()(double t, VectorXd& x) const {
  const double u = (t - middle_) / length_;
  x = c_.col(c_.cols() - 1);
  for (Eigen::Index k = c_.cols() - 1; k-- > 0;) x = x * u + c_.col(k);
}

// ---- the record

MotionRecord::MotionRecord(const std::shared_ptr<const System>& system, std::size_t limit)
    : evaluator_(system), limit_(limit) {}

void MotionRecord::set(const Prepared& prepared, long end) {
  evaluator_.set_parameters(prepared.parameters);
  roots_.rtol = prepared.options.rtol;
  roots_.jump = -std::numeric_limits<double>::infinity();
  start_ = held_ = prepared.start;
  end_ = end, first_ = count_ = 0;
  entries_.clear(), sizes_.clear();
  numbers_ = 0;
  dynamics_ = nullptr;  // the run restarts once before it begins
  path_.reset(), shared_held_.reset(), event_.reset(), sample_.reset();
}

void MotionRecord::add(RecordEntry entry, std::size_t numbers) {
  if (++count_ > end_) return;
  entries_.push_back(std::move(entry));
  sizes_.push_back(numbers);
  numbers_ += numbers;
  while (numbers_ > limit_ && entries_.size() > 1) {
    numbers_ -= sizes_.front();
    entries_.pop_front(), sizes_.pop_front();
    ++first_;
  }
}

// What is sampled at the start, and what sticks there, is the first entry.
void MotionRecord::begin(Dynamics& dynamics, const State& state) {
  dynamics_ = &dynamics, moving_ = &state;
  sliding_rate_ = dynamics.comparisons().rate();
  const Equations& equations = dynamics.system().equations();
  const Samples samples(equations, state.t);
  RecordedSample first{held_, std::vector<bool>(equations.discrete.size(), false), begin_to_slide(held_, state)};
  if (samples.due(state.t)) first.due = due_values(equations, samples, state.t);
  add({nullptr, nullptr, std::make_unique<const RecordedSample>(std::move(first))}, 0);
  roots_.scale.setZero(dynamics.system().layout().nw);
  hold();
  look_at_roots(held_);
}

void MotionRecord::hold() {
  held_ = *moving_;
  held_.w = dynamics_->weights();
}

void MotionRecord::look_at_roots(const State& state) {
  if (roots_.scale.size() == 0) return;
  root_.resize(roots_.scale.size());
  evaluator_.set(state);
  evaluator_.roots(root_);
  roots_.scale = roots_.scale.cwiseMax(root_.cwiseAbs());
}

void MotionRecord::step(const Step& step, double until) {
  const double from = held_.t;
  if (!(until > from)) return;
  held_.d = moving_->d, held_.w = dynamics_->weights();
  // Pieces share the values that are held over them, and the polynomial of the step that they belong to.
  if (!shared_held_ || !same_held(*shared_held_, held_)) shared_held_ = std::make_shared<const State>(held_);
  const bool keeps = count_ < end_;
  if (keeps && (!path_ || path_begin_ != step.previous_t() || path_end_ != step.t())) {
    path_ = std::make_shared<const PolynomialPath>(step);
    path_begin_ = step.previous_t(), path_end_ = step.t();
  }
  add({std::make_unique<const RecordedPiece>(RecordedPiece{from, until, path_, shared_held_}), nullptr, nullptr},
      keeps ? path_->numbers() : 0);
  held_.t = until;
  // The roots of comparisons at the end of the piece, by which an event that follows is told from a graze.
  if (roots_.scale.size() == 0) return;
  step.interpolate(until, held_.x);
  roots_.piece_start = root_;
  roots_.piece = until - from;
  look_at_roots(held_);
}

void MotionRecord::changing() {
  event_ = std::make_unique<RecordedEvent>();
  event_->before = held_;
  event_->before.x = moving_->x;
}

void MotionRecord::sampling(const Samples& samples) {
  sample_ = std::make_unique<RecordedSample>();
  sample_->seen = *moving_;
  const Layout& n = dynamics_->system().layout();
  sample_->seen.w = Eigen::Map<const VectorXd>(dynamics_->evaluator().inputs() + n.w(), n.nw);
  sample_->due = due_values(dynamics_->system().equations(), samples, moving_->t);
}

bool MotionRecord::restarted() {
  const auto size = static_cast<std::size_t>(2 * dynamics_->system().layout().size());
  const bool event = event_ != nullptr, jumps = event || sample_ != nullptr;
  // An event was noted before the state changed: it is complete now that the state after it is known.
  if (event_) {
    event_->after = *moving_;
    event_->after.w = dynamics_->weights();
    event_->roots = roots_;
    add({nullptr, std::move(event_), nullptr}, size);
  }
  // A sample may make something stick or slide at once.
  if (sample_) {
    sample_->sticks_at_once = begin_to_slide(held_, *moving_);
    add({nullptr, nullptr, std::move(sample_)}, size);
  }
  if (jumps) roots_.jump = moving_->t;
  hold();
  look_at_roots(held_);
  return event;
}

}  // namespace armature::internal
