// Dynamics: one thread's workspace; a System with a formulation and a stabilization as xdot = f(t, x), x = (q, v, z).
//
//   terms -> b = gamma - alpha phidot - beta phi -> formulation -> xdot = (N v, vdot, zdot)
//
// With formulation `auto` the traced solve of the System does all of this as straight-line code; where one of its
// pivots is small, that evaluation is repeated by the rank-revealing solve.
//
// Modes that slide (State::mode) are weights found anew at each evaluation, such that the root stays zero: see
// sliding.hpp.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "dynamics/motion_parts.hpp"
#include "dynamics/stabilization.hpp"
#include "integrate/ode.hpp"
#include "step/motion.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

class Configuration;
class Formulation;
class KineticRows;
class PostAdjust;
class Projection;
class Sliding;
struct FormulationOptions;

class Dynamics final : public Ode {
 public:
  // Throws std::invalid_argument with a sentence if the formulation does not fit the system.
  Dynamics(std::shared_ptr<const System> system, const FormulationOptions& formulation,
           const Stabilization& stabilization);
  ~Dynamics() override;

  // Discrete values and modes, which are held until set again; t and x of the state are not kept.
  void set_state(const State& state);
  // Comparisons as they come: every derivative() takes the modes from the signs of their roots. For integrators that do
  // not locate changes.
  void follow_roots(bool follow);
  bool follows_roots() const { return follow_roots_ && w_.size() > 0; }
  void take_modes(double t, const double* x);  // weights() from the roots there
  // Other gains from now on, 1/s and 1/s^2: for runs that differ in nothing else.
  void set_baumgarte(double alpha, double beta);

  const Stabilization& stabilization() const { return stabilization_; }

  // Near singular poses every derivative() is that of the projected state, and project() fails where it would end on another
  // branch. For integrators that control their error: they can take the step anew.
  void project_stages(bool project) { project_stages_ = project; }
  bool projects_stages() const { return project_stages_; }
  // What project() goes by, taken at x unless it is known; for a Dynamics that sees the same motion in another thread.
  const ProjectionBeginning& begin_projection(double t, const double* x);
  void begin_projection_as(const ProjectionBeginning& beginning);

  int size() const override;
  int position_size() const override;
  bool derivative(double t, const double* x, double* xdot) override;
  bool project(double t, double* x, double* error) override;
  // Leaves x as it is where it does not come back to its constraints, or only upon another branch. For states between steps:
  // there is no step to make shorter.
  void project_if_possible(double t, double* x);
  Finish finish(double t, double* x, double* xdot, double* error, double weight) override;
  // The same for states in which something is rare (step/motion.hpp): the formulation, passage of singular poses, several modes
  // that slide, the rank-revealing projection.
  bool derivative_in_full(double t, const double* x, double* xdot);
  bool project_in_full(double t, double* x, double* error);
  bool jacobian(double t, const double* x, Eigen::MatrixXd& J) override;

  // Of the last derivative(). With dependent rows and the traced solve lambda is not of least norm; solve_multipliers()
  // makes it so, and is for recording.
  const Acceleration& acceleration() const { return acceleration_; }
  bool solve_multipliers(double t, const double* x);
  const Eigen::VectorXd& weights() const { return w_; }          // of the modes, sliding ones as solved
  const Eigen::VectorXd& weights_at(double t, const double* x);  // those that slide solved there
  bool solved_weights_at(double t, const double* x) const;       // of sliding ones, by what was evaluated last
  struct Failure {
    double t;
    Eigen::VectorXd x;
  };
  const std::optional<Failure>& last_failure() const { return last_failure_; }  // of derivative(), where
  std::string refusal() const;  // why the last derivative() could not be had

  struct Statistics {
    long evaluations = 0;       // of derivative()
    long dense = 0;             // accelerations that `auto` handed to the rank-revealing solve
    long near_singular = 0;     // evaluations with a pivot below Regularity::singular
    long projections = 0;       // calls of project()
    long projection_steps = 0;  // Newton steps in them
    long dense_projections = 0;
    int smallest_rank = -1;  // of Phi; -1: nothing evaluated yet
  };
  const Statistics& statistics() const { return statistics_; }
  // For lanes: what is special about this run, and what its projection measures by.
  step::LaneTraits traits() const;
  void set_weight(int mode, double weight);  // of a sliding one, as found
  step::MachineSizes sizes(double t, const double* x);
  SystemEvaluator& evaluator() { return evaluator_; }
  const System& system() const { return evaluator_.system(); }

 private:
  // At the inputs that are set: acceleration_, qdot_, zdot_. The first with the weights of what slides.
  bool solve_acceleration(double t, const double* x);
  bool accelerate();
  bool accelerate_traced();                                                  // false: a pivot is too small
  void take_traced(const double* vdot, const double* lambda, double ratio);  // as acceleration_
  bool accelerate_by_terms();
  template <class Matrix>
  bool accelerate_with(TermsOf<Matrix>& terms);
  bool accelerate_on_constraints(double t, const double* x);
  bool accelerate_from_both_sides(double t, const double* x);
  bool interpolate_from_sides(double t, const double* x, double dt);  // interpolated_; false: singular there, too
  bool branch_leads_through(double t, const double* x);               // branch_ lies on the constraints
  bool constraints_move(double t, const double* x, double dt);        // phi(t + dt, q) is not phi(t, q)
  bool accelerate_beside(double t, const double* x, double dt);       // at x moved on by dt; false: singular there, too
  bool may_leave_state() const;
  bool at_singular_pose() const;
  template <class Matrix>
  void add_constraint_work(const TermsOf<Matrix>& terms);  // to zdot_
  bool return_to_manifold(double t, double* x, double* error);
  bool plain() const;  // every derivative() is one traced acceleration with the modes as they are set
  void take_step_rates();
  void count_projection_work(double t, double* x, double before);
  void write_rates(double* xdot) const;
  void count();

  struct Engine;  // of step/motion.hpp: this, in full

  SystemEvaluator evaluator_;
  MotionParts parts_;
  std::vector<step::Row<1>> memory_;
  step::Motion<1, KernelEvaluator<1>> motion_;
  Stabilization stabilization_;
  std::unique_ptr<Formulation> formulation_;
  std::unique_ptr<Configuration> configuration_;
  std::unique_ptr<Projection> projection_;
  std::unique_ptr<PostAdjust> post_adjust_;
  std::unique_ptr<Sliding> sliding_;
  std::unique_ptr<KineticRows> rows_;  // for jacobian() and solve_multipliers()

  SparseTerms terms_;
  Terms dense_;  // for formulations other than `auto`
  Eigen::VectorXd b_, w_, qdot_, zdot_, force_;
  bool traced_;  // `auto` with programs of the traced solve
  SystemEvaluator::Jacobian jacobian_;
  Acceleration acceleration_, column_;
  Acceleration here_, interpolated_;  // for accelerate_from_both_sides
  Eigen::VectorXd branch_, qdot_here_, zdot_here_, beside_, step_, unprojected_;
  Statistics statistics_;
  bool follow_roots_ = false, project_stages_ = false;
  std::optional<Failure> last_failure_;
  double solved_t_ = std::numeric_limits<double>::quiet_NaN();  // where weights of sliding modes were solved last
  Eigen::VectorXd solved_x_;
};

}  // namespace armature
