#include "integrate/radau_stages.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/interruption.hpp"

namespace armature::internal {
namespace {

using Complex = std::complex<double>;

// The eigenvector of A with the eigenvalue mu whose last entry is 1, from the first two rows.
Eigen::Vector3cd eigenvector(const Eigen::Matrix3d& A, Complex mu) {
  const Complex a = A(0, 0) - mu, d = A(1, 1) - mu, determinant = a * d - A(0, 1) * A(1, 0);
  return {(A(0, 1) * A(1, 2) - d * A(0, 2)) / determinant, (A(1, 0) * A(0, 2) - a * A(1, 2)) / determinant, 1};
}

// In powers of r, with roots at the other three of the points, and 1 at its own.
Eigen::Vector4d lagrange(const Eigen::Vector4d& points, int own) {
  Eigen::Vector4d p(1, 0, 0, 0);
  for (int j = 0; j < 4; ++j) {
    if (j == own) continue;
    for (int k = 3; k >= 0; --k) p[k] = ((k > 0 ? p[k - 1] : 0) - points[j] * p[k]) / (points[own] - points[j]);
  }
  return p;
}

RadauMethod make_method() {
  RadauMethod m;
  const double s6 = std::sqrt(6.0), s9 = std::cbrt(9.0);
  m.c = {(4 - s6) / 10, (4 + s6) / 10, 1};
  m.A << (88 - 7 * s6) / 360, (296 - 169 * s6) / 1800, (-2 + 3 * s6) / 225,  //
      (296 + 169 * s6) / 1800, (88 + 7 * s6) / 360, (-2 - 3 * s6) / 225,     //
      (16 - s6) / 36, (16 + s6) / 36, 1.0 / 9;
  // eigenvalues of A: the roots of its characteristic polynomial mu^3 - 3/5 mu^2 + 3/20 mu - 1/60
  const double real = (6 + s9 * (s9 - 1)) / 30;
  const Complex pair((12 - s9 * (s9 - 1)) / 60, -s9 * (s9 + 1) * std::sqrt(3.0) / 60);
  m.gamma = 1 / real;
  m.alpha = 1.0 / pair;
  const Eigen::Vector3cd w = eigenvector(m.A, pair);
  m.T.col(0) = eigenvector(m.A, real).real();
  m.T.col(1) = w.real(), m.T.col(2) = -w.imag();
  m.inverse_of_T = m.T.inverse();
  const Eigen::Vector4d points(-1, m.c[0] - 1, m.c[1] - 1, 0);
  for (int i = 0; i < 3; ++i) m.basis.col(i) = lagrange(points, i + 1);
  return m;
}

}  // namespace

const RadauMethod& RadauMethod::get() {
  static const RadauMethod method = make_method();
  return method;
}

RadauStages::RadauStages(Ode& ode, const Tolerance& tolerance, long& evaluations)
    : ode_(ode), tolerance_(tolerance), evaluations_(evaluations) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  enough_ = std::max(10 * epsilon / tolerance.rtol, std::min(0.03, std::sqrt(tolerance.rtol)));
  const int n = ode.size();
  J_.setZero(n, n), real_.setZero(n, n), complex_.setZero(n, n);
  for (auto* columns : {&Z_, &W_, &F_, &last_, &work_}) columns->setZero(n, 3);
  for (auto* column : {&stage_, &d1_, &column_}) column->setZero(n);
  d23_.setZero(n);
}

bool RadauStages::take_jacobian(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& xdot) {
  exact_ = !on_manifold_ && ode_.jacobian(t, x.data(), J_);
  return exact_ ? J_.allFinite() : take_differences(t, x, xdot);
}

// Forward differences. atol/rtol is the size at which an entry of x counts as small.
bool RadauStages::take_differences(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& xdot) {
  constexpr double difference = 1.5e-8;  // of an entry: the root of the machine's precision
  stage_ = x;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const double typical = std::min(tolerance_.atol[j] / tolerance_.rtol, 1e100);
    stage_[j] = x[j] + difference * std::max(std::abs(x[j]), typical);
    if (!derivative(t, stage_, column_.data())) return false;
    J_.col(j) = (column_ - xdot) / (stage_[j] - x[j]);
    stage_[j] = x[j];
  }
  return J_.allFinite();
}

DenseLu::Result RadauStages::factor(double h) {
  const RadauMethod& m = RadauMethod::get();
  real_ = -J_;
  real_.diagonal().array() += m.gamma / h;
  complex_ = -J_.cast<Complex>();
  complex_.diagonal().array() += m.alpha / h;
  const DenseLu::Result result = real_lu_.factor(real_, interrupted_after);
  if (result != DenseLu::Result::done) return result;
  return static_cast<DenseLu::Result>(complex_lu_.factor(complex_, interrupted_after));
}

void RadauStages::extrapolate(double ratio) {
  const RadauMethod& m = RadauMethod::get();
  Eigen::Matrix3d weights;  // of the old Z_j in the new Z_i
  for (int i = 0; i < 3; ++i) {
    const double r = m.c[i] * ratio;
    const Eigen::RowVector3d p = Eigen::RowVector4d(0, r, r * r, r * r * r) * m.basis;
    weights.col(i) = p.transpose();
  }
  Z_.noalias() = last_.lazyProduct(weights);
}

// Corrections shrink by a factor theta < 1 at a time, so that theta/(1 - theta) times the last one is left. An iteration that
// will not get there with the corrections it has left is given up early.
RadauStages::Result RadauStages::solve(double t, const Eigen::VectorXd& x, double h) {
  W_.noalias() = Z_.lazyProduct(RadauMethod::get().inverse_of_T.transpose());
  shorten_ = 0.5;
  // the rate of the step before says how much the first correction is worth
  rate_ = std::pow(std::max(rate_, std::numeric_limits<double>::epsilon()), 0.8);
  contraction_ = 1e-3;
  double before = 0;
  for (iterations_ = 1; iterations_ <= most_iterations; ++iterations_) {
    if (!evaluate(t, x, h)) return Result::not_finite;
    const double size = correct(h, x);
    if (!std::isfinite(size)) return Result::not_finite;
    if (iterations_ > 1) {
      const double quotient = size / before;
      contraction_ = iterations_ == 2 ? quotient : std::sqrt(quotient * contraction_);
      constexpr double no_contraction = 0.99;
      if (contraction_ >= no_contraction) return Result::diverges;
      rate_ = contraction_ / (1 - contraction_);
      const int left = most_iterations - iterations_;
      const double at_end = rate_ * size * std::pow(contraction_, left) / enough_;
      if (at_end >= 1) {
        shorten_ = 0.8 * std::pow(std::clamp(at_end, 1e-4, 20.0), -1.0 / (4 + left));
        return Result::diverges;
      }
    }
    Z_.noalias() = W_.lazyProduct(RadauMethod::get().T.transpose());
    if (rate_ * size <= enough_) return Result::converged;
    before = std::max(size, std::numeric_limits<double>::min());
  }
  return Result::diverges;
}

bool RadauStages::evaluate(double t, const Eigen::VectorXd& x, double h) {
  const RadauMethod& m = RadauMethod::get();
  regularity_ = 1;
  for (int i = 0; i < 3; ++i) {
    stage_ = x + Z_.col(i);
    if (!derivative(t + m.c[i] * h, stage_, F_.col(i).data())) return false;
    regularity_ = std::min(regularity_, ode_.regularity());
  }
  return true;
}

bool RadauStages::derivative(double t, const Eigen::VectorXd& x, double* xdot) {
  ++evaluations_;
  return on_manifold_ ? ode_.derivative_on_manifold(t, x.data(), xdot) : ode_.derivative(t, x.data(), xdot);
}

double RadauStages::correct(double h, const Eigen::VectorXd& x) {
  const RadauMethod& m = RadauMethod::get();
  const Complex a = m.alpha / h;
  work_.noalias() = F_.lazyProduct(m.inverse_of_T.transpose());
  d1_ = work_.col(0) - m.gamma / h * W_.col(0);
  for (Eigen::Index k = 0; k < d23_.size(); ++k)
    d23_[k] = {work_(k, 1) - (a.real() * W_(k, 1) - a.imag() * W_(k, 2)),
               work_(k, 2) - (a.imag() * W_(k, 1) + a.real() * W_(k, 2))};
  real_lu_.solve(real_, d1_);
  complex_lu_.solve(complex_, d23_);
  W_.col(0) += d1_, W_.col(1) += d23_.real(), W_.col(2) += d23_.imag();
  double sum = std::pow(tolerance_.norm(d1_, x, x), 2);
  column_ = d23_.real();
  sum += std::pow(tolerance_.norm(column_, x, x), 2);
  column_ = d23_.imag();
  sum += std::pow(tolerance_.norm(column_, x, x), 2);
  return std::sqrt(sum / 3);
}

void RadauStages::estimate(double h, const Eigen::VectorXd& xdot, Eigen::VectorXd& error) const {
  // p'(t0) h = sum_i L_i'(0) Z_i
  const double s6 = std::sqrt(6.0);
  error = xdot - ((13 + 7 * s6) / 3 * Z_.col(0) + (13 - 7 * s6) / 3 * Z_.col(1) + 1.0 / 3 * Z_.col(2)) / h;
  real_lu_.solve(real_, error);
}

}  // namespace armature::internal
