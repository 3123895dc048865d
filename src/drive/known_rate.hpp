// The rate of a current that a formula gives.
#pragma once

#include <optional>

#include "mechanics/builder.hpp"

namespace armature::internal {

// Nothing where the current depends on velocities, whose rates no formula knows, or may jump with comparisons or held values: a warning
// then says that the voltage omits L di/dt.
std::optional<Expression> known_rate(EquationsBuilder& builder, const Drive& drive, Expression current);

}  // namespace armature::internal
