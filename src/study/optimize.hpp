// The smallest value of a formula of the motion over a box of variables, with inequalities, by methods of NLopt: without
// derivatives, or with exact gradients (`gradient`: sequential quadratic programming). Variables are scaled to the unit
// box, so that ranges say what counts as far.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "study/cells.hpp"
#include "study/design.hpp"

namespace armature::internal {

struct MinimizeOptions {
  std::string method = "bobyqa";
  int evaluations = 200;    // at most
  double tolerance = 1e-6;  // of the variables, in units of their ranges
};

// bobyqa, cobyla, nelder_mead, subplex, direct, gradient
const std::vector<std::string>& minimize_methods();
bool takes_inequalities(const std::string& method);
bool takes_gradients(const std::string& method);

struct Evaluation {
  std::vector<double> point;
  double objective = 0;              // NaN: it has no value there; of several cases the worst
  std::vector<double> inequalities;  // must not be positive
  double failure = 0;                // reason_number() of why the motion failed; 0: it did not
  double warnings = 0;               // warning_bits() of the motion
  // Rows: objectives of all cases, then inequalities; columns: variables. Empty: not known, or not asked for.
  Eigen::MatrixXd gradients = {};
  double other = 0;                 // a second result, where there is one
  std::vector<double> cases = {};   // the objective in each of several cases; empty: there is one
  int worst = 0;                    // of several cases the one that has the objective
  std::vector<double> motion = {};  // what is set there (OptimizationResult::names); empty: there is one case
  bool feasible() const;
};

// Fills objective, inequalities (NaN where there are none), `failure`, and `gradients` for a method that takes them.
// False: stopped.
using Objective = std::function<bool(Evaluation& evaluation)>;

struct Minimum {
  std::vector<Evaluation> evaluations;
  int best = -1;  // the feasible one with the smallest objective; -1: there is none
  bool stopped = false;
};

// Where the motion fails the method sees a value worse than all before, and goes elsewhere. cases: how many objectives there are, of which
// the largest is minimized. A method that takes inequalities sees it as one more variable, s, with each of them at most s: the problem stays
// smooth where the worst case changes.
Minimum minimize(const std::vector<Axis>& box, const std::vector<double>& start, int inequalities,
                 const Objective& objective, const MinimizeOptions& options, int cases = 1);

}  // namespace armature::internal
