// From space to the plane of a picture, by a parallel projection with a name.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <string>

#include "report/drawing.hpp"
#include "report/scene.hpp"

namespace armature::internal::plot {

struct Projection {
  Eigen::Vector3d right, up, towards;  // of the picture; towards the reader

  Point operator()(const Eigen::Vector3d& at) const { return {right.dot(at), up.dot(at)}; }
  double depth(const Eigen::Vector3d& at) const { return towards.dot(at); }
};

// "front", "top", "side", "iso". The front of a planar machine is seen along the normal of its plane; of a spatial one along y, with x to
// the right. Up is against gravity, else z.
std::span<const char* const> view_names();

// Empty: the front of a planar machine, else iso. Throws RequestError where there is no such view.
Projection projection_of(const Scene& scene, const std::string& view);

}  // namespace armature::internal::plot
