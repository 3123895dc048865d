#include "study/motion_watcher.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "integrate/ida.hpp"
#include "observe/minimum_search.hpp"

namespace armature::internal {

namespace {

using Kind = Functional::Kind;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double near_top = 1e-8;  // of the time between samples: the error of a top is of second order

bool looks_at_ends(const Functional& functional) {
  return functional.kind == Kind::initial || functional.kind == Kind::final || functional.kind == Kind::at;
}

double turned(double initial, double largest, double smallest) {
  return std::max(largest - initial, initial - smallest) / (2 * std::numbers::pi);
}

}  // namespace

MotionWatcher::MotionWatcher(const std::vector<Functional>& functionals, std::shared_ptr<const Program> observed,
                             double end)
    : functionals_(functionals), observed_(std::move(observed)), end_(end), count_(observed_.program().output_count()) {
  in_.resize(static_cast<std::size_t>(observed_.program().input_count()));
  y_.resize(static_cast<std::size_t>(count_));
  y_samples_.resize(static_cast<std::size_t>(samples * count_));
  y_window_.resize(y_samples_.size());
  known_.resize(functionals.size());
  if (std::ranges::all_of(functionals, looks_at_ends)) first_sample_ = samples - 1;
}

void MotionWatcher::observe(double t) {
  const bool follows = dynamics_->comparisons().follows_roots();
  if (follows) dynamics_->comparisons().take_signs(t, x_.data());
  const Eigen::VectorXd& weights = follows ? dynamics_->weights() : weights_;
  in_[0] = t;
  double* next = std::copy_n(x_.data(), x_.size(), in_.data() + 1);
  next = std::copy_n(state_->d.data(), state_->d.size(), next);
  next = std::copy_n(weights.data(), weights.size(), next);
  std::copy_n(parameters_.data(), parameters_.size(), next);
  observed_(in_.data(), y_.data());
}

void MotionWatcher::observe_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  observe(t);
}

void MotionWatcher::begin(Dynamics& dynamics, const Integrator& integrator, const State& start) {
  dynamics_ = &dynamics;
  state_ = &start;
  t_start_ = t_ = start.t;
  x_ = start.x;
  weights_ = dynamics.weights();
  observe(t_);
  for (std::size_t k = 0; k < functionals_.size(); ++k) {
    const double y = y_[static_cast<std::size_t>(functionals_[k].observed)];
    known_[k] = {y, y, y, y, 0, y >= 0.5 ? t_ : infinite, t_, functionals_[k].time <= t_ ? y : infinite, t_, t_};
    if (functionals_[k].from > t_) known_[k].first = infinite, known_[k].begun = false;
    if (functionals_[k].has_window()) known_[k].final_time = known_[k].first;  // infinite: it does not hold there
  }
  ranges_.reset();
  if (std::ranges::any_of(functionals_, [&](const Functional& f) { return follows_ranges(f); }))
    ranges_.emplace(dynamics.system().layout(), observed_.program());
  checks_.begin(dynamics, start, dynamic_cast<const Ida*>(&integrator) == nullptr);
}

void MotionWatcher::sample_times(double until, double* t) const {
  for (int j = 0; j < samples; ++j) t[j] = j == samples - 1 ? until : t_ + (until - t_) * j / (samples - 1);
}

bool MotionWatcher::step(const Integrator& integrator, double until) {
  std::array<double, samples> t;
  sample_times(until, t.data());
  weights_ = dynamics_->weights();
  for (int j = first_sample_; j < samples; ++j) {
    observe_on(integrator, t[static_cast<std::size_t>(j)]);
    std::copy(y_.begin(), y_.end(), y_samples_.begin() + static_cast<std::ptrdiff_t>(j) * count_);
  }
  return look(integrator, until, y_samples_.data());
}

bool MotionWatcher::step_sampled(const Integrator& integrator, double until, const double* outputs) {
  weights_ = dynamics_->weights();
  return look(integrator, until, outputs);
}

bool MotionWatcher::look(const Integrator& integrator, double until, const double* outputs) {
  if (!(until > t_)) return true;
  Piece piece{integrator, {}, outputs};
  sample_times(until, piece.t.data());
  begin_ranges(piece);
  for (std::size_t k = 0; k < functionals_.size(); ++k) gather_window(functionals_[k], known_[k], piece);
  t_ = until;
  if (until == integrator.t()) checks_.step(until, integrator.x());
  return !enough();
}

// Of a piece that a window cuts, the part inside it is sampled by itself.
void MotionWatcher::gather_window(const Functional& functional, Gathered& known, const Piece& piece) {
  const double from = std::max(functional.from, piece.t.front()), to = std::min(functional.to, piece.t.back());
  if (!(from < to)) return;
  if (from == piece.t.front() && to == piece.t.back() && known.begun) return gather(functional, known, piece);
  Piece part{piece.integrator, {}, y_window_.data()};
  for (int j = 0; j < samples; ++j) {
    const double t = j == samples - 1 ? to : from + (to - from) * j / (samples - 1);
    part.t[static_cast<std::size_t>(j)] = t;
    observe_on(part.integrator, t);
    std::ranges::copy(y_, y_window_.begin() + static_cast<std::ptrdiff_t>(j) * count_);
  }
  if (!known.begun) {
    const double y = sampled(part, functional.observed, 0);
    known = {y, y, y, y, 0, y >= 0.5 ? from : infinite, known.final_time, infinite, from, from};
  }
  gather(functional, known, part);
}

void MotionWatcher::gather(const Functional& functional, Gathered& known, const Piece& piece) {
  const Kind kind = functional.kind;
  const int formula = functional.observed;
  known.last = sampled(piece, formula, samples - 1);
  if (kind == Kind::max || kind == Kind::turns) peak(functional, piece, 1, known.largest, known.t_largest);
  if (kind == Kind::min || kind == Kind::turns) {
    double least = -known.smallest;
    peak(functional, piece, -1, least, known.t_smallest);
    known.smallest = -least;
  }
  if (kind == Kind::integral || kind == Kind::mean) {
    const double part = integral(functional, piece, known.size);
    known.integral += part;
    known.size += std::abs(part);
  }
  if (kind == Kind::first || kind == Kind::last)
    for (int j = 0; j < samples; ++j) {
      if (sampled(piece, formula, j) < 0.5) continue;
      known.first = std::min(known.first, piece.t[static_cast<std::size_t>(j)]);
      known.final_time = piece.t[static_cast<std::size_t>(j)];
    }
  if (kind == Kind::at && functional.time > piece.t.front() && functional.time <= piece.t.back()) {
    piece.integrator.interpolate(functional.time, x_);
    if (functional.time < piece.integrator.t()) dynamics_->project_if_possible(functional.time, x_.data());
    observe(functional.time);
    known.at = y_[static_cast<std::size_t>(formula)];
  }
}

// The largest sign * y of the piece and its time, if it is more than `known`. Where a parabola through three samples has its top inside an
// interval, and above all that is known, the top is sought.
void MotionWatcher::peak(const Functional& functional, const Piece& piece, double sign, double& known, double& when) {
  const int formula = functional.observed;
  std::array<double, samples> f;
  for (int j = 0; j < samples; ++j) f[static_cast<std::size_t>(j)] = sign * sampled(piece, formula, j);
  for (std::size_t j = 0; j < samples; ++j)
    if (f[j] > known) known = f[j], when = piece.t[j];
  const double h = (piece.t.back() - piece.t.front()) / (samples - 1);
  for (std::size_t j = 1; j + 1 < samples; ++j) {
    const double slope = 0.5 * (f[j + 1] - f[j - 1]), curvature = f[j + 1] - 2 * f[j] + f[j - 1];
    const double top = -slope / curvature;  // in intervals from sample j
    if (!(curvature < 0) || !(std::abs(top) < 1) || !(f[j] - 0.5 * slope * slope / curvature > known)) continue;
    const double t = piece.t[j] + top * h;
    observe_on(piece.integrator, t);
    const double value = sign * y_[static_cast<std::size_t>(formula)];
    if (value <= known) continue;
    const auto below = [&](double at) {
      observe_on(piece.integrator, at);
      return -sign * y_[static_cast<std::size_t>(formula)];
    };
    const SearchPoint found =
        MinimumSearch{.closeness = near_top}(below, piece.t[j - 1], piece.t[j + 1], SearchPoint{t, -value});
    known = -found.value, when = found.t;
  }
  if (!has_ranges_ || !follows_ranges(functional)) return;
  const auto value = [&](double t) {
    observe_on(piece.integrator, t);
    return y_[static_cast<std::size_t>(formula)];
  };
  SignalSearch::Top top{known, when};
  SignalSearch(*ranges_, formula).raise(value, sign, piece.t.front(), piece.t.back(), top);
  known = top.value, when = top.t;
}

// A coordinate is as smooth as the step that was taken for it; a formula need not be.
bool MotionWatcher::follows_ranges(const Functional& functional) const {
  const bool whole = !looks_at_ends(functional) && functional.kind != Kind::first && functional.kind != Kind::last;
  const std::vector<int>& slots = observed_.program().output_slots();
  return whole && slots[static_cast<std::size_t>(functional.observed)] >= observed_.program().input_count();
}

// With fixed steps no outcome of a comparison is held.
void MotionWatcher::begin_ranges(const Piece& piece) {
  has_ranges_ = false;
  if (!ranges_ || dynamics_->comparisons().follows_roots()) return;
  double* next = std::copy_n(state_->d.data(), state_->d.size(), in_.data() + 1 + x_.size());
  next = std::copy_n(weights_.data(), weights_.size(), next);
  std::copy_n(parameters_.data(), parameters_.size(), next);
  has_ranges_ = ranges_->begin(piece.integrator, in_.data());
}

double MotionWatcher::integral(const Functional& functional, const Piece& piece, double size) {
  SignalSearch::Samples y;
  for (int j = 0; j < samples; ++j) y[static_cast<std::size_t>(j)] = sampled(piece, functional.observed, j);
  const double from = piece.t.front(), to = piece.t.back();
  if (!has_ranges_ || !follows_ranges(functional)) return (to - from) * SignalSearch::boole(y);
  const auto f = [&](double t) {
    observe_on(piece.integrator, t);
    return y_[static_cast<std::size_t>(functional.observed)];
  };
  return SignalSearch(*ranges_, functional.observed).integral(f, from, to, y, size);
}

Interval MotionWatcher::bounds(int functional) const {
  const Functional& f = functionals_[static_cast<std::size_t>(functional)];
  const Gathered& known = known_[static_cast<std::size_t>(functional)];
  if (f.has_window() && t_ >= f.to) return Interval::point(value(functional));
  if (!known.begun) return {};
  switch (f.kind) {
    case Kind::initial: return Interval::point(known.initial);
    case Kind::max: return {known.largest, infinite};
    case Kind::min: return {-infinite, known.smallest};
    case Kind::turns: return {turned(known.initial, known.largest, known.smallest), infinite};
    case Kind::at: return f.time <= t_ ? Interval::point(known.at) : Interval{};
    case Kind::first: return known.first < infinite ? Interval::point(known.first) : Interval{t_, infinite};
    case Kind::last:
      return known.final_time < infinite ? Interval{known.final_time, std::min(f.to, end_)} : Interval{t_, infinite};
    default: return {};
  }
}

double MotionWatcher::value(int functional) const {
  const Functional& f = functionals_[static_cast<std::size_t>(functional)];
  const Gathered& known = known_[static_cast<std::size_t>(functional)];
  switch (f.kind) {
    case Kind::initial: return known.initial;
    case Kind::final: return known.last;
    case Kind::at: return known.at;
    case Kind::max: return known.largest;
    case Kind::min: return known.smallest;
    case Kind::mean: return known.integral / (std::min(f.to, t_) - std::max(f.from, t_start_));
    case Kind::integral: return known.integral;
    case Kind::turns: return turned(known.initial, known.largest, known.smallest);
    case Kind::first: return known.first;
    case Kind::last: return known.final_time;
  }
  return infinite;
}

}  // namespace armature::internal
