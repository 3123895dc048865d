// One step at a time, never beyond a given time, with dense output over the last step.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "integrate/ode.hpp"
#include "integrate/step.hpp"
#include "step/one_step.hpp"

namespace armature::internal {

using step::StepStatus;

struct IntegratorStatistics {
  long steps = 0, rejected = 0, evaluations = 0, jacobians = 0, projections = 0;
  double smallest_step = 0, largest_step = 0;
};

struct IntegratorOptions {
  double step = 1e-3;     // of fixed-step methods
  double first_step = 0;  // of the others; 0: chosen
  double max_step = 0;    // 0: unlimited
  double rtol = 1e-6;
  Eigen::VectorXd atol;  // one an entry of x
};

class Integrator : public Step {
 public:
  // Begins (again) at (t, x), forgetting history; keeps the step size of error-controlled one-step methods.
  virtual void start(double t, const Eigen::VectorXd& x) = 0;

  // Takes one step towards t_stop, ending at or before it.
  virtual StepStatus step(double t_stop) = 0;

  // The last step as numbers, appended to others; and what makes a step to load them into, which needs the integrator no
  // more. That one interpolates with the same bits, and has its ode evaluate f where dense output asks for it. Null: this is
  // the lane of many (lane_integrator.hpp), whose steps are not stored.
  virtual void store(std::vector<double>& numbers) const { (void)numbers; }
  virtual MakeStoredStep stored_steps() const { return nullptr; }

  const IntegratorStatistics& statistics() const { return statistics_; }
  const std::string& message() const { return message_; }  // a sentence about the last failure
  virtual bool error_controlled() const = 0;

 protected:
  void count_step(double h);
  void take_counts(step::Counts& counts);  // of steps; they are zero then
  // No step is small enough at t_, since it is never accurate enough (step_too_small), f cannot be evaluated
  // (not_finite) or x does not return to its manifold (projection_failed): sets the sentence.
  StepStatus give_up(StepStatus reason);

  IntegratorStatistics statistics_;
  std::string message_;
};

// euler, semi_implicit_euler, rk2, rk4, dopri5, dop853, cvode_bdf, cvode_adams. Null if the name is unknown.
std::unique_ptr<Integrator> make_integrator(const std::string& name, Ode& ode, const IntegratorOptions& options);
std::unique_ptr<Integrator> make_ida(Dae& dae, int state_size, const IntegratorOptions& options);
const std::vector<std::string>& integrator_names();  // with "ida"
bool takes_fixed_steps(const std::string& name);

}  // namespace armature::internal
