// Conditions on the start: residual = quantity - wanted, for coordinates and points, and for their speeds.
#pragma once

#include "mechanics/builder.hpp"

namespace armature::internal {

void add_start(EquationsBuilder& builder);  // the start conditions of the model

// One component of a start entry: its residual, and the largest constant of what that is a difference of. Throws FormulaError
// where the residual is a constant that is not zero, but for round-off: a speed from another program has it where zero belongs.
struct StartResidual {
  Expression value;
  double size;
};
void add_condition(EquationsBuilder& builder, const StartEntry& entry, const std::string& suffix,
                   const StartResidual& residual, const std::string& unit, std::vector<StartCondition>& conditions);

}  // namespace armature::internal
