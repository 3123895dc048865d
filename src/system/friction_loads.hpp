// Loads of friction as expressions of the state. With the loads L the forces are f = f0 + F L, so that accelerations, multipliers and
// with them all forces between surfaces are affine in L:
//
//   L_i = sum of scale |n|,   n = n0 + G L
//
// where n0 and the columns of G come from one traced solve each. Newton's method, unrolled, finds L: where every n is a single
// number, each iteration solves the linear equations of one pattern of signs exactly. |n| is sqrt(n^2 + (1e-12 N)^2).
//
// Accelerations, multipliers and reactions in the formulas of forces are unknowns of the same equations, with n in place of |n|. So are
// the forces of rigid contacts (mechanics/rigid_contact.hpp), which start from zero and take steps with a larger diagonal if the
// run asks for it.
//
// A joint whose own friction raises its load as fast as the load raises friction, sum of scale |G_ii| >= 1, has no load or several
// (Painleve), and so have joints together where a pivot of Newton's matrix is not positive: there L has no value.
#pragma once

#include <vector>

#include "expression/derivative.hpp"
#include "system/constrained_solution.hpp"

namespace armature::internal {

struct SolvedLoads {
  std::vector<FrictionLoad> loads;       // with the signals that forces depend on
  ConstrainedSolution::Values solution;  // accelerations and multipliers with the loads
  LeafMap values;                        // of the leaves of loads
  std::vector<WatchedFormula> watched;   // without a value where a load has none
  std::vector<UndeterminedLoad> undetermined;
};

// Throws FormulaError where a force is not affine in the loads.
SolvedLoads solve_loads(const Equations& equations, const ConstrainedSolution& solution);

}  // namespace armature::internal
