// Dynamics: one thread's workspace; a System with a formulation and a stabilization as xdot = f(t, x), x = (q, v, z).
//
// The step kernel (step/motion.hpp) does what is regular, the full engine (full_engine.hpp) what is rare.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "dynamics/acceleration.hpp"
#include "dynamics/full_engine.hpp"
#include "dynamics/stabilization.hpp"
#include "integrate/ode.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::step {
struct LaneTraits;
}

namespace armature::internal {

class AccelerationJacobian;

class Dynamics final : public Ode {
 public:
  // Throws std::invalid_argument with a sentence if the formulation does not fit the system.
  Dynamics(std::shared_ptr<const System> system, const FormulationOptions& formulation,
           const Stabilization& stabilization);
  ~Dynamics() override;

  // Discrete values and outcomes, which are held until set again; t and x of the state are not kept.
  void set_state(const State& state);
  // No event location: every derivative() takes the outcomes from the signs of their roots. For integrators that do
  // not locate changes.
  void follow_roots(bool follow);
  void set_typical_rate(double rate);  // see ComparisonWeights
  // Other gains from now on, 1/s and 1/s^2: for runs that differ in nothing else.
  void set_baumgarte(double alpha, double beta);
  // What project() goes by, from a Dynamics that sees the same motion in another thread.
  void begin_projection_as(const ProjectionBeginning& beginning);

  int size() const override;
  int position_size() const override;
  bool derivative(double t, const double* x, double* xdot) override;
  bool project(double t, double* x, double* error) override;
  Finish finish(double t, double* x, double* xdot, double* error, double weight) override;
  bool jacobian(double t, const double* x, Eigen::MatrixXd& J) override;
  double regularity() const override { return engine_.regularity(); }
  bool derivative_on_manifold(double t, const double* x, double* xdot) override {
    return engine_.derivative_on_manifold(t, x, xdot);
  }
  // Leaves x as it is where it does not come back to its constraints, or only upon another branch. For states between steps:
  // there is no step to make shorter.
  void project_if_possible(double t, double* x);

  // Of the last derivative(). With dependent rows and the traced solve lambda is not of least norm; solve_multipliers()
  // makes it so, and is for recording.
  const Acceleration& acceleration() const { return engine_.solver().acceleration(); }
  bool solve_multipliers(double t, const double* x);

  // Of rigid contacts, N of each and then mu N - |T|, where the last regular derivative() or finish() was at time t; else null. Times
  // before one that is noted are not: dense output evaluates f inside a step that is over.
  const double* contact_forces(double t) const { return t == forces_t_ ? forces_.data() : nullptr; }
  void forget_contact_forces() { forces_t_ = -std::numeric_limits<double>::infinity(); }
  // To be filled with them; empty: there are none, or none are to be noted at this time.
  std::span<double> contact_forces_to_note(double t);

  using Statistics = FullEngine::Statistics;
  const Statistics& statistics() const { return engine_.statistics(); }

  step::LaneTraits traits() const;  // what is special about this run, for lanes
  const Stabilization& stabilization() const { return stabilization_; }
  FullEngine& engine() { return engine_; }
  ComparisonWeights& comparisons() { return engine_.comparisons(); }
  const Eigen::VectorXd& weights() const { return engine_.comparisons().weights(); }
  SystemEvaluator& evaluator() { return evaluator_; }
  const System& system() const { return evaluator_.system(); }

 private:
  struct Regular;

  void take_step_rates(double t);
  void count_projection();

  SystemEvaluator evaluator_;
  std::unique_ptr<Regular> regular_;  // the step kernel: only dynamics.cpp sees it
  Stabilization stabilization_;
  FullEngine engine_;
  KineticRows rows_;  // for jacobian_ and solve_multipliers()
  std::unique_ptr<AccelerationJacobian> jacobian_;
  Eigen::VectorXd unprojected_;
  std::vector<double> forces_;  // of contacts
  double forces_t_ = -std::numeric_limits<double>::infinity();
};

}  // namespace armature::internal
