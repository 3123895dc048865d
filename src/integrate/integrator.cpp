// What all integrators do. The plugin of SUNDIALS compiles it, too.
#include "integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/stuck.hpp"

namespace armature::internal {

void Integrator::count_step(double h) {
  statistics_.smallest_step = statistics_.steps == 0 ? h : std::min(statistics_.smallest_step, h);
  statistics_.largest_step = std::max(statistics_.largest_step, h);
  ++statistics_.steps;
}

void Integrator::take_counts(step::Counts& counts) {
  statistics_.evaluations += counts.evaluations;
  statistics_.rejected += counts.rejected;
  statistics_.projections += counts.projections;
  counts = {};
}

StepStatus Integrator::give_up(StepStatus reason) {
  const char* why = reason == StepStatus::not_finite ? "the derivative of the state is not finite"
                    : reason == StepStatus::projection_failed
                        ? "the state cannot be returned to its constraints; the pose may be singular"
                        : "the solution grows without bound or jumps, or rtol and atol are too small";
  message_ = fmt::format("{}: {}", stuck_at(t_), why);
  return reason;
}

std::string stuck_at(double t) {
  return fmt::format("the integration cannot continue from t = {:.10g} s, however small the step", t);
}

}  // namespace armature::internal
