// What controllers share that need the dynamics of the whole closed loop: an effort on each of their coordinates. Here they only
// state what is wanted; system/feedback solves for the efforts when all equations are known.
#pragma once

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

void read_controlled_coordinates(const MapReader& map, Controller& controller, Reading& reading);  // the key `on`
std::vector<std::string> effort_names(const Controller& controller);                               // "ctc.theta1"

// Offers and records an effort for each coordinate; the accelerations wanted are zero.
Feedback offer_efforts(EquationsBuilder& builder, const Controller& controller);

}  // namespace armature::internal
