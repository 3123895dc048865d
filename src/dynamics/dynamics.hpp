// Dynamics: one thread's workspace; a System with a formulation and a stabilization as xdot = f(t, x), x = (q, v, z).
//
// The step kernel (step/motion.hpp) does what is regular. What is rare is done in full: the acceleration by a formulation
// (acceleration_solver.hpp), in singular poses from both sides (singular_passage.hpp), the return to the constraints with a
// decision on the rank (projection.hpp), several modes that slide at once (sliding.hpp).
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "dynamics/machine_size.hpp"
#include "dynamics/motion_parts.hpp"
#include "dynamics/stabilization.hpp"
#include "integrate/ode.hpp"
#include "step/motion.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class AccelerationJacobian;
class AccelerationSolver;
class Configuration;
class KineticRows;
class PostAdjust;
class Projection;
class SingularPassage;
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
  // No event location: every derivative() takes the modes from the signs of their roots. For integrators that do
  // not locate changes.
  void follow_roots(bool follow);
  bool follows_roots() const { return follow_roots_ && w_.size() > 0; }
  void take_modes(double t, const double* x);  // weights() from the roots there
  // Of a motion that lasts as long as the run, 1/s. At this rate a root that sticks a little off zero returns there.
  void set_typical_rate(double rate);
  double typical_rate() const;
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
  const Acceleration& acceleration() const;
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
  MachineSize machine_size(double t, const double* x);  // that of project(), or of x where there are no constraints
  SystemEvaluator& evaluator() { return evaluator_; }
  const System& system() const { return evaluator_.system(); }

 private:
  bool solve_acceleration(double t, const double* x);  // at the inputs that are set, with the weights of what slides
  bool accelerate_from_both_sides(double t, const double* x);
  bool accelerate_on_constraints(double t, const double* x);
  bool may_leave_state() const;
  bool return_to_manifold(double t, double* x, double* error);
  bool plain() const;  // every derivative() is one traced acceleration with the modes as they are set
  void take_step_rates();
  void count_projection_work(double t, double* x, double before);
  void count();

  struct Engine;  // of step/motion.hpp: this, in full

  SystemEvaluator evaluator_;
  MotionParts parts_;
  std::vector<step::Row<1>> memory_;
  step::Motion<1, KernelEvaluator<1>> motion_;
  Stabilization stabilization_;
  std::unique_ptr<AccelerationSolver> solver_;
  std::unique_ptr<Configuration> configuration_;
  std::unique_ptr<Projection> projection_;
  std::unique_ptr<SingularPassage> passage_;
  std::unique_ptr<PostAdjust> post_adjust_;
  std::unique_ptr<Sliding> sliding_;
  std::unique_ptr<KineticRows> rows_;  // for jacobian_ and solve_multipliers()
  std::unique_ptr<AccelerationJacobian> jacobian_;

  Eigen::VectorXd w_, normalized_, unprojected_;
  Acceleration interpolated_;
  Statistics statistics_;
  bool follow_roots_ = false, project_stages_ = false;
  std::optional<Failure> last_failure_;
  double solved_t_ = std::numeric_limits<double>::quiet_NaN();  // where weights of sliding modes were solved last
  Eigen::VectorXd solved_x_;
};

}  // namespace armature::internal
