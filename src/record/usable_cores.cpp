#include "record/usable_cores.hpp"

#include <sched.h>

#include <algorithm>

namespace armature::internal {

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

}  // namespace armature::internal
