// A motion that must be right: a pendulum, computed by machine code and by the interpreter.
#pragma once

#include <string>

namespace armature::internal {

struct SelfTest {
  bool machine_code = false;  // whether this processor and build have it
  double energy_error = 0;    // J
  double seconds = 0;         // of both motions
  std::string failure;        // empty: both finished with the same bits, and energy is conserved
};

SelfTest run_self_test();

}  // namespace armature::internal
