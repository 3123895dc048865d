// The engine of one state for what the step kernel (step/motion.hpp) does not do, since it is rare or takes a decision:
//
//   derivative   acceleration by a formulation, or in singular poses from both sides     acceleration_solver, singular_passage
//   project      the return to the constraints, with a decision on their rank            projection, post_adjust
//   weights      of several comparisons that slide at once                               comparison_weights, sliding
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "dynamics/acceleration_solver.hpp"
#include "dynamics/comparison_weights.hpp"
#include "dynamics/configuration.hpp"
#include "dynamics/machine_size.hpp"
#include "dynamics/post_adjust.hpp"
#include "dynamics/projection.hpp"
#include "dynamics/singular_passage.hpp"
#include "dynamics/stabilization.hpp"
#include "system/system.hpp"

namespace armature::internal {

class FullEngine {
 public:
  // Keeps references. Throws std::invalid_argument with a sentence if the formulation does not fit the system.
  FullEngine(SystemEvaluator& evaluator, const FormulationOptions& formulation, const Stabilization& stabilization);

  bool derivative(double t, const double* x, double* xdot);
  // At the nearest state on the constraints; accelerations in a singular pose are interpolated from as far away as it takes.
  bool derivative_on_manifold(double t, const double* x, double* xdot);
  double regularity()
      const;  // of the constraints where derivative() was asked last: a sine, 0 where rows are dependent
  bool project(double t, double* x, double* error);    // error may be null
  bool solve_acceleration(double t, const double* x);  // at the inputs that are set, with the weights of what slides
  const Eigen::VectorXd& weights_at(double t, const double* x);  // those that slide solved there

  // Near singular poses every derivative() is that of the projected state, and project() fails where it would end on another
  // branch. For integrators that control their error: they can take the step anew.
  void project_stages(bool project) { project_stages_ = project; }
  bool projects_stages() const { return project_stages_; }
  // What project() goes by, taken at x unless it is known.
  const ProjectionBeginning& begin_projection(double t, const double* x);
  step::MachineSizes sizes(double t, const double* x);  // the same for the step kernel
  MachineSize machine_size(double t, const double* x);  // the same, or that at x where there are no constraints

  AccelerationSolver& solver() { return solver_; }
  const AccelerationSolver& solver() const { return solver_; }
  ComparisonWeights& comparisons() { return comparisons_; }
  const ComparisonWeights& comparisons() const { return comparisons_; }
  Projection& projection() { return projection_; }

  // Of the run; the step kernel's part is counted here, too.
  struct Statistics {
    long evaluations = 0;       // of derivative()
    long dense = 0;             // accelerations that `auto` handed to the rank-revealing solve
    long near_singular = 0;     // evaluations with a pivot below Regularity::singular
    long projections = 0;       // calls of project()
    long projection_steps = 0;  // Newton steps in them
    long dense_projections = 0;
    int smallest_rank = -1;  // of Phi; -1: nothing evaluated yet
  };
  Statistics& statistics() { return statistics_; }
  const Statistics& statistics() const { return statistics_; }
  void count_evaluation();  // of the solver's acceleration

  struct Failure {
    double t;
    Eigen::VectorXd x;
  };
  const std::optional<Failure>& last_failure() const { return last_failure_; }  // of derivative(), where
  std::string refusal() const { return solver_.formulation().refusal(solver_.acceleration()); }  // and why
  static bool is_given_up(const System& system,
                          bool dense);  // somebody stops the run in which an evaluation takes long

 private:
  bool derivative(double t, const double* x, double farthest, double* xdot);
  bool may_leave_state() const;
  bool accelerate_from_both_sides(double t, const double* x, double farthest);
  bool accelerate_on_constraints(double t, const double* x);
  bool return_to_manifold(double t, double* x, double* error);

  SystemEvaluator& evaluator_;
  const Stabilization& stabilization_;
  ComparisonWeights comparisons_;
  AccelerationSolver solver_;
  Configuration configuration_;
  Projection projection_;
  SingularPassage passage_;
  std::optional<PostAdjust> post_adjust_;
  bool project_stages_ = false;
  Eigen::VectorXd normalized_;
  Acceleration interpolated_;
  Statistics statistics_;
  std::optional<Failure> last_failure_;
};

}  // namespace armature::internal
