// The constants of a DC motor by the numbers of its data sheet.
#pragma once

#include "model/map_reader.hpp"

namespace armature::internal {

FormatSection datasheet_format();

// `map` is that of the drive, with the key datasheet. Sets resistance, torque and back-EMF constant, viscous friction.
void read_datasheet(const MapReader& map, Drive& drive, Reading& reading);

}  // namespace armature::internal
