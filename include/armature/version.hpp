// The version of the library that a program runs with, and what its symbols need.
#pragma once

#if defined(__GNUC__)
#define ARMATURE_API __attribute__((visibility("default")))
#else
#define ARMATURE_API
#endif

namespace armature {

ARMATURE_API const char* version();  // "0.1.0"

}  // namespace armature
