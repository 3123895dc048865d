// The acceleration at the inputs of an evaluator, with the rates of positions and further states:
//
//   terms -> b = gamma - alpha phidot - beta phi -> formulation -> qdot = N v, vdot, zdot
//
// With formulation `auto` the traced solve of the System does all of this as straight-line code; where one of its pivots is
// small, the rank-revealing solve repeats that evaluation.
#pragma once

#include "dynamics/acceleration.hpp"
#include "dynamics/formulation.hpp"
#include "dynamics/stabilization.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/system.hpp"

namespace armature::internal {

class AccelerationSolver {
 public:
  // Keeps references. Throws std::invalid_argument with a sentence if the formulation does not fit the system.
  AccelerationSolver(SystemEvaluator& evaluator, const FormulationOptions& formulation,
                     const Stabilization& stabilization);

  Formulation& formulation() { return formulation_; }
  const Formulation& formulation() const { return formulation_; }
  bool traced() const { return traced_; }       // `auto` with programs of the traced solve
  long dense_solves() const { return dense_; }  // that `auto` handed to the rank-revealing solve

  bool solve();
  const Acceleration& acceleration() const { return acceleration_; }
  bool rates_are_finite() const { return qdot_.allFinite() && zdot_.allFinite(); }
  void write_rates(double* xdot) const;  // of x = (q, v, z)

  // The result of the traced solve, from where else it was run; ratio: the square of the smallest sine.
  void take_traced(const double* vdot, const double* lambda, double ratio);
  // vdot and lambda that were found in another way, at the inputs that are set.
  void take(const Acceleration& other);
  // With dependent rows: the multipliers of least norm, for the last vdot. False: there are none. rows: memory.
  bool take_least_multipliers(KineticRows& rows);

 private:
  bool solve_traced();  // false: a pivot is too small
  template <class Matrix>
  bool solve_with(TermsOf<Matrix>& terms);
  template <class Matrix>
  void add_constraint_work(const TermsOf<Matrix>& terms);  // to zdot_

  SystemEvaluator& evaluator_;
  const Stabilization& stabilization_;
  Formulation formulation_;
  bool traced_;
  long dense_ = 0;
  SparseTerms terms_;
  Terms dense_terms_;  // for formulations other than `auto`
  Acceleration acceleration_;
  Eigen::VectorXd b_, force_, qdot_, zdot_;
};

}  // namespace armature::internal
