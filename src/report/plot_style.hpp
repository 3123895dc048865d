// What all pictures have in common, in points and colors.
#pragma once

#include <array>

namespace armature::internal::plot {

// After Okabe and Ito: told apart by color-blind readers; dark enough on white.
inline constexpr std::array palette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                       "#e69f00", "#56b4e9", "#000000", "#332288"};
inline constexpr double font = 9, small_font = 8, legend_line = 12;
inline constexpr double top_margin = 8, bottom_margin = 34;
inline constexpr const char* frame_color = "#4d4d4d";

}  // namespace armature::internal::plot
