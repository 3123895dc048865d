// A number of the file with a unit of SI that belongs to it: {unit: K, start: 293 K}. Hosts and results have it in that unit.
#pragma once

#include <optional>
#include <string>

#include "model/map_reader.hpp"

namespace armature::internal {

struct SiQuantity {
  std::string unit;  // empty: a plain number, or nothing is stated
  std::optional<Dimension> dimension;
  double value = 0;
  Formula formula = {};  // of the value; not given: the file has none
};

// The keys `unit` and `value_key` of a map. Without a unit, that of the value counts. What is wrong is reported.
SiQuantity read_si_quantity(const MapReader& map, const std::string& value_key, Reading& reading);

}  // namespace armature::internal
