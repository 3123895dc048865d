// Projection onto phi = 0 and phidot = 0 along the shortest way in the kinetic metric:
//
//   M dv + Phi' mu = 0,  Phi dv = -phi,  q moves by N dv      (Newton, repeated)
//   M dv + Phi' mu = 0,  Phi dv = -phidot,  v moves by dv     (linear: once)
//
// and of an error estimate onto the tangent space, so that an error which the projection removes costs no steps.
//
// Where the constraints are regular, both are one step of a program (SystemEvaluator::correct_motion): what it leaves is of
// second order, and round-off where the way is short. Else it is repeated from where it led to.
//
// Near a singular pose the branches of phi = 0 meet. A row whose sine s against the others is below the square root of
// |phi| cannot tell them apart (phi is there a product of two distances, s one of them): it is left out, so that the
// state does not jump to the other branch; further away from the pose it counts again.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>

#include "dynamics/configuration.hpp"
#include "dynamics/stabilization.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/system.hpp"

namespace armature {

class Projection {
 public:
  explicit Projection(SystemEvaluator& evaluator);

  void begin(double t, const double* x);  // with the first state of a motion, else with that which is projected first
  ProjectionBeginning beginning() const { return {row_size_, began_singular_}; }
  void begin_as(const ProjectionBeginning& other) { row_size_ = other.row_size, began_singular_ = other.singular; }

  // False: no convergence. Only the first nq (nv) entries of the position (velocity) part of x change.
  bool position(double t, double* x);
  // With the velocities goes an error estimate, one an entry of x (null: there is none).
  bool velocity(double t, double* x, double* error = nullptr);
  // Both along the straight way. False: constraints are not regular there, or it is long; x is as before.
  bool straight(double t, double* x);
  // The same with the accelerations at the end of a step, as they then stand in the evaluator, and its error estimate
  // (Ode::finish).
  bool finish(double t, double* x, double* error, double weight, SystemEvaluator::Traced& traced);
  // Of the last of these two: whether its last step was none, and by how much it changed the stored energy, J.
  bool ends_where_evaluated() const { return ends_where_evaluated_; }
  double work() const { return work_; }
  const double* nearest(double t, const double* x);  // x with positions and velocities projected; null: no convergence

  struct Statistics {
    long steps = 0;  // Newton steps of positions
    long dense = 0;  // corrections by the rank-revealing path
  };
  const Statistics& statistics() const { return statistics_; }
  double row_size() const {
    return row_size_;
  }  // largest sum of |Phi_ij| of a row where it was first asked for; 0: not yet

  static constexpr double round_off = 2 * std::numeric_limits<double>::epsilon();
  static constexpr double square_is_round_off = 1e-8;  // a step whose square is round-off
  static constexpr double traced_limit = 1e-8;  // smallest usable pivot ratio of the traced solve (a sine squared)
  static constexpr int most_steps = 20;
  // The straight way: pivots (a sine squared) must be above `regular`, and a step that moves positions by dq and velocities v
  // by dv is the last where what it leaves, dq^2, dq^2 v and dq dv, is nearly round-off: the next step takes it back.
  static constexpr double regular = 1e-2;
  static constexpr double well_regular = 0.1;  // below it the way back, however short, changes accelerations
  static constexpr double no_way = 1e-11;      // but one that is repeated, and ends by less than this
  static constexpr int most_straight = 3;
  static bool is_regular(double ratio, double phi, double size) { return ratio >= std::max(regular, phi / size); }
  static constexpr double left_over = 1e-14;
  static bool is_last(double dq, double dv, double v) { return dq * dq <= left_over && dq * dv <= left_over * v; }
  // Off the constraints by d, accelerations err by d/s^2 where the smallest pivot is a sine s. Stages of a Runge-Kutta step
  // are off by what their low order leaves; below this sine they are evaluated at their projection.
  static constexpr double stages_project = 1e-2;
  // Whether a velocity v that was moved by at most dv, where the smallest pivot is a sine, is that of another branch: next to
  // a pose in which branches meet, an error of a step moves velocities by a small part of themselves, another tangent by a
  // large one. 1e-6: rad/s or m/s, below which a velocity is rest.
  static bool changes_branch(double sine, double dv, double v) { return sine < 0.1 && dv > 0.3 * v && dv > 1e-6; }
  // The last velocity() did. A motion that begins where branches meet has none yet, and may take any.
  bool changed_branch() const { return changed_branch_ && !began_singular_; }

 private:
  enum class Level { position, velocity };
  // Fill dv_ at the inputs that are set; largest |phi| or |phidot|, NaN: none.
  double position_correction(double size);
  double dense_velocity_correction(const double* v);
  double dense_correction(Level level, double tolerance);
  bool traced_velocity_correction(bool with_errors);  // into correction_; false: not to be used
  void make_errors_tangent(bool traced);  // position_error_, velocity_error_: where velocities were corrected
  double typical_size(double t, const double* x);
  template <class Correct>  // gives the correction at the inputs that are set
  bool go_straight(double t, double* x, const Correct& correct);
  void move(double* x, const SystemEvaluator::MotionCorrection& correction);
  double energy(double t, const double* x);

  SystemEvaluator& evaluator_;
  Configuration configuration_;
  bool traced_;
  SparseTerms terms_;
  KineticRows rows_;
  SystemEvaluator::VelocityCorrection correction_;
  double work_ = 0;
  bool ends_where_evaluated_ = false;
  Eigen::VectorXd began_;  // positions and velocities where a straight way began
  Eigen::VectorXd dv_, residual_, nearest_, position_error_, velocity_error_;
  double row_size_ = 0;
  double tolerance_ = rank_tolerance;  // of the last position correction, for the velocities that follow
  double factored_tolerance_ = 0;      // with which rows_ is factored now
  bool changed_branch_ = false, began_singular_ = false;
  Statistics statistics_;
};

}  // namespace armature
