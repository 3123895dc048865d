// The ledger of energy: states that count work and heat. They are computed from the motion and nothing depends on them.
#pragma once

#include "prepare/prepare.hpp"

namespace armature::internal {

void drop_ledger(Prepared& prepared);  // the same equations and the same start without them

}  // namespace armature::internal
