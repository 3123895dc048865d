// The factories of the integrators, one for each row of step/methods.def.
#include "integrate/integrator.hpp"

#include <stdexcept>

#include "integrate/embedded.hpp"
#include "integrate/fixed_step.hpp"

namespace armature::internal {

// What the files of the methods define.
#define RUNGE_KUTTA(name, ...)
#define METHOD(name, ...) std::unique_ptr<Integrator> make_##name(Ode& ode, const IntegratorOptions& options);
#define DAE_METHOD(name, ...) \
  std::unique_ptr<Integrator> make_##name(Dae& dae, int state_size, const IntegratorOptions& options);
#include "step/methods.def"
#undef RUNGE_KUTTA
#undef METHOD
#undef DAE_METHOD

namespace {

// In the order of the table; null: none of this kind.
using Make = std::unique_ptr<Integrator> (*)(Ode&, const IntegratorOptions&);
constexpr Make makers[] = {
#define RUNGE_KUTTA(name, ...) nullptr,
#define METHOD(name, ...) make_##name,
#define DAE_METHOD(name, ...) nullptr,
#include "step/methods.def"
#undef METHOD
#undef DAE_METHOD
};
using MakeOfDae = std::unique_ptr<Integrator> (*)(Dae&, int, const IntegratorOptions&);
constexpr MakeOfDae dae_makers[] = {
#define METHOD(name, ...) nullptr,
#define DAE_METHOD(name, ...) make_##name,
#include "step/methods.def"
#undef RUNGE_KUTTA
#undef METHOD
#undef DAE_METHOD
};

}  // namespace

const std::vector<std::string>& integrator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const step::Method& method : step::methods) all.emplace_back(method.name);
    return all;
  }();
  return names;
}

const step::Method& method_of(const std::string& integrator) {
  if (const step::Method* method = step::find_method(integrator)) return *method;
  throw std::out_of_range(integrator);
}

bool takes_fixed_steps(const std::string& integrator) {
  const step::Method* method = step::find_method(integrator);
  return method && !method->controlled;
}

std::unique_ptr<Integrator> make_integrator(const std::string& name, Ode& ode, const IntegratorOptions& options) {
  const step::Method* method = step::find_method(name);
  if (!method) return nullptr;
  if (method->tableau && method->controlled) return std::make_unique<Embedded>(method->tableau(), ode, options);
  if (method->tableau) return std::make_unique<FixedStep>(method->tableau(), ode, options);
  const Make make = makers[method - step::methods];
  return make ? make(ode, options) : nullptr;
}

std::unique_ptr<Integrator> make_dae_integrator(const std::string& name, Dae& dae, int state_size,
                                                const IntegratorOptions& options) {
  const step::Method* method = step::find_method(name);
  const MakeOfDae make = method ? dae_makers[method - step::methods] : nullptr;
  return make ? make(dae, state_size, options) : nullptr;
}

}  // namespace armature::internal
