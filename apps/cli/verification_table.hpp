// What `run --verify` prints: a line a channel, the digits in which it agrees with each repetition.
#pragma once

#include "record/verification.hpp"

namespace armature::cli {

void print_verification(const Verification& verification);

}  // namespace armature::cli
