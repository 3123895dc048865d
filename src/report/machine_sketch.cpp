#include "report/machine_sketch.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal::plot {

using Eigen::Vector3d;

MachineSketch::MachineSketch(const PosedScene& posed, const MachineLook& looks, Sketch& out)
    : pose(posed),
      scene(posed.scene()),
      look(looks),
      sketch(out),
      at(out.at),
      u(out.u),
      flat(seen_flat()),
      down(seen_down()) {}

bool MachineSketch::seen_flat() const {
  return !scene.plane.empty() && std::abs(normal().dot(at.projection.towards)) > 0.999;
}

Point MachineSketch::seen_down() const {
  const Point along = scene.gravity ? unit_of(at.along(to_vector(*scene.gravity))) : Point{};
  return length_of(along) < 0.5 || !flat ? Point{0, 1} : along;
}

Vector3d MachineSketch::normal() const {
  return scene.plane == "xy" ? Vector3d::UnitZ() : scene.plane == "xz" ? Vector3d::UnitY() : Vector3d::UnitX();
}

SymbolPlace MachineSketch::over(Sketch::Layer layer, const Vector3d& place, double lift) const {
  if (flat) return {layer, 0};
  return {layer == Sketch::marks ? layer : Sketch::machine, at.projection.depth(place) + lift * at.meters(u)};
}

double MachineSketch::body_depth(int k, const Vector3d& middle) const {
  return flat ? static_cast<double>(k) : over(Sketch::machine, middle).depth;
}

bool MachineSketch::is_shaped(int body) const {
  return body >= 0 && !scene.bodies[static_cast<std::size_t>(body)].shapes.empty();
}

Vector3d MachineSketch::in_space(const Point& direction) const {
  return direction.x * at.projection.right - direction.y * at.projection.up;
}

}  // namespace armature::internal::plot
