#include "integrate/plugin/ida.hpp"

#include <fmt/format.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <cassert>

#include "integrate/plugin/dense_solver.hpp"

namespace armature::internal {
namespace {

constexpr int ida_order = 5;            // IDA's largest
constexpr double untested_atol = 1e20;  // so large that nothing depends on it

StepStatus status_of_ida(int flag) {
  switch (flag) {
    case IDA_ERR_FAIL:
    case IDA_TOO_MUCH_ACC: return StepStatus::step_too_small;
    case IDA_RES_FAIL:
    case IDA_FIRST_RES_FAIL:
    case IDA_REP_RES_ERR: return StepStatus::not_finite;
    default: return StepStatus::solver_failed;
  }
}

// options.atol is for the state, or for all of y.
Eigen::VectorXd absolute_tolerances(const Dae& dae, const Eigen::VectorXd& given) {
  Eigen::VectorXd atol = Eigen::VectorXd::Constant(dae.size(), untested_atol), tested(dae.size());
  dae.tested(tested);
  for (int i = 0; i < dae.size(); ++i)
    if (tested(i) != 0) atol(i) = i < given.size() ? given(i) : given.maxCoeff();
  return atol;
}

}  // namespace

void Ida::MemoryDeleter::operator()(void* memory) const { IDAFree(&memory); }

Ida::Ida(Dae& dae, int state_size, const IntegratorOptions& options, const StopQuestions& questions)
    : SundialsIntegrator("IDA", state_size, ida_order, questions),
      dae_(dae),
      state_size_(state_size),
      y_(Eigen::VectorXd::Zero(dae.size())),
      ydot_(y_),
      output_(y_),
      derivative_(Eigen::VectorXd::Zero(state_size)),
      y_view_(view(y_)),
      ydot_view_(view(ydot_)),
      output_view_(view(output_)),
      J_(Eigen::MatrixXd::Zero(dae.size(), dae.size())) {
  assert(options.atol.size() == state_size || options.atol.size() == dae.size());
  x_.setZero(state_size);
  Eigen::VectorXd atol = absolute_tolerances(dae, options.atol);
  create(options.rtol, view(atol).get());
  if (options.max_step > 0) IDASetMaxStep(memory_.get(), options.max_step);
  if (options.first_step > 0) IDASetInitStep(memory_.get(), options.first_step);
}

void Ida::create(double rtol, N_Vector atol) {
  memory_.reset(IDACreate(context_));
#if SUNDIALS_VERSION_MAJOR < 7
  IDASetErrHandlerFn(memory_.get(), keep_message, static_cast<SundialsIntegrator*>(this));
#endif
  IDAInit(memory_.get(), residual, 0, y_view_.get(), ydot_view_.get());
  IDASetUserData(memory_.get(), this);
  IDASVtolerances(memory_.get(), rtol, atol);
  matrix_.reset(SUNDenseMatrix(dae_.size(), dae_.size(), context_));
  linear_solver_ = make_dense_solver(context_, questions_);
  IDASetLinearSolver(memory_.get(), linear_solver_.get(), matrix_.get());
  IDASetJacFn(memory_.get(), jacobian);
}

void Ida::start(double t, const Eigen::VectorXd& x) {
  rejected_before_ = statistics_.rejected;
  starts_ = true;
  t_ = previous_t_ = t;
  x_ = x;
  consistent_ = dae_.begin(t, x.data(), y_.data(), ydot_.data());
  if (consistent_) x_ = y_.head(state_size_);
  IDAReInit(memory_.get(), t, y_view_.get(), ydot_view_.get());
}

StepStatus Ida::step(double t_stop) {
  assert(t_stop > t_);
  if (!consistent_) {
    message_ = fmt::format("IDA: there are no consistent values to start from at t = {:.10g} s", t_);
    return StepStatus::projection_failed;
  }
  // IDA takes no steps below round-off: such a one goes along the slope.
  if (starts_ && is_round_off(t_stop)) return step_along(ydot_.head(state_size_), t_stop);
  starts_ = false;
  double t = t_, h = 0;
  IDASetStopTime(memory_.get(), t_stop);
  const int flag = IDASolve(memory_.get(), t_stop, &t, y_view_.get(), ydot_view_.get(), IDA_ONE_STEP);
  update_rejected();
  if (flag < 0) return fail(status_of_ida(flag));
  previous_t_ = t_;
  t_ = t;
  x_ = y_.head(state_size_);
  IDAGetLastStep(memory_.get(), &h);
  return finish(h, t_stop);
}

void Ida::update_rejected() {
  long inaccurate = 0, unsolved = 0;
  IDAGetNumErrTestFails(memory_.get(), &inaccurate);
  IDAGetNumStepSolveFails(memory_.get(), &unsolved);
  statistics_.rejected = rejected_before_ + inaccurate + unsolved;
}

int Ida::last_order() const {
  int order = 0;
  IDAGetLastOrder(memory_.get(), &order);
  return order;
}

const Eigen::VectorXd& Ida::derivative_at_end(int k) const {
  IDAGetDky(memory_.get(), t_, k, output_view_.get());
  derivative_ = output_.head(state_size_);
  return derivative_;
}

int Ida::residual(double t, N_Vector y, N_Vector ydot, N_Vector r, void* self) {
  Ida& ida = *static_cast<Ida*>(self);
  ++ida.statistics_.evaluations;
  if (ida.dae_.residual(t, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), N_VGetArrayPointer(r))) return 0;
  ida.note_failure(StepStatus::not_finite, t);
  return ida.try_smaller();
}

int Ida::jacobian(double t, double cj, N_Vector y, N_Vector ydot, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector,
                  N_Vector) {
  Ida& ida = *static_cast<Ida*>(self);
  ++ida.statistics_.jacobians;
  if (!ida.dae_.jacobian(t, cj, N_VGetArrayPointer(y), N_VGetArrayPointer(ydot), ida.J_)) return ida.try_smaller();
  copy(ida.J_, J);
  return 0;
}

}  // namespace armature::internal
