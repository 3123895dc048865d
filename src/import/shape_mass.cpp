// A mesh is summed over the tetrahedra that its triangles make with the origin:
//
//   V = sum det/6     V c = sum det (a + b + c)/24     integral of x x' = sum det (a a' + b b' + c c' + s s')/120,  s = a + b + c
#include "import/shape_mass.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "model/mesh_file.hpp"

namespace armature::internal {

namespace {

Eigen::Matrix3d diagonal(double xx, double yy, double zz) { return Eigen::Vector3d(xx, yy, zz).asDiagonal(); }

RobotMass mass_of_box(const Eigen::Vector3d& sides) {
  const double m = sides.prod();
  const Eigen::Vector3d s = sides.cwiseAbs2() * (m / 12);
  return {m, Eigen::Vector3d::Zero(), diagonal(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
}

RobotMass mass_of_ellipsoid(const Eigen::Vector3d& radii) {
  const double m = 4.0 / 3 * std::numbers::pi * radii.prod();
  const Eigen::Vector3d s = radii.cwiseAbs2() * (m / 5);
  return {m, Eigen::Vector3d::Zero(), diagonal(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
}

RobotMass mass_of_cylinder(double r, double l) {
  const double m = std::numbers::pi * r * r * l;
  const double across = m * (3 * r * r + l * l) / 12;
  return {m, Eigen::Vector3d::Zero(), diagonal(across, across, m * r * r / 2)};
}

// A cylinder with a half ball at either end; the center of a half ball lies 3/8 r beyond its face.
RobotMass mass_of_capsule(double r, double l) {
  RobotMass sum = mass_of_cylinder(r, l);
  const double m = 2.0 / 3 * std::numbers::pi * r * r * r, c = 3.0 / 8 * r;
  const double own = 2.0 / 5 * m * r * r - m * c * c;
  for (const double side : {-1.0, 1.0})
    sum.add({m, Eigen::Vector3d(0, 0, side * (l / 2 + c)), diagonal(own, own, 2.0 / 5 * m * r * r)});
  return sum;
}

RobotMass mass_of_mesh(const std::vector<float>& corners) {
  double volume = 0;
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (std::size_t k = 0; k + 9 <= corners.size(); k += 9) {
    const auto corner = [&](std::size_t i) { return Eigen::Vector3f(&corners[k + 3 * i]).cast<double>().eval(); };
    const Eigen::Vector3d a = corner(0), b = corner(1), c = corner(2), s = a + b + c;
    const double det = a.dot(b.cross(c));
    volume += det / 6;
    moment += det / 24 * s;
    second += det / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }
  if (volume < 0) volume = -volume, moment = -moment, second = -second;  // triangles that face inward
  if (!(volume > 1e-12 * std::pow(second.cwiseAbs().maxCoeff(), 0.6))) throw std::runtime_error("encloses no volume");
  const Eigen::Vector3d center = moment / volume;
  const Eigen::Matrix3d about = second - volume * center * center.transpose();
  return {volume, center, about.trace() * Eigen::Matrix3d::Identity() - about};
}

}  // namespace

RobotMass mass_of_shape(const RobotShape& shape, const RobotFiles& files) {
  const auto own = [&]() -> RobotMass {
    switch (shape.kind) {
      case RobotShape::Kind::box: return mass_of_box(shape.size);
      case RobotShape::Kind::ellipsoid: return mass_of_ellipsoid(shape.size);
      case RobotShape::Kind::sphere: return mass_of_ellipsoid(Eigen::Vector3d::Constant(shape.size.x()));
      case RobotShape::Kind::cylinder: return mass_of_cylinder(shape.size.x(), shape.size.y());
      case RobotShape::Kind::capsule: return mass_of_capsule(shape.size.x(), shape.size.y());
      case RobotShape::Kind::mesh: return mass_of_mesh(read_mesh_file(files.folder() / shape.file, shape.scale));
    }
    return {};
  };
  return own().seen_from(shape.at);
}

bool take_mesh(const std::string& name, const Eigen::Vector3d& scale, const RobotFiles& files, RobotShape& shape,
               std::string& why) {
  const std::optional<std::filesystem::path> path = files.find(name, why);
  if (!path) return false;
  const std::string end = path->extension().string();
  if (end != ".stl" && end != ".STL" && end != ".obj" && end != ".OBJ") {
    why = fmt::format("'{}' is not drawn; only STL and OBJ files are", name);
    return false;
  }
  if (!(scale.x() > 0) || (scale.array() - scale.x()).abs().maxCoeff() > 1e-12 * scale.x()) {
    why = fmt::format("'{}' has a scale that differs by direction", name);
    return false;
  }
  shape.kind = RobotShape::Kind::mesh;
  shape.file = path->lexically_relative(files.folder().empty() ? "." : files.folder()).string();
  shape.scale = scale.x();
  try {
    read_mesh_file(*path, 1);
  } catch (const std::runtime_error& error) {
    why = fmt::format("'{}' {}", name, error.what());
    return false;
  }
  return true;
}

RobotMass spread_mass(const std::vector<RobotShape>& shapes, double mass, const RobotFiles& files) {
  RobotMass sum;
  for (const RobotShape& shape : shapes) sum.add(mass_of_shape(shape, files));
  if (!(sum.mass > 0)) throw std::runtime_error("encloses no volume");
  return {mass, sum.center, sum.inertia * (mass / sum.mass)};
}

}  // namespace armature::internal
