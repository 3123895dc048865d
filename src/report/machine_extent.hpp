// How much room a machine takes, and what follows from its size and arrangement.
#pragma once

#include <vector>

#include "report/posed_scene.hpp"

namespace armature::internal::plot {

// Points around everything that is drawn, without symbols.
std::vector<Eigen::Vector3d> extent_of(const PosedScene& pose);

// A length by which bars and symbols are drawn, in points.
double drawing_unit(const PosedScene& pose, double scale);
double page_unit(const PosedScene& pose,
                 double size);  // the same in a page, m (viewer/src/places.ts); size: of the picture, m

// Whether a post for the spring or damper of a slider stands better in front of it: other bodies lie behind, and nothing in front.
bool post_in_front(const PosedScene& pose, const SceneJoint& joint);

}  // namespace armature::internal::plot
