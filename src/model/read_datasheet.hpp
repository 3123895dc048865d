// The constants of a DC motor by the numbers of its data sheet.
#pragma once

#include "model/map_reader.hpp"

namespace armature::internal {

// `drive` is the motor's map, with the key datasheet. Sets resistance, torque and back-EMF constant, viscous friction.
void read_datasheet(const MapReader& drive, DcMotor& motor, Reading& reading);

}  // namespace armature::internal
