// Start conditions on a body: where it is and how it is turned, how fast it moves and spins.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

// Throws FormulaError where the entry names no body.
void add_body_condition(EquationsBuilder& builder, const StartEntry& entry, std::vector<StartCondition>& conditions);

}  // namespace armature::internal
