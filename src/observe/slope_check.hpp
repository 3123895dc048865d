// Whether the motion between the steps obeys its own equations where rows are recorded. What acts for less than a step, between the moments
// at which the step looks, shows in no error estimate; but a row that falls upon it knows its accelerations, and dense output has another
// slope there. They may differ by what the tolerance allows:
//
//   - over the time between rows, or the step, the difference moves the state by no more than a multiple of the tolerance, or
//   - it is a small part of the acceleration, or
//   - an error of the state of the size of the tolerance explains it, as in stiff machines.
//
// In the models of this repository, with the options of their files, the first number is at most 114 tolerances where the second is more than
// a tenth; with other integrators and tolerances 1e4, which the third explains. What is passed over shows 1e5 tolerances and more.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/step.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// Entries of x whose rates are accelerations, or laws of states: those whose slopes tell something.
std::vector<int> entries_with_slopes(const System& system);

class SlopeCheck {
 public:
  SlopeCheck(const Prepared& prepared, Dynamics& dynamics);  // kept by reference

  void begin_step(const Step& step) { step_ = &step, has_path_ = false; }
  void look(double t, const Eigen::VectorXd& x);  // at a row inside the step, whose accelerations were solved last
  void look_inside(double t);                     // at any time of the step
  // Whether the step has missed what happens there: its slope is off by more than the tolerance allows over the step, and by a good part of
  // what the rate strays from the line between both ends; and no error of the state explains it.
  bool contradicts(double t);
  void report(Outcome& outcome) const;

 private:
  bool follows_path();      // whether dense output has slopes in this step
  bool evaluate(double t);  // x_ and rates_ there
  void compare(double t, const Eigen::VectorXd& x, double span);
  double slope(std::size_t entry, double t) const;
  double tolerance(int i, const Eigen::VectorXd& x) const;
  const double* rates_beside(double t, const Eigen::VectorXd& x, int direction);  // step/slope_test.hpp
  bool is_explained(double t, const Eigen::VectorXd& x, int i, double off);       // by errors of the state
  Finding finding_about(int i, double t, double rate, double slope) const;

  const Prepared& prepared_;
  Dynamics& dynamics_;
  std::vector<int> entries_;  // of x
  const Step* step_ = nullptr;
  StepPath path_;
  bool has_path_ = false, follows_path_ = false;
  Eigen::VectorXd x_, rates_, moved_, moved_rates_;
  static constexpr double most_off = 1000;  // tolerances
  double worst_ = most_off;                 // of rows so far
  Findings found_;
};

}  // namespace armature::internal
