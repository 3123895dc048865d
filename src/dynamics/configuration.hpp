// How positions follow velocities: qdot = N(q) v. N is the identity but for the quaternions of ball joints (scalar
// first, v their angular velocity w in the child's frame), where  qdot = 1/2 q (0, w).
#pragma once

#include <vector>

#include "mechanics/equations.hpp"

namespace armature {

class Configuration {
 public:
  explicit Configuration(const Equations& equations);

  void rate(const double* q, const double* v, double* qdot) const;      // N v
  void velocity(const double* q, const double* qdot, double* v) const;  // N^+ qdot
  void advance(double* q, const double* dv) const;                      // q + N dv, quaternions normalized
  void normalize(double* q) const;

  int nq() const { return nq_; }
  int nv() const { return nv_; }
  bool is_quaternion(int position) const;                                 // whether q[position] is part of one
  int position_of(int velocity) const { return position_of_[velocity]; }  // q that follows v; -1: part of a quaternion

 private:
  int nq_, nv_;
  std::vector<std::array<int, 2>> plain_;        // {position, velocity} with qdot = v
  std::vector<std::array<int, 2>> quaternions_;  // {first position, first velocity}
  std::vector<int> position_of_;
};

}  // namespace armature
