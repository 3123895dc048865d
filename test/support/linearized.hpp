// Small vibrations: M x'' + C x' + K x = 0 about an equilibrium, or about a steady motion with given rates, on the
// constraints. Only for models whose rates are the velocities (no quaternions).
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "read/reader.hpp"
#include "system/build_model.hpp"

namespace armature::internal {

class Linearized {
 public:
  explicit Linearized(const Model& model) : e_(build_model(model)) {
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
    for (const auto* leaves : {&e_->q, &e_->v, &e_->lambda, &e_->z})
      in.insert(in.end(), leaves->begin(), leaves->end());
    for (const Discrete& d : e_->discrete) in.push_back(d.leaf);
    evaluator_ = Evaluator(std::make_shared<const Program>(in, out));
    in_.setZero(in.size());
    out_.setZero(out.size());
    evaluate();
  }

  double& position(const std::string& name) { return in_[1 + index(e_->positions, name)]; }
  double& rate(const std::string& name) { return in_[1 + size() + index(e_->velocities, name + "'")]; }

  // Newton's method on f - Phi' lambda = 0, phi = 0, at rest.
  void find_equilibrium() {
    const int n = size(), m = rows();
    for (int iteration = 0; iteration < 50; ++iteration) {
      evaluate();
      Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n + m, n + m);
      A.topLeftCorner(n, n) = K_, A.topRightCorner(n, m) = Phi_.transpose(), A.bottomLeftCorner(m, n) = Phi_;
      Eigen::VectorXd b(n + m);
      b << residual_, -phi_;
      const Eigen::VectorXd step = A.fullPivLu().solve(b);
      in_.segment(1, n) += step.head(n), in_.segment(1 + 2 * n, m) += step.tail(m);
      if (step.head(n).norm() < 1e-13) return evaluate();
    }
    FAIL() << "no equilibrium";
  }

  // Frequencies, rad/s, in increasing order: imaginary parts of the eigenvalues. Coordinates in `held` do not move.
  std::vector<double> frequencies(const std::vector<std::string>& held = {}) {
    const auto [M, C, K] = reduced(held);
    const int f = static_cast<int>(M.rows());
    // with M = L L' and time in units of the highest frequency, low ones keep their digits
    const Eigen::LLT<Eigen::MatrixXd> L(M);
    auto scaled = [&](const Eigen::MatrixXd& X) -> Eigen::MatrixXd {
      return L.matrixL().solve(L.matrixL().solve(X).transpose()).transpose();
    };
    const Eigen::MatrixXd k = scaled(K), c = scaled(C);
    std::vector<double> result;
    if (c.norm() == 0) {
      const Eigen::VectorXd squares =
          Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (k + k.transpose())).eigenvalues();
      for (double square : squares) result.push_back(std::sqrt(square));
      return result;
    }
    const double fastest = std::sqrt(k.norm());
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(2 * f, 2 * f);
    A.topRightCorner(f, f).setIdentity();
    A.bottomLeftCorner(f, f) = -k / (fastest * fastest), A.bottomRightCorner(f, f) = -c / fastest;
    for (const std::complex<double>& s : A.eigenvalues())
      if (s.imag() > 0) result.push_back(s.imag() * fastest);
    std::sort(result.begin(), result.end());
    return result;
  }

  // The least eigenvalue of the stiffness: negative where the equilibrium is unstable.
  double least_stiffness(const std::vector<std::string>& held = {}) {
    const Eigen::MatrixXd K = std::get<2>(reduced(held));
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose())).eigenvalues()[0];
  }

  int size() const { return static_cast<int>(e_->v.size()); }
  int rows() const { return static_cast<int>(e_->rows.size()); }
  int operations() const { return evaluator_.program().operation_count(); }

 private:
  static int index(const std::vector<Coordinate>& list, const std::string& name) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Coordinate& c) { return c.name == name; });
    if (found == list.end()) throw std::out_of_range(name);
    return static_cast<int>(found - list.begin());
  }

  void evaluate() {
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

  std::tuple<Eigen::MatrixXd, Eigen::MatrixXd, Eigen::MatrixXd> reduced(const std::vector<std::string>& held) {
    evaluate();
    const int n = size(), m = rows(), h = static_cast<int>(held.size());
    Eigen::MatrixXd fixed = Eigen::MatrixXd::Zero(m + h, n);
    fixed.topRows(m) = Phi_;
    for (int k = 0; k < h; ++k) fixed(m + k, index(e_->positions, held[k])) = 1;
    Eigen::MatrixXd Z = Eigen::MatrixXd::Identity(n, n);
    if (m + h > 0) Z = fixed.fullPivLu().kernel();
    return {Z.transpose() * M_ * Z, Z.transpose() * C_ * Z, Z.transpose() * K_ * Z};
  }

  std::shared_ptr<Equations> e_;
  Evaluator evaluator_;
  Eigen::VectorXd in_, out_, residual_, phi_;
  Eigen::MatrixXd M_, C_, K_, Phi_;
};

}  // namespace armature::internal
