// What the CVODE and IDA integrators share: owned SUNDIALS objects, messages kept instead of printed, the check that a step
// has moved t, which SUNDIALS leaves to its caller, the polynomial over the last step, and first steps that are no more than round-off
// of t (a sample just before the end of a run), which SUNDIALS refuses.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_context.hpp>

#include <memory>

#include "integrate/integrator.hpp"
#include "integrate/step_polynomial.hpp"
#include "integrate/sundials.hpp"

namespace armature::internal {

struct SundialsDeleter {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};
template <class Handle>
using SundialsOwner = std::unique_ptr<std::remove_pointer_t<Handle>, SundialsDeleter>;

class SundialsIntegrator : public Integrator {
 public:
  bool error_controlled() const override { return true; }
  void interpolate(double t, Eigen::VectorXd& x) const override;
  bool path(const std::vector<int>& entries, StepPath& path) const override;
  void store(std::vector<double>& numbers) const override;
  MakeStoredStep stored_steps() const override;

 protected:
  SundialsIntegrator(const char* solver, int size, int most_order, const StopQuestions& questions);

  virtual int last_order() const = 0;
  virtual const Eigen::VectorXd& derivative_at_end(int k) const = 0;  // the k-th, of x, by the method's polynomial
  virtual Ode* interpolates_onto() const { return nullptr; }  // whose manifold what is interpolated is returned to

  // An N_Vector over memory of Eigen's, which must stay where it is.
  SundialsOwner<N_Vector> view(Eigen::VectorXd& x) const;

#if SUNDIALS_VERSION_MAJOR < 7  // later versions report errors to the context
  static void keep_message(int code, const char* module, const char* function, char* message, void* self);
#endif
  // What a function returns that could not be evaluated: the solver tries a smaller step, unless the run is stopped.
  int try_smaller() const;
  static void copy(const Eigen::MatrixXd& J, SUNMatrix matrix);

  // Right after a start: whether SUNDIALS takes no step so short; and that step, along the tangent. The solver starts anew behind it.
  bool is_round_off(double t_stop) const;
  StepStatus step_along(const Eigen::VectorXd& xdot, double t_stop);
  // After a step to t_ of length h: counts it, and gives up where t no longer moves.
  StepStatus finish(double h, double t_stop);
  void note_failure(StepStatus reason, double t);  // a function of the user's failed: why the next steps are small
  StepStatus fail(StepStatus status);              // with the message that was kept

  sundials::Context context_;
  const StopQuestions questions_;

 private:
  const StepPolynomial& polynomial() const;  // made when first asked for after a step

  const char* solver_;
  int most_order_;
  double h_ = 0;  // of the last step
  mutable StepPolynomial polynomial_;
  mutable bool has_polynomial_ = false;
  std::string kept_message_;
  StepStatus failure_ = StepStatus::step_too_small;
  double failure_time_ = 0;
};

}  // namespace armature::internal
