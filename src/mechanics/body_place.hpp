// Where a frame of a body sits: a link (-1: ground) and the constant pose of the frame on it.
#pragma once

#include "mechanics/vector.hpp"

namespace armature::internal {

struct BodyPlace {
  int link = -1;
  Pose pose;
};

}  // namespace armature::internal
