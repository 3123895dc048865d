#include "observe/slope_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/findings.hpp"
#include "step/regularity.hpp"

namespace armature::internal {

namespace {

constexpr double much_off = 1;            // tolerances in one step, of which there may be many
constexpr double noticeable_share = 0.1;  // of an acceleration
constexpr double unseen_share = 0.01;     // of what a rate strays from the line between the ends of a step
// Tolerances that a state may err by within a step: as a rule, and where dense output is hardly sound (step/dense_output.hpp).
constexpr double own_errors = 10;
constexpr double dense_errors = 1000;

}  // namespace

SlopeCheck::SlopeCheck(const Prepared& prepared, Dynamics& dynamics) : prepared_(prepared), dynamics_(dynamics) {
  const Equations& e = dynamics.system().equations();
  const Layout& n = dynamics.system().layout();
  for (int i = 0; i < n.nv; ++i) entries_.push_back(n.nq + i);
  for (int i = 0; i < n.nz; ++i) {
    const Coordinate& state = e.others[static_cast<std::size_t>(i)];
    if (!state.in_ledger() && state.kind != Coordinate::Kind::reference) entries_.push_back(n.nq + n.nv + i);
  }
  rates_.setZero(n.nx());
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
  if (!evaluate(t)) return false;
  const double t0 = step_->previous_t(), t1 = step_->t();
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const double rate = rates_[entries_[k]], off = std::abs(rate - slope(k, t));
    if (!(off * path_.length() > much_off * tolerance(entries_[k], x_))) continue;
    const double line = slope(k, t0) + (slope(k, t1) - slope(k, t0)) * (t - t0) / (t1 - t0);
    if (off > unseen_share * std::abs(rate - line) && !is_explained(t, x_, entries_[k], off, own_errors)) return true;
  }
  return false;
}

void SlopeCheck::compare(double t, const Eigen::VectorXd& x, double span) {
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const int i = entries_[k];
    const double here = slope(k, t), off = std::abs(rates_[i] - here), tolerances = off * span / tolerance(i, x);
    if (!(tolerances > worst_) || !(off > noticeable_share * std::abs(rates_[i])) ||
        is_explained(t, x, i, off, dense_errors))
      continue;
    worst_ = tolerances, found_ = {finding_about(i, t, rates_[i], here)};
  }
}

// All entries are moved at once, in some directions, by little: the top of something narrow is flat.
bool SlopeCheck::is_explained(double t, const Eigen::VectorXd& x, int i, double off, double state_errors) {
  constexpr int directions = 4;
  moved_rates_.resize(x.size());
  for (int direction = 0; direction < directions; ++direction) {
    moved_ = x;
    for (int k = 0; k < x.size(); ++k) {
      const bool back = (direction & 1) != 0 && (k >> (direction >> 1) & 1) != 0;
      moved_[k] += (back ? -1 : 1) * tolerance(k, x);
    }
    if (!dynamics_.derivative(t, moved_.data(), moved_rates_.data())) return true;
    if (state_errors * std::abs(moved_rates_[i] - rates_[i]) >= off) return true;
  }
  return false;
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
