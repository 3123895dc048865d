#pragma once

namespace armature::internal {

const char* version();  // "0.1.0"

}  // namespace armature::internal
