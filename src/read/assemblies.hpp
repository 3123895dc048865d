// Sub-assemblies: a part of a machine that is written once and used several times.
//
//   assemblies: {leg: {parameters: {l: 0.3 m}, bodies: {thigh: …}, points: {hip_point: …}, joints: {hip: …}}}
//   use:
//     left:  {assembly: leg, on: chassis}
//     right: {assembly: leg, on: chassis, with: {l: 0.4 m}}
//
// Each use becomes plain entries of the file's sections, before these are read: its names begin with that of the use (left_thigh,
// left_hip, left_l), its ground is the body `on`, and its parameters are those of `with`.
#pragma once

#include "model/reading.hpp"

namespace armature::internal {

void expand_assemblies(YamlNode& root, Reading& reading);

}  // namespace armature::internal
