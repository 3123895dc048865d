// A step: both its ends, and what lies between. The last one of an integrator, or one that was stored.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <vector>

#include "integrate/ode.hpp"
#include "integrate/step_path.hpp"

namespace armature::internal {

class Step {
 public:
  virtual ~Step() = default;

  // x at previous_t() <= t <= t(). It may evaluate f (once a step, when first asked for), so what f depends on must not have
  // changed since the step.
  virtual void interpolate(double t, Eigen::VectorXd& x) const = 0;

  // Some entries of x in between as polynomials. False: interpolate() does not follow polynomials in this step.
  virtual bool path(const std::vector<int>& entries, StepPath& path) const = 0;

  double t() const { return t_; }
  double previous_t() const { return previous_t_; }
  const Eigen::VectorXd& x() const { return x_; }

 protected:
  double t_ = 0, previous_t_ = 0;
  Eigen::VectorXd x_;  // at t
};

// A step that an integrator has stored as numbers and left behind: for another thread.
class StoredStep : public Step {
 public:
  virtual const double* load(const double* numbers) = 0;  // returns where they end
  virtual long evaluations() const { return 0; }          // of f, by interpolate(), in all steps loaded so far
};

using MakeStoredStep = std::function<std::unique_ptr<StoredStep>(Ode& ode)>;

}  // namespace armature::internal
