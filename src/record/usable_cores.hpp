// How many cores this process may use.
#pragma once

namespace armature::internal {

int usable_cores();

}  // namespace armature::internal
