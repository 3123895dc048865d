#include "integrate/sundials.hpp"

#include <fmt/format.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature {

SundialsOwner<N_Vector> SundialsIntegrator::view(Eigen::VectorXd& x) const {
  return SundialsOwner<N_Vector>(N_VMake_Serial(x.size(), x.data(), context_));
}

void SundialsIntegrator::keep_message(int code, const char*, const char*, char* message, void* self) {
  if (code < 0) static_cast<SundialsIntegrator*>(self)->kept_message_ = message;  // positive: a warning
}

void SundialsIntegrator::copy(const Eigen::MatrixXd& J, SUNMatrix matrix) {
  std::copy(J.data(), J.data() + J.size(), SUNDenseMatrix_Data(matrix));  // both column-major
}

StepStatus SundialsIntegrator::finish(double h, double t_stop) {
  count_step(h);
  const double smallest = 16 * std::numeric_limits<double>::epsilon() * std::abs(t_);
  if (t_ == t_stop || h >= smallest) return StepStatus::ok;
  const bool troubled = std::abs(trouble_time_ - t_) < 100 * smallest;
  return give_up(troubled ? trouble_ : StepStatus::step_too_small);
}

void SundialsIntegrator::note_trouble(StepStatus reason, double t) {
  trouble_ = reason;
  trouble_time_ = t;
}

StepStatus SundialsIntegrator::fail(StepStatus status) {
  message_ = fmt::format("{} gave up at t = {:.10g} s: {}", solver_, t_, kept_message_);
  return status;
}

}  // namespace armature
