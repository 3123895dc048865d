// The types of joints (joints.def), by name. Only files that name one include this: model.hpp has the type without its names, so that a
// new joint does not compile everything anew.
#pragma once

namespace armature::internal {

enum class JointType : int {
#define JOINT(name, ...) name,
#include "model/joints.def"
#undef JOINT
};

}  // namespace armature::internal
