// How many cores this process may use.
#pragma once

namespace armature {

int usable_cores();

}  // namespace armature
