// The sizes of step/motion.hpp, from a System.
#pragma once

#include "dynamics/configuration.hpp"
#include "step/projection.hpp"
#include "system/system.hpp"

namespace armature::internal {

class MotionParts {
 public:
  explicit MotionParts(const System& system) : system_(system), configuration_(system.equations()) {}

  step::MotionSizes sizes() const {
    const Layout& n = system_.layout();
    step::MotionSizes sizes;
    sizes.nq = n.nq, sizes.nv = n.nv, sizes.nz = n.nz;
    sizes.rows = static_cast<int>(system_.options().independent_rows.size());
    sizes.work = system_.equations().stabilization_work;
    sizes.counts_work = sizes.work >= 0;
    sizes.configuration = configuration_.of_step();
    return sizes;
  }

 private:
  const System& system_;
  Configuration configuration_;
};

}  // namespace armature::internal
