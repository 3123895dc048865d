#include "import/shape_mass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;
using Kind = RobotShape::Kind;

RobotMass of_shape(Kind kind, const Vector3d& size, const Frame& at = {}) {
  RobotShape shape;
  shape.kind = kind, shape.size = size, shape.at = at;
  return mass_of_shape(shape, RobotFiles(""));
}

void expect_moments(const RobotMass& mass, double m, double xx, double yy, double zz) {
  EXPECT_NEAR(mass.mass, m, 1e-13 * m);
  EXPECT_LT((mass.inertia - Eigen::Matrix3d(Vector3d(xx, yy, zz).asDiagonal())).norm(), 1e-13 * (xx + yy + zz));
}

// By the textbook; of a capsule by integrating over its disks of radius rho(z): m = pi rho^2 dz, I_z = m rho^2/2.
TEST(ShapeMass, IsThatOfUniformSolids) {
  const double pi = std::numbers::pi;
  expect_moments(of_shape(Kind::box, {1, 2, 3}), 6, 6 * 13 / 12.0, 6 * 10 / 12.0, 6 * 5 / 12.0);
  const double ball = 4 * pi / 3 * 8;
  expect_moments(of_shape(Kind::sphere, {2, 0, 0}), ball, 0.4 * ball * 4, 0.4 * ball * 4, 0.4 * ball * 4);
  const double egg = 4 * pi / 3 * 6;
  expect_moments(of_shape(Kind::ellipsoid, {1, 2, 3}), egg, egg * 13 / 5, egg * 10 / 5, egg * 5 / 5);
  const double rod = pi * 0.25 * 4;
  expect_moments(of_shape(Kind::cylinder, {0.5, 4, 0}), rod, rod * (0.0625 + 16 / 12.0), rod * (0.0625 + 16 / 12.0),
                 rod * 0.125);
  double m = 0, zz = 0, xx = 0;
  const int slices = 2000000;
  for (int k = 0; k < slices; ++k) {
    const double z = -1.5 + 3.0 * (k + 0.5) / slices, end = std::max(std::abs(z) - 1, 0.0), square = 0.25 - end * end,
                 slice = pi * square * 3.0 / slices;
    m += slice, zz += slice * square / 2, xx += slice * (square / 4 + z * z);
  }
  const RobotMass capsule = of_shape(Kind::capsule, {0.5, 2, 0});
  EXPECT_NEAR(capsule.mass, m, 1e-9);
  EXPECT_NEAR(capsule.inertia(2, 2), zz, 1e-9);
  EXPECT_NEAR(capsule.inertia(0, 0), xx, 1e-9);
}

TEST(ShapeMass, IsGivenInTheFrameOfTheBody) {
  const RobotMass mass =
      of_shape(Kind::box, {1, 2, 3}, {turn_about(Vector3d::UnitZ(), std::numbers::pi / 2), {7, 0, 0}});
  EXPECT_EQ(mass.center, Vector3d(7, 0, 0));
  expect_moments(mass, 6, 5, 6.5, 2.5);
}

// The tetrahedron of the axes up to 1, with its faces outward and inward: V = 1/6, center 1/4, integral of x^2 = 1/60, of x y = 1/120.
TEST(ShapeMass, OfAMeshIsTheIntegralOverIt) {
  const TemporaryFolder folder;
  for (const bool inward : {false, true}) {
    std::ofstream(folder / "corner.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                         << (inward ? "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n"
                                                    : "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    RobotShape shape;
    std::string why;
    ASSERT_TRUE(take_mesh("corner.obj", Vector3d::Ones(), RobotFiles(folder / ""), shape, why)) << why;
    const RobotMass mass = mass_of_shape(shape, RobotFiles(folder / ""));
    EXPECT_NEAR(mass.mass, 1 / 6.0, 1e-12);
    EXPECT_LT((mass.center - Vector3d::Constant(0.25)).norm(), 1e-12);
    EXPECT_NEAR(mass.inertia(0, 0), 2 * (1 / 60.0 - 1 / 96.0), 1e-12);
    EXPECT_NEAR(mass.inertia(0, 1), -(1 / 120.0 - 1 / 96.0), 1e-12);
  }
}

TEST(ShapeMass, IsSpreadEvenly) {
  RobotShape left, right;
  left.size = right.size = {1, 1, 1}, left.at.p = {-2, 0, 0}, right.at.p = {4, 0, 0};
  const RobotMass mass = spread_mass({left, right}, 10, RobotFiles(""));
  EXPECT_EQ(mass.mass, 10);
  EXPECT_LT((mass.center - Vector3d(1, 0, 0)).norm(), 1e-14);
  EXPECT_NEAR(mass.inertia(1, 1), 10 * (1 / 6.0 + 9), 1e-12);
  EXPECT_THROW(spread_mass({}, 10, RobotFiles("")), std::runtime_error);
}

TEST(ShapeMass, SaysWhichMeshesAreNotDrawn) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.dae") << "x";
  std::ofstream(folder / "a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const auto why_not = [&](const std::string& name, const Vector3d& scale) {
    RobotShape shape;
    std::string why;
    return take_mesh(name, scale, RobotFiles(folder / ""), shape, why) ? "" : why;
  };
  EXPECT_EQ(why_not("a.obj", {2, 2, 2}), "");
  EXPECT_EQ(why_not("a.dae", {1, 1, 1}), "'a.dae' is not drawn; only STL and OBJ files are");
  EXPECT_EQ(why_not("a.obj", {1, 1, 2}), "'a.obj' has a scale that differs by direction");
  EXPECT_EQ(why_not("b.obj", {1, 1, 1}), "there is no file 'b.obj'");
}

}  // namespace
}  // namespace armature::internal
