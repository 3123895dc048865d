#include "support/linearized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "expression/derivative.hpp"
#include "linear/decompositions.hpp"

namespace armature::internal {

namespace {

int index(const std::vector<Coordinate>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Coordinate& c) { return c.name == name; });
  if (found == list.end()) throw std::out_of_range(name);
  return static_cast<int>(found - list.begin());
}

}  // namespace

Linearized::Linearized(const Model& model) : e_(build_model(model)) {
  const std::size_t n = e_->v.size(), m = e_->rows.size();
  std::vector<Expression> residual = e_->f, out;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) out.push_back(e_->M(static_cast<int>(i), static_cast<int>(j)));
  std::vector<std::vector<Expression>> Phi(m);
  for (std::size_t r = 0; r < m; ++r)
    for (std::size_t i = 0; i < n; ++i) {
      Phi[r].push_back(Derivative({{e_->q[i].id(), 1.0}})(e_->rows[r].phi));
      residual[i] -= Phi[r][i] * e_->lambda[r];
    }
  for (const auto* leaves : {&e_->q, &e_->v})
    for (const Expression& leaf : *leaves) {
      Derivative along({{leaf.id(), 1.0}});
      for (const Expression& x : residual) out.push_back(along(x));
    }
  out.insert(out.end(), residual.begin(), residual.end());
  for (const ConstraintRow& row : e_->rows) out.push_back(row.phi);
  for (const auto& row : Phi) out.insert(out.end(), row.begin(), row.end());
  std::vector<Expression> in{e_->t};
  for (const auto* leaves : {&e_->q, &e_->v, &e_->lambda, &e_->z}) in.insert(in.end(), leaves->begin(), leaves->end());
  for (const Discrete& d : e_->discrete) in.push_back(d.leaf);
  evaluator_ = Evaluator(std::make_shared<const Program>(in, out));
  in_.setZero(in.size());
  out_.setZero(out.size());
  evaluate();
}

double& Linearized::position(const std::string& name) { return in_[1 + index(e_->positions, name)]; }
double& Linearized::rate(const std::string& name) { return in_[1 + size() + index(e_->velocities, name + "'")]; }

void Linearized::find_equilibrium() {
  const int n = size(), m = rows();
  for (int iteration = 0; iteration < 50; ++iteration) {
    evaluate();
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
    A.topLeftCorner(n, n) = K_, A.topRightCorner(n, m) = Phi_.transpose(), A.bottomLeftCorner(m, n) = Phi_;
    Eigen::VectorXd b(n + m);
    b << residual_, -phi_;
    const Eigen::VectorXd step = solve_square(A, b);
    in_.segment(1, n) += step.head(n), in_.segment(1 + 2 * n, m) += step.tail(m);
    if (step.head(n).norm() < 1e-13) return evaluate();
  }
  FAIL() << "no equilibrium";
}

std::vector<double> Linearized::frequencies(const std::vector<std::string>& held) {
  const auto [M, C, K] = reduced(held);
  std::vector<double> result;
  if (C.norm() == 0) {
    for (const double square : eigenpairs(K, M).values) result.push_back(std::sqrt(square));
    return result;
  }
  // with M = L L' and time in units of the highest frequency, low ones keep their digits
  const auto scaled = [&M = M](const Eigen::MatrixXd& X) -> Eigen::MatrixXd {
    return over_cholesky(over_cholesky(X, M).transpose(), M).transpose();
  };
  const Eigen::MatrixXd k = scaled(K), c = scaled(C);
  const double fastest = std::sqrt(k.norm());
  const auto f = M.rows();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * f, 2 * f);
  A.topRightCorner(f, f).setIdentity();
  A.bottomLeftCorner(f, f) = -k / (fastest * fastest), A.bottomRightCorner(f, f) = -c / fastest;
  for (const std::complex<double>& s : eigenpairs(A).values)
    if (s.imag() > 0) result.push_back(s.imag() * fastest);
  std::sort(result.begin(), result.end());
  return result;
}

double Linearized::least_stiffness(const std::vector<std::string>& held) {
  const Eigen::MatrixXd K = reduced(held).K;
  return eigenpairs(0.5 * (K + K.transpose()), Eigen::MatrixXd::Identity(K.rows(), K.rows())).values[0];
}

void Linearized::evaluate() {
  evaluator_(in_.data(), out_.data());
  const int n = size(), m = rows();
  const double* at = out_.data();
  M_ = Eigen::Map<const Eigen::MatrixXd>(at, n, n), at += n * n;
  K_ = -Eigen::Map<const Eigen::MatrixXd>(at, n, n), at += n * n;
  C_ = -Eigen::Map<const Eigen::MatrixXd>(at, n, n), at += n * n;
  residual_ = Eigen::Map<const Eigen::VectorXd>(at, n), at += n;
  phi_ = Eigen::Map<const Eigen::VectorXd>(at, m), at += m;
  Phi_ = Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(at, m, n);
}

Linearized::Matrices Linearized::reduced(const std::vector<std::string>& held) {
  evaluate();
  const int n = size(), m = rows(), h = static_cast<int>(held.size());
  Eigen::MatrixXd fixed = Eigen::MatrixXd::Zero(m + h, n);
  fixed.topRows(m) = Phi_;
  for (int k = 0; k < h; ++k) fixed(m + k, index(e_->positions, held[k])) = 1;
  Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
  if (m + h > 0) Z = null_space(fixed);
  return {Z.transpose() * M_ * Z, Z.transpose() * C_ * Z, Z.transpose() * K_ * Z};
}

}  // namespace armature::internal
