// Element matrices of cubic beams, and the modes of a beam whose frame stands still: clamped-free in the clamped frame, pinned
// at both ends in the chord frame. In (w, h w') they do not depend on length, section and material.
#pragma once

#include <array>
#include <vector>

namespace armature {

using ElementMatrix = std::array<std::array<double, 4>, 4>;

// In (w, h w', w, h w'): stiffness over EI/h^3, consistent mass over rho A h/420, integral of slopes over 1/(30 h).
namespace element_matrices {
inline constexpr ElementMatrix stiffness{{{12, 6, -12, 6}, {6, 4, -6, 2}, {-12, -6, 12, -6}, {6, 2, -6, 4}}};
inline constexpr ElementMatrix mass{{{156, 22, 54, -13}, {22, 4, 13, -3}, {54, 13, 156, -22}, {-13, -3, -22, 4}}};
inline constexpr ElementMatrix slopes{{{36, 3, -36, 3}, {3, 4, -3, -1}, {-36, -3, 36, -3}, {3, -1, -3, 4}}};
}  // namespace element_matrices

struct BeamMode {
  std::vector<double> w, slope;  // by node: deflection, the largest being 1, and h times the slope
};

std::vector<BeamMode> beam_modes(int elements, bool chord, int count);

}  // namespace armature
