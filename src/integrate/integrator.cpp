// The names of the integrators.
#include "integrate/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/cvode.hpp"
#include "integrate/embedded.hpp"
#include "integrate/fixed_step.hpp"
#include "integrate/ida.hpp"
#include "integrate/switching.hpp"

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
  const char* why = reason == StepStatus::not_finite ? "the derivative of the state cannot be evaluated"
                    : reason == StepStatus::projection_failed
                        ? "the state does not return to its constraints (a singular configuration?)"
                        : "the solution grows without bound, jumps, or rtol and atol are too small";
  message_ = fmt::format("no step from t = {:.10g} s is small enough: {}", t_, why);
  return reason;
}

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = {"euler",  "semi_implicit_euler", "rk2",         "rk4", "dopri5",
                                                 "dop853", "cvode_bdf",           "cvode_adams", "ida", "auto"};
  return names;
}

bool takes_fixed_steps(const std::string& name) {
  return name == "euler" || name == "semi_implicit_euler" || name == "rk2" || name == "rk4";
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, Ode& ode, const IntegratorOptions& options) {
  if (name == "semi_implicit_euler")
    return std::make_unique<FixedStep>(tableau("euler"), ode, options, ode.position_size());
  if (takes_fixed_steps(name)) return std::make_unique<FixedStep>(tableau(name), ode, options);
  if (name == "dopri5" || name == "dop853") return std::make_unique<Embedded>(tableau(name), ode, options);
  if (name == "cvode_bdf") return std::make_unique<Cvode>(Cvode::Method::bdf, ode, options);
  if (name == "auto") return std::make_unique<Switching>(ode, options, options);
  if (name == "cvode_adams") return std::make_unique<Cvode>(Cvode::Method::adams, ode, options);
  return nullptr;
}

std::unique_ptr<Integrator> make_ida(Dae& dae, int state_size, const IntegratorOptions& options) {
  return std::make_unique<Ida>(dae, state_size, options);
}

}  // namespace armature::internal
