#include "identify/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "linear/decompositions.hpp"
#include "linear/triangular_factor.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double first_damping = 1e-3;
constexpr double most_damping = 1e12;
constexpr double determined = 1e-9;   // singular values above this part of the largest
constexpr double nearly = 0.05;       // relative offset
constexpr double same_point = 1e-12;  // relative: a step that changes nothing

double huber_loss(double r) {
  const double size = std::abs(r);
  return size <= huber_bound ? r * r / 2 : huber_bound * (size - huber_bound / 2);
}

// One search: the point and what is known there.
class Search {
 public:
  Search(const ResidualFunction& residuals, VectorXd x, const LeastSquaresOptions& options)
      : residuals_(residuals), options_(options) {
    result_.x = x.cwiseMax(options.low).cwiseMin(options.high);
  }

  LeastSquaresResult run() {
    Linearized first = evaluate(result_.x);
    result_.failure = first.failure;
    if (!first.failure.empty()) return finish(stopped_ ? LeastSquaresStatus::stopped : LeastSquaresStatus::no_value);
    take(result_.x, std::move(first));
    double growth = 2;
    for (;;) {
      if (stopped_) return finish(LeastSquaresStatus::stopped);
      hold_bounds();
      result_.offset = relative_offset();
      if (result_.offset < options_.tolerance) return finish(LeastSquaresStatus::converged);
      if (result_.evaluations >= options_.evaluations) return finish(LeastSquaresStatus::exhausted);
      const VectorXd d = step();
      const VectorXd next = (result_.x + d).cwiseMax(options_.low).cwiseMin(options_.high);
      const VectorXd moved = next - result_.x;
      const double expected = decrease_expected(moved);
      if (is_small(moved) || !(expected > 0))
        return finish(damping_ > 1 && result_.offset > nearly ? LeastSquaresStatus::stalled
                                                              : LeastSquaresStatus::converged);
      Linearized there = evaluate(next);
      const double ratio = there.failure.empty() ? (result_.cost - cost_of(there.r)) / expected : -1;
      if (ratio > 0) {
        take(next, std::move(there));
        damping_ *= std::max(1.0 / 3, 1 - std::pow(2 * std::min(ratio, 1.0) - 1, 3));
        growth = 2;
      } else {
        // So near to the solution, what stands between it and here is the accuracy of the motion.
        if (there.failure.empty() && result_.offset < nearly)
          return finish(stopped_ ? LeastSquaresStatus::stopped : LeastSquaresStatus::converged);
        damping_ *= growth, growth *= 2;
        if (damping_ > most_damping) return finish(LeastSquaresStatus::stalled);
      }
    }
  }

 private:
  Linearized evaluate(const VectorXd& x) {
    ++result_.evaluations;
    Linearized found = residuals_(x);
    if (found.failure.empty() && !(found.r.allFinite() && found.J.allFinite()))
      found.failure = "the residuals are not finite";
    if (options_.progress) options_.progress(result_.evaluations, result_.cost);
    stopped_ = options_.stop && options_.stop();
    return found;
  }

  double cost_of(const VectorXd& r) const {
    double sum = 0;
    for (const double value : r) sum += options_.huber ? huber_loss(value) : value * value / 2;
    return sum;
  }

  // The factor of the weighted Jacobian, and Q' r.
  void take(const VectorXd& x, Linearized there) {
    result_.x = x;
    result_.r = std::move(there.r);
    result_.cost = cost_of(result_.r);
    // Huber's weights of the residuals, by which rows of J and r are multiplied (as their roots).
    result_.weights = VectorXd::Ones(result_.r.size());
    if (options_.huber)
      for (Eigen::Index i = 0; i < result_.r.size(); ++i) result_.weights[i] = huber_weight(result_.r[i]);
    const Eigen::Index n = x.size(), rows = std::max(result_.r.size(), n);
    MatrixXd A = MatrixXd::Zero(rows, n + 1);
    A.topRows(result_.r.size()) << there.J, result_.r;
    for (Eigen::Index i = 0; i < result_.r.size(); ++i) A.row(i) *= std::sqrt(result_.weights[i]);
    weighted_square_ = A.col(n).squaredNorm();
    // The scale of each unknown is the largest norm that its column has had (Moré).
    const VectorXd norms = A.leftCols(n).colwise().norm();
    D_ = D_.size() == 0 ? norms : VectorXd(D_.cwiseMax(norms));
    // One decomposition of (J r) gives R and Q' r.
    triangularize(A, n);
    result_.R = A.topLeftCorner(n, n);
    Qr_ = A.col(n).head(n);
  }

  // Held: at a bound, with the sum falling beyond it.
  void hold_bounds() {
    const VectorXd gradient = result_.R.transpose() * Qr_;
    result_.held.assign(static_cast<std::size_t>(result_.x.size()), 0);
    for (Eigen::Index k = 0; k < result_.x.size(); ++k) {
      if (result_.x[k] <= options_.low[k] && gradient[k] > 0) result_.held[static_cast<std::size_t>(k)] = -1;
      if (result_.x[k] >= options_.high[k] && gradient[k] < 0) result_.held[static_cast<std::size_t>(k)] = 1;
    }
  }

  // R with the columns of unknowns that are held left out (as zeros, so that these do not move).
  MatrixXd free_factor() const {
    MatrixXd R = result_.R;
    for (Eigen::Index k = 0; k < R.cols(); ++k)
      if (result_.held[static_cast<std::size_t>(k)] != 0) R.col(k).setZero();
    return R;
  }

  double relative_offset() const {
    MatrixXd scaled = free_factor();
    for (Eigen::Index k = 0; k < scaled.cols(); ++k)
      if (const double norm = scaled.col(k).norm(); norm > 0) scaled.col(k) /= norm;
    if (scaled.size() == 0 || scaled.isZero()) return 0;
    const Svd parts = svd(scaled, Eigen::ComputeThinU);
    double inside = 0;
    int count = 0;
    for (Eigen::Index k = 0; k < parts.values.size(); ++k)
      if (parts.values[k] > determined * parts.values[0]) {
        const double along = parts.U.col(k).dot(Qr_);
        inside += along * along, ++count;
      }
    const double outside = std::max(0.0, weighted_square_ - inside);
    const double freedoms = std::max(1.0, static_cast<double>(result_.r.size() - count));
    if (inside == 0) return 0;
    return std::sqrt(inside / count) / std::max(std::sqrt(outside / freedoms), 1e-300);
  }

  VectorXd step() const {
    const Eigen::Index n = result_.x.size();
    MatrixXd A = MatrixXd::Zero(2 * n, n + 1);
    A.topLeftCorner(n, n) = free_factor();
    A.col(n).head(n) = -Qr_;
    for (Eigen::Index k = 0; k < n; ++k) A(n + k, k) = std::sqrt(damping_) * (D_[k] > 0 ? D_[k] : 1);
    triangularize(A, n);
    VectorXd d = A.topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(A.col(n).head(n));
    for (Eigen::Index k = 0; k < n; ++k)
      if (result_.held[static_cast<std::size_t>(k)] != 0) d[k] = 0;  // what is held does not move by round-off either
    return d;
  }

  double decrease_expected(const VectorXd& d) const {
    return (Qr_.squaredNorm() - (result_.R * d + Qr_).squaredNorm()) / 2;
  }

  bool is_small(const VectorXd& d) const {
    for (Eigen::Index k = 0; k < d.size(); ++k)
      if (std::abs(d[k]) > same_point * std::abs(result_.x[k])) return false;
    return true;
  }

  LeastSquaresResult finish(LeastSquaresStatus status) {
    result_.status = status;
    if (result_.held.empty()) result_.held.assign(static_cast<std::size_t>(result_.x.size()), 0);
    return std::move(result_);
  }

  const ResidualFunction& residuals_;
  const LeastSquaresOptions& options_;
  LeastSquaresResult result_;
  VectorXd Qr_, D_;
  double weighted_square_ = 0, damping_ = first_damping;
  bool stopped_ = false;
};

}  // namespace

double huber_weight(double r) { return std::abs(r) <= huber_bound ? 1 : huber_bound / std::abs(r); }

LeastSquaresResult minimize_squares(const ResidualFunction& residuals, VectorXd x, const LeastSquaresOptions& options) {
  return Search(residuals, std::move(x), options).run();
}

}  // namespace armature::internal
