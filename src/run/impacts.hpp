// Constraints whose law changes at an event: prescribed motions with comparisons inside.
//
// If the new law asks for another position, no motion leads there, and the run ends. If it asks for another velocity, an impulse
// acts on the machine:
//
//   M dv + Phi' mu = 0,  Phi dv = -phidot,  v moves by dv
//
// The energy that it adds or takes is work.impact. Where neither position nor velocity jumps, nothing is done.
#pragma once

#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "mechanics/energy_ledger.hpp"
#include "observe/constraint_gaps.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

class Impacts {
 public:
  Impacts(const Prepared& prepared, Dynamics& dynamics);  // kept by reference
  bool any() const { return !rows_.empty(); }             // constraints whose law may change

  void before(const State& state);  // a change that may come
  // After it. Not empty: why no motion leads on.
  std::string after(State& state, std::vector<RunEvent>& events);
  Findings findings() const;

 private:
  struct Jump {
    int row = -1;
    double size = 0;
  };
  void evaluate(const State& state);
  Jump largest_jump(const Eigen::VectorXd& before, const Eigen::VectorXd& after, bool velocity) const;
  bool hit(State& state);  // the impulse; false: no velocity satisfies all constraints
  std::string name(int row) const;
  std::string unit(int row, bool velocity) const;

  const Equations& equations_;
  Dynamics& dynamics_;
  ImpactWork ledger_;
  std::vector<int> rows_;
  double duration_;
  SparseTerms terms_;
  ConstraintGaps gaps_;
  Eigen::VectorXd speed_size_, phi_, phidot_;
  int count_ = 0;
  std::string first_;  // impact, in words
  double work_ = 0;    // of all of them, J
};

}  // namespace armature::internal
