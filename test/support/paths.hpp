// Where the tests find the project and the program. Only paths.cpp knows: no other object depends on the folder it is
// built in, so that a compiler cache serves every checkout.
#pragma once

namespace armature::internal {

extern const char* const source_directory;  // of the project
extern const char* const program_path;      // the built command line program
extern const char* const fmu_directory;     // the binary of FMUs, with its libraries

}  // namespace armature::internal
