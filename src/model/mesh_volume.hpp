// Volume, centroid and second moments of the solid inside a closed mesh.
#pragma once

#include <array>
#include <span>

namespace armature::internal {

struct VolumeMoments {
  double volume = 0;
  std::array<double, 3> centroid{};
  // Integrals of y^2 + z^2, z^2 + x^2, x^2 + y^2 and of -x y, -x z, -y z over the volume, about the centroid: an inertia of density 1
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

// Of triangles as read_mesh_file() gives them, oriented outwards or all inwards. Throws std::runtime_error with a sentence where they
// do not enclose a volume.
VolumeMoments volume_moments(std::span<const float> triangles);

}  // namespace armature::internal
