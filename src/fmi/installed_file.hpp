// Files that come with the program or with the library, at places relative to them: one where they are built, one where they are installed.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>

namespace armature::internal {

// The first of `places` that has the file, seen from the folder of the running program and from that of the library that this code is
// part of. Empty: there is none.
std::filesystem::path installed_file(std::initializer_list<const char*> places, const std::string& name);

}  // namespace armature::internal
