// Joints with clearance. The joint itself leaves free what its play allows (model/read_joints.cpp turns a revolute or prismatic joint into
// a planar one, a spherical one into a free one); what holds it is contact, forces of the model that stand for the joint's surfaces:
//
//   revolute    a pin (b) in a hole (a)                    NAME_contact
//   spherical   a ball (b) in a socket (a)                 NAME_contact
//   prismatic   four corners of a block (b) in a guide (a) NAME_contact1 … NAME_contact4
#pragma once

#include "model/format_keys.hpp"
#include "model/reading.hpp"

namespace armature::internal {

void read_clearances(Reading& reading);  // those that read_joints() found

std::vector<FormatSection> clearance_sections();

}  // namespace armature::internal
