#include "study/motion_watcher.hpp"

#include <algorithm>

#include "expression/interruption.hpp"

namespace armature::internal {

// The piece of the motion that was computed last, inside the integrator's last step.
class MotionWatcher::Piece {
  using Search = step::SignalSearch<PathRanges>;
  // A search that nobody waits for any more meets what is not a number, and ends.
  auto formula(const step::Measured& functional) {
    return [this, k = functional.observed](double t) {
      constexpr long operations = 100;
      return interrupted_after(operations) ? step::no_number() : observe(t)[k];
    };
  }

 public:
  Piece(MotionWatcher& watcher, const Integrator& integrator) : watcher_(watcher), integrator_(integrator) {}

  const double* observe(double t) {
    watcher_.observe_on(integrator_, t);
    return watcher_.y_.data();
  }
  const double* observe_on_constraints(double t) {
    integrator_.interpolate(t, watcher_.x_);
    if (t < integrator_.t()) watcher_.dynamics_->project_if_possible(t, watcher_.x_.data());
    watcher_.observe(t);
    return watcher_.y_.data();
  }
  void raise(const step::Measured& functional, double sign, double from, double to, step::PieceTop& top,
             step::Searched& searched) {
    if (!watcher_.has_ranges_ || !is_formula(functional, watcher_.observed_.program())) return;
    Search search(&*watcher_.ranges_, functional.observed, searched);
    search.raise(formula(functional), sign, from, to, top);
    search.finish();
  }
  double integral(const step::Measured& functional, double from, double to, const double* y, step::Searched& searched) {
    const bool ranged = watcher_.has_ranges_ && is_formula(functional, watcher_.observed_.program());
    Search search(ranged ? &*watcher_.ranges_ : nullptr, functional.observed, searched);
    const double part = search.integral(formula(functional), from, to, y);
    search.finish();
    return part;
  }

 private:
  MotionWatcher& watcher_;
  const Integrator& integrator_;
};

MotionWatcher::MotionWatcher(const std::vector<Functional>& functionals, std::shared_ptr<const Program> observed,
                             double end)
    : functionals_(functionals), observed_(std::move(observed)), end_(end), count_(observed_.program().output_count()) {
  in_.resize(static_cast<std::size_t>(observed_.program().input_count()));
  y_.resize(static_cast<std::size_t>(count_));
  y_samples_.resize(static_cast<std::size_t>(samples * count_));
  y_window_.resize(y_samples_.size());
  known_.resize(functionals.size());
  if (std::ranges::all_of(functionals, &Functional::looks_at_ends)) first_sample_ = samples - 1;
}

// What slides has other weights at every state: friction that holds a block balances the force of the moment.
const Eigen::VectorXd& MotionWatcher::weights_at(double t) {
  if (dynamics_->comparisons().follows_roots()) {
    dynamics_->comparisons().take_signs(t, x_.data());
    return dynamics_->weights();
  }
  return solves_weights() ? dynamics_->engine().weights_at(t, x_.data()) : weights_;
}

// The motion goes on as if nobody had looked.
void MotionWatcher::restore_weights() {
  for (int k = 0; k < weights_.size(); ++k)
    if (dynamics_->weights()[k] != weights_[k]) dynamics_->comparisons().set_weight(k, weights_[k]);
}

void MotionWatcher::observe(double t) {
  const Eigen::VectorXd& weights = weights_at(t);
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

void MotionWatcher::begin(Dynamics& dynamics, const Integrator&, const State& start) {
  dynamics_ = &dynamics;
  state_ = &start;
  t_start_ = t_ = start.t;
  x_ = start.x;
  weights_ = dynamics.weights();
  seen_ = outcomes_read(observed_.program(), dynamics.system().layout());
  observe(t_);
  if (solves_weights()) restore_weights();
  for (std::size_t k = 0; k < functionals_.size(); ++k) {
    known_[k].begin(functionals_[k], t_, y_[static_cast<std::size_t>(functionals_[k].observed)]);
    known_[k].searched.share = integral_share_;
  }
  ranges_.reset();
  if (std::ranges::any_of(functionals_, [&](const Functional& f) { return follows_ranges(f, observed_.program()); }))
    ranges_.emplace(dynamics.system().layout(), observed_.program());
  if (!checks_) checks_.emplace(*prepared_);
  checks_->begin(*prepared_, dynamics, start);
}

void MotionWatcher::sample_times(double until, double* t) const { step::sample_times(t_, until, t); }

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
  std::array<double, samples> t;
  sample_times(until, t.data());
  begin_ranges(integrator);
  Piece piece(*this, integrator);
  step::Gathering<Piece> gathering(piece, count_, y_window_.data());
  for (std::size_t k = 0; k < functionals_.size(); ++k) gathering.take(functionals_[k], known_[k], t.data(), outputs);
  if (solves_weights()) restore_weights();
  t_ = until;
  checks_->step(integrator, until);
  return !enough();
}

bool MotionWatcher::is_formula(const step::Measured& functional, const Program& observed) {
  return observed.output_slots()[static_cast<std::size_t>(functional.observed)] >= observed.input_count();
}

bool MotionWatcher::follows_ranges(const step::Measured& functional, const Program& observed) {
  const bool whole = !functional.looks_at_ends() && functional.kind != step::FunctionalKind::first &&
                     functional.kind != step::FunctionalKind::last;
  return whole && is_formula(functional, observed);
}

// With fixed steps no outcome of a comparison is held, and what slides has other weights on the way: formulas that look there have no ranges.
void MotionWatcher::begin_ranges(const Integrator& integrator) {
  has_ranges_ = false;
  if (!ranges_ || (dynamics_->comparisons().follows_roots() && !seen_.empty()) || solves_weights()) return;
  double* next = std::copy_n(state_->d.data(), state_->d.size(), in_.data() + 1 + x_.size());
  next = std::copy_n(weights_.data(), weights_.size(), next);
  std::copy_n(parameters_.data(), parameters_.size(), next);
  has_ranges_ = ranges_->begin(integrator, in_.data());
}

Interval MotionWatcher::bounds(int functional) const {
  const auto k = static_cast<std::size_t>(functional);
  Interval result;
  known_[k].bounds(functionals_[k], t_, t_start_, end_, result.least, result.most);
  return result;
}

double MotionWatcher::value(int functional) const {
  const auto k = static_cast<std::size_t>(functional);
  return known_[k].value(functionals_[k], t_, t_start_);
}

Functionals MotionWatcher::functionals_at_end() const {
  Functionals all;
  for (std::size_t k = 0; k < functionals_.size(); ++k) {
    all.values.push_back(value(static_cast<int>(k)));
    const Functional& f = functionals_[k];
    const bool unresolved = !(known_[k].undefined < step::infinity) && !known_[k].is_resolved(f);
    all.unresolved.push_back(unresolved);
    all.undefined_at.push_back(unresolved                          ? known_[k].searched.doubtful
                               : !f.looks_at_ends()                ? known_[k].undefined
                               : f.kind == Functional::Kind::at    ? f.time
                               : f.kind == Functional::Kind::final ? t_
                                                                   : t_start_);
  }
  return all;
}

}  // namespace armature::internal
