// A host may have asked for a signal at a division by zero, for another rounding, or for tiny numbers to be zero. Programs of a model
// divide by zero in branches that are not taken, and their bits must not depend on the host: while the library works for it, this thread
// and those that it starts compute as C and IEEE 754 have it by default.
#pragma once

#include <cfenv>

namespace armature::internal {

class OwnArithmetic {
 public:
  OwnArithmetic() {
    std::fegetenv(&of_host_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~OwnArithmetic() { std::fesetenv(&of_host_); }
  OwnArithmetic(const OwnArithmetic&) = delete;
  OwnArithmetic& operator=(const OwnArithmetic&) = delete;

 private:
  std::fenv_t of_host_;
};

}  // namespace armature::internal
