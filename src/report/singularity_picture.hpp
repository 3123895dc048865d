// Singularities as pictures: over poses the measures with the curves on which they vanish, along a motion over time.
#pragma once

#include "report/study_document.hpp"
#include "singular/singular_motion.hpp"
#include "singular/workspace_map.hpp"

namespace armature::internal {

StudyDocument workspace_picture(const WorkspaceMap& map, const Model& model);
StudyDocument motion_picture(const SingularMotion& motion);

}  // namespace armature::internal
