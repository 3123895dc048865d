// How positions follow velocities: qdot = N(q) v. N is the identity but for the quaternions of ball joints (scalar
// first, v their angular velocity w in the child's frame), where  qdot = 1/2 q (0, w).
#pragma once

#include "step/arithmetic.hpp"

namespace armature::step {

struct Configuration {
  struct Pair {
    int q, v;  // the first position and the first velocity
  };
  int nq = 0, nv = 0;
  int plain_count = 0, quaternion_count = 0;
  const Pair *plain = nullptr, *quaternions = nullptr;  // plain: a position whose rate is the velocity

  // qdot = N v
  template <int W>
  ARMATURE_STEP void rate(Mask<W> lanes, const Row<W>* q, const Row<W>* v, Row<W>* qdot) const {
    if (quaternion_count == 0) return copy<W>(lanes, nq, v, qdot);
    for (int i = 0; i < plain_count; ++i) copy<W>(lanes, 1, v + plain[i].v, qdot + plain[i].q);
    for_each_quaternion<W>(lanes, [&](int k, const Pair& at) {
      const Row<W>*e = q + at.q, *w = v + at.v;
      Row<W>* r = qdot + at.q;
      r[0][k] = -0.5 * (e[1][k] * w[0][k] + e[2][k] * w[1][k] + e[3][k] * w[2][k]);
      r[1][k] = 0.5 * (e[0][k] * w[0][k] + e[2][k] * w[2][k] - e[3][k] * w[1][k]);
      r[2][k] = 0.5 * (e[0][k] * w[1][k] + e[3][k] * w[0][k] - e[1][k] * w[2][k]);
      r[3][k] = 0.5 * (e[0][k] * w[2][k] + e[1][k] * w[1][k] - e[2][k] * w[0][k]);
    });
  }

  // v = N^+ qdot: w is twice the vector part of the conjugate of q times qdot, over |q|^2.
  template <int W>
  ARMATURE_STEP void velocity(Mask<W> lanes, const Row<W>* q, const Row<W>* qdot, Row<W>* v) const {
    if (quaternion_count == 0) return copy<W>(lanes, nv, qdot, v);
    for (int i = 0; i < plain_count; ++i) copy<W>(lanes, 1, qdot + plain[i].q, v + plain[i].v);
    for_each_quaternion<W>(lanes, [&](int k, const Pair& at) {
      const Row<W>*e = q + at.q, *r = qdot + at.q;
      Row<W>* w = v + at.v;
      const double square = e[0][k] * e[0][k] + e[1][k] * e[1][k] + e[2][k] * e[2][k] + e[3][k] * e[3][k];
      const double factor = 2 / square;
      w[0][k] = factor * (e[0][k] * r[1][k] - e[1][k] * r[0][k] - e[2][k] * r[3][k] + e[3][k] * r[2][k]);
      w[1][k] = factor * (e[0][k] * r[2][k] - e[2][k] * r[0][k] - e[3][k] * r[1][k] + e[1][k] * r[3][k]);
      w[2][k] = factor * (e[0][k] * r[3][k] - e[3][k] * r[0][k] - e[1][k] * r[2][k] + e[2][k] * r[1][k]);
    });
  }

  // q + N dv, quaternions normalized
  template <int W>
  ARMATURE_STEP void advance(Mask<W> lanes, const Row<W>* dv, Row<W>* q) const {
    if (quaternion_count == 0) return add_to<W>(lanes, nq, dv, q);
    for (int i = 0; i < plain_count; ++i) add_to<W>(lanes, 1, dv + plain[i].v, q + plain[i].q);
    for_each_quaternion<W>(lanes, [&](int k, const Pair& at) {
      Row<W>* e = q + at.q;
      const Row<W>* w = dv + at.v;
      const double old[4] = {e[0][k], e[1][k], e[2][k], e[3][k]};
      e[0][k] -= 0.5 * (old[1] * w[0][k] + old[2] * w[1][k] + old[3] * w[2][k]);
      e[1][k] += 0.5 * (old[0] * w[0][k] + old[2] * w[2][k] - old[3] * w[1][k]);
      e[2][k] += 0.5 * (old[0] * w[1][k] + old[3] * w[0][k] - old[1] * w[2][k]);
      e[3][k] += 0.5 * (old[0] * w[2][k] + old[1] * w[1][k] - old[2] * w[0][k]);
    });
    normalize<W>(lanes, q);
  }

  template <int W>
  ARMATURE_STEP void normalize(Mask<W> lanes, Row<W>* q) const {
    for_each_quaternion<W>(lanes, [&](int k, const Pair& at) {
      Row<W>* e = q + at.q;
      const double square = e[0][k] * e[0][k] + e[1][k] * e[1][k] + e[2][k] * e[2][k] + e[3][k] * e[3][k];
      const double norm = square_root(square);
      for (int i = 0; i < 4; ++i) e[i][k] /= norm;
    });
  }

 private:
  template <int W, class Action>
  ARMATURE_STEP void for_each_quaternion(Mask<W> lanes, const Action& action) const {
    for (int i = 0; i < quaternion_count; ++i) for_each<W>(lanes, [&](int k) { action(k, quaternions[i]); });
  }
};

}  // namespace armature::step
