// Limits of a controller's output: `limits: {lower, upper}`.
#pragma once

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

FormatSection controller_limits_format();
void read_limits(const MapReader& map, Controller& controller, Reading& reading);

// Throws FormulaError where the lower limit is above the upper one.
void check_limits(EquationsBuilder& builder, const Controller& controller);

// u within the limits: by comparisons that a run watches, or for use at samples, where nothing needs watching.
Expression limited(EquationsBuilder& builder, const Controller& controller, Expression u);
Expression limited_at_sample(EquationsBuilder& builder, const Controller& controller, Expression u);

}  // namespace armature::internal
