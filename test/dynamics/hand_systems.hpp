// Mechanisms whose terms are written by hand, for tests of the numerics alone.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <random>

#include "system/terms.hpp"

namespace armature::internal::hand {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

inline Terms sized(int nv, int m) {
  Terms terms;
  terms.M = MatrixXd::Zero(nv, nv);
  terms.Phi = MatrixXd::Zero(m, nv);
  for (VectorXd* y : {&terms.phi, &terms.phidot, &terms.gamma}) *y = VectorXd::Zero(m);
  terms.qdot = terms.f = VectorXd::Zero(nv);
  return terms;
}

// Planar 3RRR robot in Lagrange form: q = [theta1..3, x, y, phi], constraints |B_i - A_i|^2 = l2^2, quasi-static motors.
// Data of the published machine; voltages 5, -5, 5 V, 10 N m/V and damping 10 on each crank.
inline Terms rrr(const VectorXd& q, const VectorXd& v) {
  const double pi = std::acos(-1.0), l1 = 0.581, l2 = 0.620, radius = 0.2 / std::sqrt(3.0);
  const Vector2d base[3] = {{0, 0}, {1.2, 0}, {0.6, 0.6 * std::sqrt(3.0)}};
  const double corner[3] = {7 * pi / 6, -pi / 6, pi / 2}, volts[3] = {5, -5, 5};
  Terms terms = sized(6, 3);
  terms.qdot = v;
  terms.M.diagonal() << 1.431441973, 1.431441973, 1.431441973, 2.103, 2.103, 0.022;
  for (int i = 0; i < 3; ++i) {
    terms.f[i] = 10 * volts[i] - 10 * v[i];
    const Vector2d along(std::cos(q[i]), std::sin(q[i])), across(-along.y(), along.x());
    const double angle = q[5] + corner[i];
    const Vector2d arm(radius * std::cos(angle), radius * std::sin(angle)), turned(-arm.y(), arm.x());
    const Vector2d rod = q.segment<2>(3) + arm - base[i] - l1 * along;
    const Vector2d rate = v.segment<2>(3) + turned * v[5] - l1 * across * v[i];
    terms.phi[i] = rod.squaredNorm() - l2 * l2;
    terms.Phi(i, i) = -2 * l1 * rod.dot(across);
    terms.Phi(i, 3) = 2 * rod.x();
    terms.Phi(i, 4) = 2 * rod.y();
    terms.Phi(i, 5) = 2 * rod.dot(turned);
    terms.phidot[i] = 2 * rod.dot(rate);
    terms.gamma[i] = -2 * rate.squaredNorm() - 2 * rod.dot(-arm * v[5] * v[5] + l1 * along * v[i] * v[i]);
  }
  return terms;
}

inline VectorXd rrr_start() {
  VectorXd q(6);
  q << -0.1259, 1.3727, 3.2675, 0.5936271468069613, 0.6014507913354462, 0.020707095085640663;
  return q;
}

// N-four-bar as 2N+1 uniform bars (1 m, 1 kg) at angles q, gravity along -y: links 0..N stand on ground pivots 1 m apart,
// couplers N+1..2N join their tops. Rows: link i + coupler - link i+1 closes, in x and y; singular when all lie flat.
inline Terms four_bars(int N, const VectorXd& q, const VectorXd& v) {
  const double g = 9.81;
  const int n = 2 * N + 1;
  Terms terms = sized(n, 2 * N);
  terms.qdot = v;
  for (int i = 0; i <= N; ++i) {
    // coupler i starts at the top of link i
    const double carried = i < N ? 1.0 : 0.0;
    terms.M(i, i) = 1.0 / 3 + carried;
    terms.f[i] = -g * (0.5 + carried) * std::cos(q[i]);
  }
  for (int i = 0; i < N; ++i) {
    const int k = N + 1 + i;
    const double difference = q[i] - q[k];
    terms.M(k, k) = 1.0 / 3;
    terms.M(i, k) = terms.M(k, i) = 0.5 * std::cos(difference);
    terms.f[i] -= 0.5 * std::sin(difference) * v[k] * v[k];
    terms.f[k] = -g * 0.5 * std::cos(q[k]) + 0.5 * std::sin(difference) * v[i] * v[i];
    const int bars[3] = {i, k, i + 1};
    const double sign[3] = {1, 1, -1};
    terms.phi[2 * i] = -1;
    for (int j = 0; j < 3; ++j) {
      const double c = sign[j] * std::cos(q[bars[j]]), s = sign[j] * std::sin(q[bars[j]]), w = v[bars[j]];
      terms.phi[2 * i] += c, terms.phi[2 * i + 1] += s;
      terms.Phi(2 * i, bars[j]) = -s, terms.Phi(2 * i + 1, bars[j]) = c;
      terms.gamma[2 * i] += c * w * w, terms.gamma[2 * i + 1] += s * w * w;
    }
  }
  terms.phidot = terms.Phi * v;
  return terms;
}

// The same terms with further rows that say nothing new: a copy of row 0 in other units, and a sum of all rows.
inline Terms with_redundant_rows(const Terms& terms) {
  const int m = static_cast<int>(terms.Phi.rows());
  MatrixXd combine = MatrixXd::Zero(m + 2, m);
  combine.topRows(m).setIdentity();
  combine(m, 0) = 1000;
  combine.row(m + 1).setOnes();
  Terms more = terms;
  more.Phi = combine * terms.Phi;
  more.phi = combine * terms.phi, more.phidot = combine * terms.phidot, more.gamma = combine * terms.gamma;
  return more;
}

inline VectorXd random_vector(int n, double size, std::mt19937& generator) {
  std::uniform_real_distribution<double> uniform(-size, size);
  VectorXd y(n);
  for (int i = 0; i < n; ++i) y[i] = uniform(generator);
  return y;
}

}  // namespace armature::internal::hand
