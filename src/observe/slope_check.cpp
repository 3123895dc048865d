#include "observe/slope_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"
#include "step/regularity.hpp"
#include "step/slope_test.hpp"

namespace armature::internal {

namespace {

constexpr double noticeable_share = 0.1;  // of an acceleration
// Tolerances that a state may err by within a step where dense output is hardly sound (step/dense_output.hpp).
constexpr double dense_errors = 1000;

}  // namespace

std::vector<int> entries_with_slopes(const System& system) {
  const Layout& n = system.layout();
  std::vector<int> entries;
  for (int i = 0; i < n.nv; ++i) entries.push_back(n.nq + i);
  for (int i = 0; i < n.nz; ++i) {
    const Coordinate& state = system.equations().others[static_cast<std::size_t>(i)];
    if (!state.in_ledger() && state.kind != Coordinate::Kind::reference) entries.push_back(n.nq + n.nv + i);
  }
  return entries;
}

SlopeCheck::SlopeCheck(const Prepared& prepared, Dynamics& dynamics)
    : prepared_(prepared), dynamics_(dynamics), entries_(entries_with_slopes(dynamics.system())) {
  rates_.setZero(dynamics.system().layout().nx());
}

bool SlopeCheck::follows_path() {
  if (!has_path_) follows_path_ = step_->path(entries_, path_), has_path_ = true;
  return follows_path_;
}

double SlopeCheck::slope(std::size_t entry, double t) const {
  const StepPath::Polynomial& p = path_[entry];
  const double u = (t - path_.middle()) / path_.length();
  double value = 0;
  for (int k = path_.order(); k > 0; --k) value = u * value + k * p[static_cast<std::size_t>(k)];
  return value / path_.length();
}

double SlopeCheck::tolerance(int i, const Eigen::VectorXd& x) const {
  return prepared_.options.rtol * std::abs(x[i]) + prepared_.options.atol[i];
}

void SlopeCheck::look(double t, const Eigen::VectorXd& x) {
  if (takes_fixed_steps(prepared_.options.integrator))
    return;  // whose dense output may be far less accurate than the steps
  // near a singular pose steps take the accelerations of other poses
  if (dynamics_.acceleration().smallest < step::Regularity::near) return;
  dynamics_.engine().solver().write_rates(rates_.data());
  if (follows_path()) compare(t, x, std::min(prepared_.options.record, path_.length()));
}

void SlopeCheck::look_inside(double t) {
  if (evaluate(t)) compare(t, x_, path_.length());
}

bool SlopeCheck::evaluate(double t) {
  step_->interpolate(t, x_);
  return dynamics_.derivative(t, x_.data(), rates_.data()) &&
         dynamics_.acceleration().smallest >= step::Regularity::near && follows_path();
}

bool SlopeCheck::contradicts(double t) {
  struct Motion {  // of step/slope_test.hpp
    SlopeCheck& check;
    bool evaluate(double t) { return check.evaluate(t); }
    const double* rates() const { return check.rates_.data(); }
    double tolerance(int i) const { return check.tolerance(i, check.x_); }
    const double* rates_beside(double t, int direction) { return check.rates_beside(t, check.x_, direction); }
    int entries() const { return static_cast<int>(check.entries_.size()); }
    int entry(int k) const { return check.entries_[static_cast<std::size_t>(k)]; }
    double slope(int k, double t) const { return check.slope(static_cast<std::size_t>(k), t); }
    double length() const { return check.path_.length(); }
  } motion{*this};
  return step::contradicts_equations(motion, step_->previous_t(), step_->t(), t);
}

void SlopeCheck::compare(double t, const Eigen::VectorXd& x, double span) {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const int i = entries_[k];
    const double here = slope(k, t), off = std::abs(rates_[i] - here), tolerances = off * span / tolerance(i, x);
    if (!(tolerances > worst_) || !(off > noticeable_share * std::abs(rates_[i])) || is_explained(t, x, i, off))
      continue;
    worst_ = tolerances, found_ = {finding_about(i, t, rates_[i], here)};
  }
}

const double* SlopeCheck::rates_beside(double t, const Eigen::VectorXd& x, int direction) {
  moved_ = x, moved_rates_.resize(x.size());
  for (int k = 0; k < x.size(); ++k) moved_[k] += step::slopes::sign_of(direction, k) * tolerance(k, x);
  return dynamics_.derivative(t, moved_.data(), moved_rates_.data()) ? moved_rates_.data() : nullptr;
}

bool SlopeCheck::is_explained(double t, const Eigen::VectorXd& x, int i, double off) {
  struct Motion {
    SlopeCheck& check;
    const Eigen::VectorXd& x;
    const double* rates() const { return check.rates_.data(); }
    const double* rates_beside(double t, int direction) { return check.rates_beside(t, x, direction); }
  } motion{*this, x};
  return step::is_explained(motion, t, i, off, dense_errors);
}

Finding SlopeCheck::finding_about(int i, double t, double rate, double slope) const {
  const Equations& e = dynamics_.system().equations();
  const Layout& n = dynamics_.system().layout();
  const bool is_velocity = i < n.nq + n.nv;
  const Coordinate& coordinate = is_velocity ? e.velocities[static_cast<std::size_t>(i - n.nq)]
                                             : e.others[static_cast<std::size_t>(i - n.nq - n.nv)];
  const char* advice = takes_fixed_steps(prepared_.options.integrator) ? "Use dopri5, which finds it, or a step shorter"
                                                                       : "Set max_step to less";
  return finding<FindingCode::missed>("t"_a = t, "coordinate"_a = coordinate.name, "rate"_a = rate,
                                      "unit"_a = coordinate.unit, "slope"_a = slope, "advice"_a = advice);
}

void SlopeCheck::report(Outcome& outcome) const { append(found_, outcome.findings); }

}  // namespace armature::internal
