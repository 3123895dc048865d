// What became of a step.
#pragma once

namespace armature::step {

enum class StepStatus {
  ok,
  step_too_small,     // the error control asks for steps below round-off
  not_finite,         // f cannot be evaluated, however small the step
  projection_failed,  // x left its manifold beyond return
  solver_failed,      // an implicit method's own failure
};

}  // namespace armature::step
