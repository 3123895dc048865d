#include "dynamics/configuration.hpp"

#include <Eigen/Core>
#include <cassert>
#include <cmath>

namespace armature {

namespace {

using Numbers = Eigen::Map<Eigen::VectorXd>;
using GivenNumbers = Eigen::Map<const Eigen::VectorXd>;

}  // namespace

Configuration::Configuration(const Equations& equations)
    : nq_(static_cast<int>(equations.q.size())),
      nv_(static_cast<int>(equations.v.size())),
      quaternions_(equations.quaternions),
      position_of_(nv_, -1) {
  int velocity = 0;
  for (int position = 0; position < nq_;) {
    bool ball = false;
    for (const auto& [first, angular] : quaternions_) ball = ball || (first == position && angular == velocity);
    if (!ball) {
      position_of_[velocity] = position;
      plain_.push_back({position, velocity});
    }
    position += ball ? 4 : 1;
    velocity += ball ? 3 : 1;
  }
  assert(velocity == nv_);
}

bool Configuration::is_quaternion(int position) const {
  for (const auto& [first, angular] : quaternions_) {
    if (position >= first && position < first + 4) return true;
  }
  return false;
}

void Configuration::rate(const double* q, const double* v, double* qdot) const {
  if (quaternions_.empty()) {
    Numbers(qdot, nq_) = GivenNumbers(v, nq_);
    return;
  }
  for (const auto& [position, velocity] : plain_) qdot[position] = v[velocity];
  for (const auto& [position, velocity] : quaternions_) {
    const double *e = q + position, *w = v + velocity;
    double* rate = qdot + position;
    rate[0] = -0.5 * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]);
    rate[1] = 0.5 * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
    rate[2] = 0.5 * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]);
    rate[3] = 0.5 * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  }
}

// w is twice the vector part of the conjugate of q times qdot, over |q|^2.
void Configuration::velocity(const double* q, const double* qdot, double* v) const {
  if (quaternions_.empty()) {
    Numbers(v, nv_) = GivenNumbers(qdot, nv_);
    return;
  }
  for (const auto& [position, velocity] : plain_) v[velocity] = qdot[position];
  for (const auto& [position, velocity] : quaternions_) {
    const double *e = q + position, *r = qdot + position;
    const double factor = 2 / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    v[velocity] = factor * (e[0] * r[1] - e[1] * r[0] - e[2] * r[3] + e[3] * r[2]);
    v[velocity + 1] = factor * (e[0] * r[2] - e[2] * r[0] - e[3] * r[1] + e[1] * r[3]);
    v[velocity + 2] = factor * (e[0] * r[3] - e[3] * r[0] - e[1] * r[2] + e[2] * r[1]);
  }
}

void Configuration::advance(double* q, const double* dv) const {
  if (quaternions_.empty()) {
    Numbers(q, nq_) += GivenNumbers(dv, nq_);
    return;
  }
  for (const auto& [position, velocity] : plain_) q[position] += dv[velocity];
  for (const auto& [position, velocity] : quaternions_) {
    double* e = q + position;
    const double* w = dv + velocity;
    const double old[4] = {e[0], e[1], e[2], e[3]};
    e[0] -= 0.5 * (old[1] * w[0] + old[2] * w[1] + old[3] * w[2]);
    e[1] += 0.5 * (old[0] * w[0] + old[2] * w[2] - old[3] * w[1]);
    e[2] += 0.5 * (old[0] * w[1] + old[3] * w[0] - old[1] * w[2]);
    e[3] += 0.5 * (old[0] * w[2] + old[1] * w[1] - old[2] * w[0]);
  }
  normalize(q);
}

void Configuration::normalize(double* q) const {
  for (const auto& [position, velocity] : quaternions_) {
    double* e = q + position;
    const double norm = std::sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    for (int i = 0; i < 4; ++i) e[i] /= norm;
  }
}

}  // namespace armature
