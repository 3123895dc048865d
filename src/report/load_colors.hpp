// Colors of how hard a beam is loaded: from none to the largest, each lighter than the one before. The same as in viewer/src/beam.ts.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "report/outlines.hpp"

namespace armature::internal::plot {

inline constexpr std::array<const char*, 5> load_colors = {"#3b3f8f", "#2f7f8e", "#35a878", "#9fce3f", "#fde725"};

inline std::string load_color(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (load_colors.size() - 1);
  const auto k = std::min(static_cast<std::size_t>(place), load_colors.size() - 2);
  return mixed(load_colors[k], load_colors[k + 1], place - static_cast<double>(k));
}

}  // namespace armature::internal::plot
