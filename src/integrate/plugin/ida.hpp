// 0 = F(t, y, ydot) by IDA (Hindmarsh et al., ACM Trans. Math. Softw. 31, 2005): BDF of variable order and step with
// Newton's method and the given Jacobian F_y + cj F_ydot. The state x is the first part of y.
//
// Unknowns that do not take part in the error test (multipliers of an index-2 problem, whose errors grow like 1/h as h
// shrinks) get a weight of nearly nothing: neither the error test nor Newton's method waits for them.
#pragma once

#include "integrate/plugin/sundials_integrator.hpp"

namespace armature::internal {

class Ida : public SundialsIntegrator {
 public:
  Ida(Dae& dae, int state_size, const IntegratorOptions& options, const StopQuestions& questions);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;

 private:
  int last_order() const override;
  const Eigen::VectorXd& derivative_at_end(int k) const override;
  void create(double rtol, N_Vector atol);
  void update_rejected();

  static int residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self);
  static int jacobian(double t, double cj, N_Vector y, N_Vector ydot, N_Vector r, SUNMatrix J, void* self, N_Vector,
                      N_Vector, N_Vector);

  struct MemoryDeleter {
    void operator()(void* memory) const;
  };

  Dae& dae_;
  int state_size_;
  Eigen::VectorXd y_, ydot_;
  mutable Eigen::VectorXd output_, derivative_;  // of y, of x
  SundialsOwner<N_Vector> y_view_, ydot_view_, output_view_;
  SundialsOwner<SUNMatrix> matrix_;
  SundialsOwner<SUNLinearSolver> linear_solver_;
  std::unique_ptr<void, MemoryDeleter> memory_;
  Eigen::MatrixXd J_;
  bool consistent_ = false;
  bool starts_ = false;       // no step has been taken since the last start
  long rejected_before_ = 0;  // by runs before the last start
};

}  // namespace armature::internal
