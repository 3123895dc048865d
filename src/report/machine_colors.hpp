// Colors of machines: those of the pages (viewer/src/theme.ts).
#pragma once

#include <array>

namespace armature::internal::plot {

inline constexpr std::array body_colors = {"#5fa3d0", "#efb54a", "#55bb9c", "#e08b54",
                                           "#d9a0c0", "#8fcbef", "#9aa3ac", "#c4b254"};
inline constexpr const char *metal_color = "#7b858f", *mark_color = "#d55e00", *ink_color = "#1d2329",
                            *paper_color = "#ffffff", *pitch_color = "#4d5761";

}  // namespace armature::internal::plot
