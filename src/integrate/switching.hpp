// dopri5 until its steps are stiff (stiffness.hpp), from there on cvode_bdf: `integrator: auto`. While the
// motion is not stiff, its bits are those of dopri5. There is no way back: where stiffness ends, cvode_bdf
// lengthens its steps as well.
#pragma once

#include <array>
#include <memory>

#include "integrate/integrator.hpp"
#include "integrate/stiffness.hpp"

namespace armature::internal {

class Switching final : public Integrator, public LooksForStiffness {
 public:
  Switching(Ode& ode, const IntegratorOptions& options);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override { now().interpolate(t, x); }
  bool path(const std::vector<int>& entries, StepPath& path) const override { return now().path(entries, path); }
  void store(std::vector<double>& numbers) const override;
  MakeStoredStep stored_steps() const override;
  bool error_controlled() const override { return true; }
  bool ends_with_derivative() const override { return now().ends_with_derivative(); }
  const StiffnessTest* stiffness() const override { return looks_->stiffness(); }
  std::optional<double> switched() const override { return switched_; }

 private:
  Integrator& now() const { return *methods_[switched_ ? 1 : 0]; }
  void take_over();  // what the method at work has reached

  std::array<std::unique_ptr<Integrator>, 2> methods_;
  const LooksForStiffness* looks_;  // the explicit one
  std::optional<double> switched_;
};

}  // namespace armature::internal
