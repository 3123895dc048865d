#include "integrate/plugin/cvode.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cassert>

#include "integrate/plugin/dense_solver.hpp"

namespace armature::internal {
namespace {

constexpr int bdf_order = 5, adams_order = 12;  // CVODE's largest
constexpr double most_drift = 100;              // of Adams off the manifold, in the tolerances' norm

StepStatus status_of_cvode(int flag) {
  switch (flag) {
    case CV_ERR_FAILURE:
    case CV_TOO_MUCH_ACC: return StepStatus::step_too_small;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return StepStatus::not_finite;
    case CV_PROJFUNC_FAIL:
    case CV_REPTD_PROJFUNC_ERR: return StepStatus::projection_failed;
    default: return StepStatus::solver_failed;
  }
}

}  // namespace

void Cvode::MemoryDeleter::operator()(void* memory) const { CVodeFree(&memory); }

Cvode::Cvode(Method method, Ode& ode, const IntegratorOptions& options, const StopQuestions& questions)
    : SundialsIntegrator("CVODE", ode.size(), method == Method::bdf ? bdf_order : adams_order, questions),
      method_(method),
      ode_(ode),
      projected_(ode.size()),
      atol_(options.atol_of_multistep()),
      rtol_(options.rtol) {
  assert(atol_.size() == ode.size());
  x_.setZero(ode.size());
  x_view_ = view(x_);
  output_.setZero(ode.size());
  output_view_ = view(output_);
  create(options.rtol, view(atol_).get());
  if (options.max_step > 0) CVodeSetMaxStep(memory_.get(), options.max_step);
  if (options.first_step > 0) CVodeSetInitStep(memory_.get(), options.first_step);
  method == Method::bdf ? use_newton() : use_functional_iteration();
}

void Cvode::create(double rtol, N_Vector atol) {
  memory_.reset(CVodeCreate(method_ == Method::bdf ? CV_BDF : CV_ADAMS, context_));
#if SUNDIALS_VERSION_MAJOR < 7
  CVodeSetErrHandlerFn(memory_.get(), keep_message, static_cast<SundialsIntegrator*>(this));
#endif
  CVodeInit(memory_.get(), derivative, 0, x_view_.get());
  CVodeSetUserData(memory_.get(), this);
  CVodeSVtolerances(memory_.get(), rtol, atol);
}

void Cvode::use_newton() {
  J_.setZero(ode_.size(), ode_.size());
  matrix_.reset(SUNDenseMatrix(ode_.size(), ode_.size(), context_));
  linear_solver_ = make_dense_solver(context_, questions_);
  CVodeSetLinearSolver(memory_.get(), linear_solver_.get(), matrix_.get());
  CVodeSetProjFn(memory_.get(), project);
}

void Cvode::use_functional_iteration() {
  nonlinear_solver_.reset(SUNNonlinSol_FixedPoint(x_view_.get(), 0, context_));
  CVodeSetNonlinearSolver(memory_.get(), nonlinear_solver_.get());
}

void Cvode::start(double t, const Eigen::VectorXd& x) {
  // there may be a Jacobian from one start to the next and none afterwards: CVODE then takes differences
  if (method_ == Method::bdf) CVodeSetJacFn(memory_.get(), ode_.jacobian(t, x.data(), J_) ? jacobian : nullptr);
  rejected_before_ = statistics_.rejected;
  drifted_ = false;
  starts_ = true;
  t_ = previous_t_ = t;
  x_ = x;
  CVodeReInit(memory_.get(), t, x_view_.get());
}

StepStatus Cvode::step(double t_stop) {
  assert(t_stop > t_);
  // Where the host has moved the state, CVODE begins anew; steps below round-off it cannot take.
  if (drifted_) start(t_, x_);
  if (starts_ && is_round_off(t_stop)) return step_over_round_off(t_stop);
  starts_ = false;
  double t = t_, h = 0;
  CVodeSetStopTime(memory_.get(), t_stop);
  const int flag = CVode(memory_.get(), t_stop, x_view_.get(), &t, CV_ONE_STEP);
  update_rejected();
  if (flag < 0) return fail(status_of_cvode(flag));
  previous_t_ = t_;
  t_ = t;
  CVodeGetLastStep(memory_.get(), &h);
  // Adams' method does not project by itself.
  if (method_ == Method::adams && !return_to_manifold()) return give_up(StepStatus::projection_failed);
  return finish(h, t_stop);
}

StepStatus Cvode::step_over_round_off(double t_stop) {
  Eigen::VectorXd xdot(ode_.size());
  ++statistics_.evaluations;
  if (!ode_.derivative(t_, x_.data(), xdot.data())) return give_up(StepStatus::not_finite);
  return step_along(xdot, t_stop);
}

bool Cvode::return_to_manifold() {
  ++statistics_.projections;
  projected_ = x_;
  if (!ode_.project(t_, projected_.data(), nullptr)) return false;
  const auto weight = rtol_ * x_.array().abs() + atol_.array();
  drifted_ = ((projected_ - x_).array() / weight).square().mean() > most_drift * most_drift;
  x_ = projected_;
  return true;
}

void Cvode::update_rejected() {
  long inaccurate = 0, unsolved = 0;
  CVodeGetNumErrTestFails(memory_.get(), &inaccurate);
  CVodeGetNumStepSolveFails(memory_.get(), &unsolved);
  statistics_.rejected = rejected_before_ + inaccurate + unsolved;
}

int Cvode::last_order() const {
  int order = 0;
  CVodeGetLastOrder(memory_.get(), &order);
  return order;
}

const Eigen::VectorXd& Cvode::derivative_at_end(int k) const {
  CVodeGetDky(memory_.get(), t_, k, output_view_.get());
  return output_;
}

int Cvode::derivative(double t, N_Vector x, N_Vector xdot, void* self) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  ++cvode.statistics_.evaluations;
  const double* at = N_VGetArrayPointer(x);
  // Adams' method evaluates on the manifold: each stage is projected first.
  if (cvode.method_ == Method::adams) {
    cvode.projected_ = Eigen::Map<const Eigen::VectorXd>(at, cvode.projected_.size());
    at = cvode.projected_.data();
    if (!cvode.ode_.project(t, cvode.projected_.data(), nullptr)) {
      cvode.note_failure(StepStatus::projection_failed, t);
      return cvode.try_smaller();
    }
  }
  if (cvode.ode_.derivative(t, at, N_VGetArrayPointer(xdot))) return 0;
  cvode.note_failure(StepStatus::not_finite, t);
  return cvode.try_smaller();
}

int Cvode::jacobian(double t, N_Vector x, N_Vector, SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  ++cvode.statistics_.jacobians;
  if (!cvode.ode_.jacobian(t, N_VGetArrayPointer(x), cvode.J_)) return cvode.try_smaller();
  copy(cvode.J_, J);
  return 0;
}

// CVODE asks for the correction, not for the result.
int Cvode::project(double t, N_Vector x, N_Vector correction, double, N_Vector error, void* self) {
  Cvode& cvode = *static_cast<Cvode*>(self);
  ++cvode.statistics_.projections;
  const auto n = cvode.projected_.size();
  const Eigen::Map<const Eigen::VectorXd> before(N_VGetArrayPointer(x), n);
  cvode.projected_ = before;
  if (!cvode.ode_.project(t, cvode.projected_.data(), error ? N_VGetArrayPointer(error) : nullptr)) {
    cvode.note_failure(StepStatus::projection_failed, t);
    return cvode.try_smaller();
  }
  Eigen::Map<Eigen::VectorXd>(N_VGetArrayPointer(correction), n) = cvode.projected_ - before;
  return 0;
}

}  // namespace armature::internal
