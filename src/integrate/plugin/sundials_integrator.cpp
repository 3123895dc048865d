#include "integrate/plugin/sundials_integrator.hpp"

#include <fmt/format.h>
#include <sundials/sundials_logger.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "integrate/polynomial_step.hpp"

namespace armature::internal {

SundialsOwner<N_Vector> SundialsIntegrator::view(Eigen::VectorXd& x) const {
  return SundialsOwner<N_Vector>(N_VMake_Serial(x.size(), x.data(), context_));
}

#if SUNDIALS_VERSION_MAJOR < 7
SundialsIntegrator::SundialsIntegrator(const char* solver, int size, int most_order, const StopQuestions& questions)
    : questions_(questions), solver_(solver), most_order_(most_order), polynomial_(size, most_order) {}

void SundialsIntegrator::keep_message(int code, const char*, const char*, char* message, void* self) {
  if (code < 0) static_cast<SundialsIntegrator*>(self)->kept_message_ = message;  // positive: a warning
}
#else
// Errors are kept, warnings are dropped: SUNDIALS would print both.
SundialsIntegrator::SundialsIntegrator(const char* solver, int size, int most_order, const StopQuestions& questions)
    : questions_(questions), solver_(solver), most_order_(most_order), polynomial_(size, most_order) {
  SUNContext_ClearErrHandlers(context_);
  const auto keep = [](int, const char*, const char*, const char* message, SUNErrCode, void* self, SUNContext) {
    static_cast<SundialsIntegrator*>(self)->kept_message_ = message;
  };
  SUNContext_PushErrHandler(context_, keep, this);
  SUNLogger logger = nullptr;
  SUNContext_GetLogger(context_, &logger);
  SUNLogger_SetWarningFilename(logger, "/dev/null");
}
#endif

int SundialsIntegrator::try_smaller() const {
  constexpr int recoverable = 1, unrecoverable = -1;
  return questions_.interrupted() ? unrecoverable : recoverable;
}

void SundialsIntegrator::copy(const Eigen::MatrixXd& J, SUNMatrix matrix) {
  std::copy(J.data(), J.data() + J.size(), SUNDenseMatrix_Data(matrix));  // both column-major
}

bool SundialsIntegrator::is_round_off(double t_stop) const {
  constexpr double shortest = 100 * std::numeric_limits<double>::epsilon();  // of t: the least first step of CVODE
  return t_stop - t_ < shortest * std::max(std::abs(t_), std::abs(t_stop));
}

StepStatus SundialsIntegrator::step_along(const Eigen::VectorXd& xdot, double t_stop) {
  const double from = t_;
  const Eigen::VectorXd x = x_ + (t_stop - from) * xdot;
  start(t_stop, x);
  previous_t_ = from;
  const StepStatus status = finish(t_stop - from, t_stop);
  polynomial_.begin(t_, h_, 1);
  polynomial_.set(0, x_), polynomial_.set(1, xdot);
  has_polynomial_ = true;
  return status;
}

StepStatus SundialsIntegrator::finish(double h, double t_stop) {
  count_step(h);
  h_ = h;
  has_polynomial_ = false;
  const double smallest = 16 * std::numeric_limits<double>::epsilon() * std::abs(t_);
  if (t_ == t_stop || h >= smallest) return StepStatus::ok;
  const bool failed_here = std::abs(failure_time_ - t_) < 100 * smallest;
  return give_up(failed_here ? failure_ : StepStatus::step_too_small);
}

void SundialsIntegrator::note_failure(StepStatus reason, double t) {
  failure_ = reason;
  failure_time_ = t;
}

const StepPolynomial& SundialsIntegrator::polynomial() const {
  if (has_polynomial_) return polynomial_;
  const int order = last_order();
  polynomial_.begin(t_, h_, order);
  for (int k = 0; k <= order; ++k) polynomial_.set(k, derivative_at_end(k));
  has_polynomial_ = true;
  return polynomial_;
}

void SundialsIntegrator::interpolate(double t, Eigen::VectorXd& x) const {
  if (t == t_)
    x = x_;
  else
    PolynomialStep::interpolate(polynomial(), interpolates_onto(), t, x);
}

// What is interpolated is returned to its manifold by less than the tolerance, which the polynomials leave out.
bool SundialsIntegrator::path(const std::vector<int>& entries, StepPath& path) const {
  polynomial().path(previous_t_, entries, path);
  return true;
}

void SundialsIntegrator::store(std::vector<double>& numbers) const {
  PolynomialStep::store(*this, polynomial(), numbers);
}

MakeStoredStep SundialsIntegrator::stored_steps() const {
  return [size = static_cast<int>(x_.size()), order = most_order_, onto = interpolates_onto() != nullptr](Ode& ode) {
    return std::make_unique<PolynomialStep>(size, order, onto ? &ode : nullptr);
  };
}

StepStatus SundialsIntegrator::fail(StepStatus status) {
  message_ = fmt::format("{} gave up at t = {:.10g} s: {}", solver_, t_, kept_message_);
  return status;
}

}  // namespace armature::internal
