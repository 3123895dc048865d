// Conditions on the start: residual = quantity - wanted, for coordinates and points, and for their speeds.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_start(EquationsBuilder& builder);  // the start conditions of the model

// One component of a start entry. Throws FormulaError where its residual is a constant that is not zero.
void add_condition(const StartEntry& entry, const std::string& suffix, Expression residual, const std::string& unit,
                   std::vector<StartCondition>& conditions);

}  // namespace armature::internal
