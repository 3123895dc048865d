#pragma once

namespace armature {

const char* version();  // "0.1.0"

}  // namespace armature
