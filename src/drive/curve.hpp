// A curve of a drive, {speed: [...], torque: [...]}: kept among the model's tables under the name of the drive and its key.
#pragma once

#include "model/map_reader.hpp"

namespace armature::internal {

// `table` has two keys, both lists: the argument, which increases, and the value.
void read_curve(const MapReader& map, const std::string& key, KeyTable table, const Drive& drive, Reading& reading);

std::shared_ptr<const Table> find_curve(const Model& model, const Drive& drive, const std::string& key);  // or null

}  // namespace armature::internal
