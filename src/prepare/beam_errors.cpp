#include "prepare/beam_errors.hpp"

namespace armature::internal {

Findings BeamErrors::findings() const {
  Findings findings = slopes_.findings();
  append(curvatures_.findings(), findings);
  return findings;
}

}  // namespace armature::internal
