// The multistep methods of SUNDIALS, CVODE and IDA (integrate/plugin/).
#pragma once

#include <memory>

#include "integrate/integrator.hpp"

namespace armature::internal {

enum class CvodeMethod { bdf, adams };

// Of the program (expression/interruption.hpp).
struct StopQuestions {
  bool (*interrupted)();
  bool (*interrupted_after)(long operations);
};

class Sundials {
 public:
  virtual ~Sundials() = default;
  virtual std::unique_ptr<Integrator> make_cvode(CvodeMethod method, Ode& ode, const IntegratorOptions& options,
                                                 const StopQuestions& questions) const = 0;
  virtual std::unique_ptr<Integrator> make_ida(Dae& dae, int state_size, const IntegratorOptions& options,
                                               const StopQuestions& questions) const = 0;
};

}  // namespace armature::internal
