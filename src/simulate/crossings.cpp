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
  evaluator.set(t, x_.data());
  evaluator.set_modes(dynamics_.weights());
  evaluator.events(value_);
}

void Crossings::evaluate_on(const Integrator& integrator, double t) {
  integrator.interpolate(t, x_);
  if (t < integrator.t()) dynamics_.project(t, x_.data(), nullptr);
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
bool Crossings::stays_away(const Integrator& integrator, double until) {
  evaluate_on(integrator, until);
  end_ = value_;
  if (smooth_) return apart_from_zero(before_, last_);
  integrator.interpolate(t_, x_);
  evaluate(t_);
  before_ = value_;
  if (!apart_from_zero(before_, last_)) return false;
  const double middle = 0.5 * (t_ + until);
  integrator.interpolate(middle, x_);
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

void Crossings::find(const Integrator& integrator, double until, std::vector<RunEvent>& events) {
  const bool away = stays_away(integrator, until);
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
    evaluate_on(integrator, t);
    const Eigen::VectorXd now = value_;
    for (Eigen::Index k = 0; k < now.size(); ++k) {
      if (!(last_[k] * now[k] < 0) && !(last_[k] != 0 && now[k] == 0)) continue;
      const double at = locate(integrator, k, t_, t, last_[k], now[k]);
      evaluate_on(integrator, at);
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

// False position with halving (Illinois), and a bisection every third time.
double Crossings::locate(const Integrator& integrator, Eigen::Index k, double a, double b, double fa, double fb) {
  for (int pass = 0; pass < 60 && b - a > 1e-15 * std::max(std::abs(a), std::abs(b)); ++pass) {
    double t = pass % 3 == 2 ? 0.5 * (a + b) : b - fb * (b - a) / (fb - fa);
    if (!(t > a && t < b)) t = 0.5 * (a + b);
    if (t <= a || t >= b) break;
    evaluate_on(integrator, t);
    const double f = value_[k];
    if (f == 0) return t;
    if ((f < 0) == (fb < 0))
      b = t, fb = f, fa *= 0.5;
    else
      a = t, fa = f, fb *= 0.5;
  }
  return 0.5 * (a + b);
}

}  // namespace armature
