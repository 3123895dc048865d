// The step kernel (step/motion.hpp) of a System with its memory. Whoever includes this compiles the step.
#pragma once

#include <vector>

#include "dynamics/motion_parts.hpp"
#include "step/motion.hpp"

namespace armature::internal {

template <int W, class Model>
struct StepKernel {
  StepKernel(const System& system, Model& model)
      : parts(system),
        memory(static_cast<std::size_t>(step::Motion<W, Model>::memory(parts.sizes()))),
        motion(model, parts.sizes(), memory.data()) {}

  MotionParts parts;
  std::vector<step::Row<W>> memory;
  step::Motion<W, Model> motion;
};

}  // namespace armature::internal
