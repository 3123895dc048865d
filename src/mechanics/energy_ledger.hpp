// The energy ledger: auxiliary states that hold the energy that came in and was lost since the start, so that a run can check
//   kinetic + potential + magnetic = at the start + work - heat.
#pragma once

#include "mechanics/equations.hpp"

namespace armature::internal {

inline constexpr const char* impact_work =
    "work.impact";  // the state that holds the work of impulses, where there are any

void add_energy_ledger(Equations& equations);  // once all powers and rows are known

}  // namespace armature::internal
