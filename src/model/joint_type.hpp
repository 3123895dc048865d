// The types of joints (joints.def).
#pragma once

namespace armature::internal {

enum class JointType {
#define JOINT(name, ...) name,
#include "model/joints.def"
#undef JOINT
};

}  // namespace armature::internal
