// Multistep methods of variable order and step by CVODE (Hindmarsh et al., ACM Trans. Math. Softw. 31, 2005): BDF with
// Newton's method for stiff problems, returning to the manifold after every step; Adams with functional iteration for
// smooth ones. CVODE projects only BDF: Adams integrates xdot = f(t, P x) instead, P x being x returned to the manifold, so
// that f is never asked off it; P x is the result, and x starts anew from it when the two have drifted apart.
#pragma once

#include "integrate/plugin/sundials_integrator.hpp"

namespace armature::internal {

class Cvode : public SundialsIntegrator {
 public:
  using Method = CvodeMethod;
  Cvode(Method method, Ode& ode, const IntegratorOptions& options, const StopQuestions& questions);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;

 private:
  int last_order() const override;
  const Eigen::VectorXd& derivative_at_end(int k) const override;
  Ode* interpolates_onto() const override { return method_ == Method::adams ? &ode_ : nullptr; }  // P x is the result
  void create(double rtol, N_Vector atol);
  void use_newton();
  void use_functional_iteration();
  void update_rejected();
  bool return_to_manifold();
  StepStatus step_over_round_off(double t_stop);

  static int derivative(double t, N_Vector x, N_Vector xdot, void* self);
  static int jacobian(double t, N_Vector x, N_Vector xdot, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector);
  static int project(double t, N_Vector x, N_Vector correction, double tolerance, N_Vector error, void* self);

  struct MemoryDeleter {
    void operator()(void* memory) const;
  };

  Method method_;
  Ode& ode_;
  mutable Eigen::VectorXd output_;
  SundialsOwner<N_Vector> x_view_, output_view_;
  SundialsOwner<SUNMatrix> matrix_;
  SundialsOwner<SUNLinearSolver> linear_solver_;
  SundialsOwner<SUNNonlinearSolver> nonlinear_solver_;
  std::unique_ptr<void, MemoryDeleter> memory_;
  Eigen::MatrixXd J_;
  Eigen::VectorXd projected_, atol_;
  double rtol_;
  bool drifted_ = false;
  bool starts_ = false;       // no step has been taken since the last start
  long rejected_before_ = 0;  // by runs before the last start
};

}  // namespace armature::internal
