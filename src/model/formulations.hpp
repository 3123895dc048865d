// The formulations as plain data (formulations.def): the reader checks their names, and dynamics/ makes them.
#pragma once

#include <string_view>

namespace armature::internal {

struct FormulationWords {
  std::string_view name;
  bool needs_full_rank;  // refuses dependent constraint rows
};

inline constexpr FormulationWords formulation_table[] = {
#define FORMULATION(name, needs_full_rank) {#name, needs_full_rank},
#include "model/formulations.def"
#undef FORMULATION
};

}  // namespace armature::internal
