// What the CVODE and IDA integrators share: owned SUNDIALS objects, messages kept instead of printed, and the check
// that a step has moved t, which SUNDIALS leaves to its caller.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_context.hpp>

#include <memory>

#include "integrate/integrator.hpp"

namespace armature {

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

 protected:
  explicit SundialsIntegrator(const char* solver) : solver_(solver) {}

  // An N_Vector over memory of Eigen's, which must stay where it is.
  SundialsOwner<N_Vector> view(Eigen::VectorXd& x) const;

  static void keep_message(int code, const char* module, const char* function, char* message, void* self);
  static void copy(const Eigen::MatrixXd& J, SUNMatrix matrix);

  // After a step to t_ of length h: counts it, and gives up where t no longer moves.
  StepStatus finish(double h, double t_stop);
  void note_trouble(StepStatus reason, double t);  // a function of the user's failed: why the next steps are small
  StepStatus fail(StepStatus status);              // with the message that was kept

  sundials::Context context_;

 private:
  const char* solver_;
  std::string kept_message_;
  StepStatus trouble_ = StepStatus::step_too_small;
  double trouble_time_ = 0;
};

}  // namespace armature
