// The names of the integrators.
#include "integrate/integrator.hpp"

#include <algorithm>

#include "integrate/embedded.hpp"
#include "integrate/fixed_step.hpp"

namespace armature {

void Integrator::count_step(double h) {
  statistics_.smallest_step = statistics_.steps == 0 ? h : std::min(statistics_.smallest_step, h);
  statistics_.largest_step = std::max(statistics_.largest_step, h);
  ++statistics_.steps;
}

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = {"euler",  "semi_implicit_euler", "rk2",         "rk4", "dopri5",
                                                 "dop853", "cvode_bdf",           "cvode_adams", "ida"};
  return names;
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, Ode& ode, const IntegratorOptions& options) {
  if (name == "semi_implicit_euler") return std::make_unique<SemiImplicitEuler>(ode, options);
  if (name == "euler" || name == "rk2" || name == "rk4")
    return std::make_unique<FixedStep>(tableau(name), ode, options);
  if (name == "dopri5" || name == "dop853") return std::make_unique<Embedded>(tableau(name), ode, options);
  return nullptr;
}

}  // namespace armature
