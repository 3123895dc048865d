#include "integrate/sundials.hpp"

#include "expression/interruption.hpp"
#include "plugin/plugin.hpp"

namespace armature::internal {
namespace {

constexpr StopQuestions questions{interrupted, interrupted_after};

const Sundials& sundials() { return plugin<Sundials>("sundials"); }

}  // namespace

std::unique_ptr<Integrator> make_cvode_bdf(Ode& ode, const IntegratorOptions& options) {
  return sundials().make_cvode(CvodeMethod::bdf, ode, options, questions);
}

std::unique_ptr<Integrator> make_cvode_adams(Ode& ode, const IntegratorOptions& options) {
  return sundials().make_cvode(CvodeMethod::adams, ode, options, questions);
}

std::unique_ptr<Integrator> make_ida(Dae& dae, int state_size, const IntegratorOptions& options) {
  return sundials().make_ida(dae, state_size, options, questions);
}

}  // namespace armature::internal
