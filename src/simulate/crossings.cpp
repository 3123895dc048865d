#include "simulate/crossings.hpp"

#include <algorithm>
#include <cmath>

#include "simulate/stray.hpp"

namespace armature {

namespace {

constexpr int probes = 4;  // of a step: a function may cross twice in one

}  // namespace

Crossings::Crossings(Dynamics& dynamics) : dynamics_(dynamics) {
  const auto count = static_cast<Eigen::Index>(dynamics.system().equations().events.size());
  value_ = before_ = last_ = end_ = Eigen::VectorXd::Zero(count);
}

void Crossings::evaluate(double t) {
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set_modes(dynamics_.weights_at(t, x_.data()));
  evaluator.set(t, x_.data());
  evaluator.events(value_);
}

void Crossings::evaluate_on(const Step& step, double t) {
  step.interpolate(t, x_);
  if (t < step.t()) dynamics_.project_if_possible(t, x_.data());
  evaluate(t);
}

void Crossings::begin(double t, const Eigen::VectorXd& x) {
  x_ = x;
  evaluate(t);
  t_ = t;
  last_ = value_;
}

// By the ends of this step and the two before; where there are none, by three points of this one, which need not be put on
// the manifold for that.
bool Crossings::stays_away(const Step& step, double until) {
  evaluate_on(step, until);
  end_ = value_;
  if (smooth_) return apart_from_zero(before_, last_);
  step.interpolate(t_, x_);
  evaluate(t_);
  before_ = value_;
  if (!apart_from_zero(before_, last_)) return false;
  const double middle = 0.5 * (t_ + until);
  step.interpolate(middle, x_);
  evaluate(middle);
  return apart_from_zero(before_, value_);
}

bool Crossings::apart_from_zero(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
  for (Eigen::Index k = 0; k < end_.size(); ++k) {
    const double least = std::min({std::abs(a[k]), std::abs(b[k]), std::abs(end_[k])});
    if (!(least > stray(a[k], b[k], end_[k]))) return false;
  }
  return true;
}

// Well away from zero, so that it does not matter that they are not put on the manifold.
bool Crossings::keeps_signs(const Step& step, double until) {
  const auto same = [](double a, double b) { return a * b > 0 && std::abs(a) > 0.05 * std::abs(b); };
  for (int probe = 1; probe <= probes; ++probe) {
    const double t = t_ + (until - t_) * probe / probes;
    if (probe < probes) step.interpolate(t, x_), evaluate(t);
    const Eigen::VectorXd& value = probe < probes ? value_ : end_;
    for (Eigen::Index k = 0; k < value.size(); ++k)
      if (!same(value[k], last_[k]) || !same(value[k], end_[k])) return false;
  }
  return true;
}

void Crossings::find(const Step& step, double until, std::vector<RunEvent>& events) {
  const bool away = stays_away(step, until) || keeps_signs(step, until);
  if (smooth_) before_ = last_;
  smooth_ = true;
  if (away) {
    last_ = end_, t_ = until;
    return;
  }
  const double from = t_;
  const std::size_t first = events.size();
  for (int probe = 1; probe <= probes; ++probe) {
    const double t = probe == probes ? until : from + (until - from) * probe / probes;
    evaluate_on(step, t);
    const Eigen::VectorXd now = value_;
    for (Eigen::Index k = 0; k < now.size(); ++k) {
      if (!(last_[k] * now[k] < 0) && !(last_[k] != 0 && now[k] == 0)) continue;
      const double at = locate(step, k, {t_, last_[k]}, {t, now[k]});
      evaluate_on(step, at);
      events.push_back(
          {at, dynamics_.system().equations().events[k].name + (last_[k] < 0 ? " = 0, rising" : " = 0, falling"), x_});
    }
    for (Eigen::Index k = 0; k < now.size(); ++k)
      if (now[k] != 0) last_[k] = now[k];
    t_ = t;
  }
  std::sort(events.begin() + static_cast<std::ptrdiff_t>(first), events.end(),
            [](const RunEvent& a, const RunEvent& b) { return a.t < b.t; });
}

double Crossings::locate(const Step& step, Eigen::Index k, SearchPoint before, SearchPoint after) {
  SearchPoint recent = after, other = before, older = before;
  double part = after.value / (after.value - before.value);  // of the way from recent to other
  for (int pass = 0; pass < 100 && recent.value != 0; ++pass) {
    const double way = other.t - recent.t;
    const double least = 5e-16 * std::max(std::abs(recent.t), std::abs(other.t)) / std::abs(way);
    if (!(least < 0.5)) break;
    const double t = recent.t + std::clamp(part, least, 1 - least) * way;
    evaluate_on(step, t);
    const SearchPoint here{t, value_[k]};
    const bool same_side = (here.value < 0) == (recent.value < 0);
    older = same_side ? recent : other;
    if (!same_side) other = recent;
    recent = here;
    part = zero_part(recent, other, older);
  }
  return std::abs(recent.value) <= std::abs(other.value) ? recent.t : other.t;
}

}  // namespace armature
