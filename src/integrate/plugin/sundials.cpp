#include "integrate/sundials.hpp"

#include "integrate/plugin/cvode.hpp"
#include "integrate/plugin/ida.hpp"
#include "plugin/plugin.hpp"

namespace armature::internal {

class CvodeAndIda final : public Sundials {
 public:
  std::unique_ptr<Integrator> make_cvode(CvodeMethod method, Ode& ode, const IntegratorOptions& options,
                                         const StopQuestions& questions) const override {
    return std::make_unique<Cvode>(method, ode, options, questions);
  }
  std::unique_ptr<Integrator> make_ida(Dae& dae, int state_size, const IntegratorOptions& options,
                                       const StopQuestions& questions) const override {
    return std::make_unique<Ida>(dae, state_size, options, questions);
  }
};

}  // namespace armature::internal

ARMATURE_PLUGIN(sundials, Sundials, CvodeAndIda);
