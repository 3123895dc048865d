#include "sensitivity/sensitivity_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "step/tableaus.hpp"

namespace armature::internal {

using Eigen::VectorXd;

namespace {

constexpr int most_parts = 4096;      // of a step: an implicit step over a decay so much faster than the motion
constexpr double loose = 1.0 / 128;   // of the error allowed: half as many parts would do, by a margin of two
constexpr double negligible = 1e-3;   // of the run's own absolute tolerance, for a change of a parameter by its whole value
constexpr double column_floor = 1e-3; // entries that small against the largest of their column need not be as accurate

const step::Tableau& pair() { return step::dormand_prince_54(); }

}  // namespace

SensitivityPath::SensitivityPath(const MotionSensitivity& sensitivity) : sensitivity_(sensitivity) {
  const Layout& n = sensitivity_.layout();
  const auto& others = sensitivity_.system().equations().others;
  for (int i = 0; i < n.nx(); ++i) {
    const int z = i - n.nq - n.nv;
    if (z < 0 || !others[static_cast<std::size_t>(z)].in_ledger()) tested_.push_back(i);
  }
}

// A parameter that changes by a part of itself has an effect that the tolerances of the run know how to judge: where S is below it, it may
// be nothing but round-off.
void SensitivityPath::set_floor(const VectorXd& atol, const VectorXd& parameters, const MatrixXd& S) {
  VectorXd sizes = parameters.cwiseAbs();
  for (double& size : sizes)
    if (size == 0) size = 1;
  Eigen::RowVectorXd parts = Eigen::RowVectorXd::Ones(S.cols());
  for (Eigen::Index k = 0; k < S.cols() && sizes.size() > 0; ++k)
    parts[k] = S.col(k).tail(sizes.size()).cwiseAbs().cwiseQuotient(sizes).maxCoeff();
  floor_ = negligible * atol * parts;
}

// The steps are as long as x allows; S may lose one digit against it before a step is divided.
void SensitivityPath::begin(const Prepared& prepared, const MatrixXd& S) {
  tolerance_ = 10 * std::max(prepared.options.rtol, 1e-13);
  set_floor(prepared.options.atol, prepared.parameters, S);
  S_ = S;
  seen_ = S.topRows(sensitivity_.layout().nx()).cwiseAbs();
  count_ = 1;
}

// Twice as many parts until the estimate is small enough; half as many in the next step where it is very small.
bool SensitivityPath::advance(const Step& step, const State& held, double from, double until) {
  state_.d = held.d, state_.w = held.w, state_.comparisons = held.comparisons;
  S_begin_ = S_;
  for (;; count_ *= 2) {
    S_ = S_begin_;
    if (!take_parts(step, from, until)) return false;
    if (error_ <= 1) break;
    if (count_ < most_parts) continue;
    failure_ = fmt::format("after t = {:.10g} s the derivatives of the motion change too fast to be followed", from);
    return false;
  }
  if (error_ < loose && count_ > 1) count_ /= 2;
  seen_ = seen_.cwiseMax(S_.topRows(seen_.rows()).cwiseAbs());
  return true;
}

bool SensitivityPath::take_parts(const Step& step, double from, double until) {
  const double h = (until - from) / count_;
  parts_.resize(static_cast<std::size_t>(count_));
  error_ = 0;
  if (!rate_at(step, from, S_, k_[0])) return false;
  for (int part = 0; part < count_; ++part) {
    const double t = from + part * h;
    if (!take_part(step, t, h, part + 1 == count_, until, parts_[static_cast<std::size_t>(part)])) return false;
    if (error_ > 1 && count_ < most_parts) return true;  // to be repeated with more parts
    k_[0] = k_[stages - 1];
  }
  return true;
}

bool SensitivityPath::take_part(const Step& step, double t, double h, bool last, double until, Part& part) {
  const step::Tableau& method = pair();
  const Eigen::Index nx = seen_.rows();
  part.t = t, part.h = h, part.x0 = S_.topRows(nx);
  // the stages
  S_stage_ = S_;
  for (int i = 1; i < method.stages; ++i) {
    S_stage_.topRows(nx) = part.x0;
    for (int j = 0; j < i; ++j)
      if (method.A[i][j] != 0) S_stage_.topRows(nx) += h * method.A[i][j] * k_[static_cast<std::size_t>(j)];
    if (!rate_at(step, method.c[i] == 1 && last ? until : t + method.c[i] * h, S_stage_, k_[static_cast<std::size_t>(i)]))
      return false;
  }
  // the end, tangent to the constraints there: the state is that of the last stage
  for (int i = 0; i < method.stages; ++i)
    if (method.b[i] != 0) S_.topRows(nx) += h * method.b[i] * k_[static_cast<std::size_t>(i)];
  sensitivity_.make_tangent(S_);
  if (!sensitivity_.rate(S_, k_[stages - 1])) {
    failure_ = fmt::format("at t = {:.10g} s the derivatives of the motion have no value", t + h);
    return false;
  }
  measure_error(h);
  // dense output
  part.F[0] = S_.topRows(nx) - part.x0;
  part.F[1] = h * k_[0] - part.F[0];
  part.F[2] = 2 * part.F[0] - h * (k_[0] + k_[stages - 1]);
  part.F[3].setZero(nx, S_.cols());
  for (int i = 0; i < stages; ++i)
    if (method.D[0][i] != 0) part.F[3] += h * method.D[0][i] * k_[static_cast<std::size_t>(i)];
  return true;
}

bool SensitivityPath::rate_at(const Step& step, double t, const MatrixXd& S, MatrixXd& rate) {
  step.interpolate(t, state_.x);
  state_.t = t;
  if (sensitivity_.set(state_) && sensitivity_.rate(S, rate)) return true;
  failure_ = fmt::format("at t = {:.10g} s {}", t, sensitivity_.why());
  return false;
}

// Each entry against the largest value it has had, and against a small part of the largest entry of its column.
void SensitivityPath::measure_error(double h) {
  for (Eigen::Index column = 0; column < S_.cols(); ++column) {
    double largest = 0;
    for (const int i : tested_) largest = std::max({largest, seen_(i, column), std::abs(S_(i, column))});
    for (const int i : tested_) {
      double error = 0;
      for (int k = 0; k < stages; ++k) error += pair().E[0][k] * k_[static_cast<std::size_t>(k)](i, column);
      const double size = std::max(seen_(i, column), std::abs(S_(i, column))) + column_floor * largest;
      const double allowed = tolerance_ * size + floor_(i, column);
      if (allowed > 0) error_ = std::max(error_, std::abs(h * error) / allowed);
    }
  }
}

void SensitivityPath::at(double t, MatrixXd& S) const {
  const auto after = [](double time, const Part& part) { return time < part.t; };
  auto part = std::upper_bound(parts_.begin(), parts_.end(), t, after);
  if (part != parts_.begin()) --part;
  const double theta = (t - part->t) / part->h, rest = 1 - theta;
  S = S_;
  S.topRows(part->x0.rows()) =
      part->x0 +
      theta * (part->F[0] + rest * (part->F[1] + theta * (part->F[2] + rest * part->F[3])));
}

}  // namespace armature::internal
