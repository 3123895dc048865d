// One step at a time, never beyond a given time, with dense output over the last step.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "integrate/ode.hpp"
#include "integrate/step.hpp"
#include "step/methods.hpp"
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
  Eigen::VectorXd atol = {};            // one an entry of x
  Eigen::VectorXd multistep_atol = {};  // of multistep methods, where it is another one; else empty

  const Eigen::VectorXd& atol_of_multistep() const { return multistep_atol.size() > 0 ? multistep_atol : atol; }
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
  // Whether f was evaluated last, but for dense output, where the step ends.
  virtual bool ends_with_derivative() const { return false; }

 protected:
  void count_step(double h);
  void take_counts(step::Counts& counts);  // of steps; they are zero then
  // No step is small enough at t_, since it is never accurate enough (step_too_small), f cannot be evaluated
  // (not_finite) or x does not return to its manifold (projection_failed): sets the sentence.
  StepStatus give_up(StepStatus reason);

  IntegratorStatistics statistics_;
  std::string message_;
};

// A method of the table (step/methods.def) by its name. Null: there is none, or it integrates a Dae.
std::unique_ptr<Integrator> make_integrator(const std::string& name, Ode& ode, const IntegratorOptions& options);
// Those that integrate a Dae; the state is the first part of its unknowns.
std::unique_ptr<Integrator> make_dae_integrator(const std::string& name, Dae& dae, int state_size,
                                                const IntegratorOptions& options);
const std::vector<std::string>& integrator_names();            // all
const step::Method& method_of(const std::string& integrator);  // throws std::out_of_range for any other name
bool takes_fixed_steps(const std::string& integrator);         // false for any other name

}  // namespace armature::internal
