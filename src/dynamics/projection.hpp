// Projection onto phi = 0 and phidot = 0 along the shortest way in the kinetic metric:
//
//   M dv + Phi' mu = 0,  Phi dv = -phi,  q moves by N dv      (Newton, repeated)
//   M dv + Phi' mu = 0,  Phi dv = -phidot,  v moves by dv     (linear: once)
//
// and of an error estimate onto the tangent space, so that an error which the projection removes costs no steps.
//
// The full way, for states that step/projection.hpp leaves: it decides on the rank.
//
// Near a singular pose the branches of phi = 0 meet. A row whose sine s against the others is below the square root of
// |phi| cannot tell them apart (phi is there a product of two distances, s one of them): it is left out, so that the
// state does not jump to the other branch; further away from the pose, and always where its sine is above Regularity::near, it
// counts again.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "dynamics/configuration.hpp"
#include "dynamics/stabilization.hpp"
#include "linear/kinetic_rows.hpp"
#include "step/projection.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Projection {
 public:
  explicit Projection(SystemEvaluator& evaluator);

  void begin(double t, const double* x);  // with the first state of a motion, else with that which is projected first
  const ProjectionBeginning& beginning() const { return beginning_; }
  void begin_as(const ProjectionBeginning& other);
  const MachineSize& size() const { return beginning_.size; }
  void set_rate(double rate) { rate_ = rate; }  // 1/s, of a motion that lasts as long as the run
  step::MachineSizes sizes() const;             // for the step kernel

  // False: no convergence. Only the first nq (nv) entries of the position (velocity) part of x change.
  bool position(double t, double* x);
  // With the velocities goes an error estimate, one an entry of x (null: there is none).
  bool velocity(double t, double* x, double* error = nullptr);
  const double* nearest(double t, const double* x);  // x with positions and velocities projected; null: no convergence

  struct Statistics {
    long steps = 0;  // Newton steps of positions
    long dense = 0;  // corrections by the rank-revealing path
  };
  const Statistics& statistics() const { return statistics_; }

  // The last velocity() did. A motion that begins where branches meet has none yet, and may take any.
  bool changed_branch() const { return changed_branch_ && !beginning_.singular; }

 private:
  enum class Level { position, velocity };
  // Fill dv_ at the inputs that are set; largest |phi| or |phidot| over its size, NaN: none.
  double position_correction(double size);
  double dense_velocity_correction(const double* v);
  double dense_correction(Level level, double tolerance);
  bool traced_velocity_correction(bool with_errors);  // into correction_; false: not to be used
  void make_errors_tangent(bool traced);  // position_error_, velocity_error_: where velocities were corrected
  double typical_size(double t, const double* x);
  double open() const;  // largest residual of correction_, over its size

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  bool traced_;
  std::vector<int> velocity_rows_;
  SparseTerms terms_;
  KineticRows rows_;
  SystemEvaluator::VelocityCorrection correction_;
  Eigen::VectorXd dv_, residual_, nearest_, position_error_, velocity_error_;
  ProjectionBeginning beginning_;
  Eigen::VectorXd per_traced_row_;            // one over the sizes of the independent rows
  double tolerance_ = Regularity::dependent;  // of the last position correction, for the velocities that follow
  double factored_tolerance_ = 0;             // with which rows_ is factored now
  double rate_ = 1;
  bool changed_branch_ = false;
  Statistics statistics_;
};

}  // namespace armature::internal
