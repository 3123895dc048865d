// How positions follow velocities, qdot = N(q) v, of one state (step/configuration.hpp); and which position follows which velocity.
#pragma once

#include <vector>

#include "mechanics/equations.hpp"
#include "step/configuration.hpp"

namespace armature::internal {

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
  step::Configuration of_step() const;                                    // as long as this lives

 private:
  using Pair = step::Configuration::Pair;
  int nq_, nv_;
  std::vector<Pair> plain_, quaternions_;
  std::vector<int> position_of_;
};

}  // namespace armature::internal
