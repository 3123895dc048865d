#include "report/projection.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>

#include "model/diagnostics.hpp"
#include "model/request_error.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

constexpr const char* names_of_views[] = {"front", "top", "side", "iso"};

Projection front_of(const Scene& scene) {
  if (scene.plane == "xy") return {Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()};
  if (scene.plane == "xz") return {Vector3d::UnitX(), Vector3d::UnitZ(), -Vector3d::UnitY()};
  if (scene.plane == "yz") return {Vector3d::UnitY(), Vector3d::UnitZ(), Vector3d::UnitX()};
  Vector3d up = Vector3d::UnitZ();
  if (scene.gravity)
    if (const Vector3d g((*scene.gravity)[0], (*scene.gravity)[1], (*scene.gravity)[2]); g.norm() > 1e-9)
      up = -g.normalized();
  const Vector3d side = std::abs(up.x()) < 0.9 ? Vector3d::UnitX() : Vector3d::UnitY();
  const Vector3d right = (side - up * up.dot(side)).normalized();
  return {right, up, right.cross(up)};
}

}  // namespace

std::span<const char* const> view_names() { return names_of_views; }

Projection projection_of(const Scene& scene, const std::string& view) {
  const Projection front = front_of(scene);
  const auto& [x, y, z] = front;
  if (view == "front" || (view.empty() && !scene.plane.empty())) return front;
  if (view == "top") return {x, -z, y};
  if (view == "side") return {-z, y, x};
  if (view == "iso" || view.empty()) {
    const Vector3d towards = (x + y + z).normalized(), right = y.cross(towards).normalized();
    return {right, towards.cross(right), towards};
  }
  throw RequestError(
      fmt::format("there is no view '{}'; expected {}", view, one_of({view_names().begin(), view_names().end()})));
}

}  // namespace armature::internal::plot
