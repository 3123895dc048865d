// The table of `run --verify`: one line per channel, with the digits that agree in each repetition.
#pragma once

#include "record/verification.hpp"

namespace armature::internal::cli {

void print_verification(const Verification& verification);

}  // namespace armature::internal::cli
