// The sections whose items are of kinds: forces, drives and controllers; and FMUs of others, which are files of their own.
#pragma once

#include "model/reading.hpp"

namespace armature::internal {

void read_forces(const YamlNode& section, Reading& reading);
void read_drives(const YamlNode& section, Reading& reading);
void read_controllers(const YamlNode& section, Reading& reading);
void read_fmus(const YamlNode& section, Reading& reading);

}  // namespace armature::internal
