// Volumes and moments of meshes against closed forms.
#include "model/mesh_volume.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

namespace armature::internal {
namespace {

using Triangles = std::vector<float>;

void add_triangle(Triangles& mesh, std::array<std::array<double, 3>, 3> corners) {
  for (const auto& corner : corners)
    for (const double x : corner) mesh.push_back(static_cast<float>(x));
}

// A box from `low` to `high`, facing outwards.
Triangles box(std::array<double, 3> low, std::array<double, 3> high) {
  Triangles mesh;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
      std::array<std::array<double, 3>, 4> c;
      for (int i = 0; i < 4; ++i) {
        c[i][axis] = upper ? high[axis] : low[axis];
        c[i][j] = i == 1 || i == 2 ? high[j] : low[j];
        c[i][k] = i >= 2 ? high[k] : low[k];
      }
      if (!upper) std::swap(c[1], c[3]);
      add_triangle(mesh, {c[0], c[1], c[2]});
      add_triangle(mesh, {c[0], c[2], c[3]});
    }
  return mesh;
}

TEST(MeshVolume, OfABoxIsThatOfTheTextbook) {
  // sides 2, 3, 4 with the middle at (11, 1.5, -5); corners are exact as float
  const VolumeMoments m = volume_moments(box({10, 0, -7}, {12, 3, -3}));
  EXPECT_NEAR(m.volume, 24, 1e-12);
  EXPECT_NEAR(m.centroid[0], 11, 1e-12);
  EXPECT_NEAR(m.centroid[1], 1.5, 1e-12);
  EXPECT_NEAR(m.centroid[2], -5, 1e-12);
  EXPECT_NEAR(m.xx, 24 * (9 + 16) / 12.0, 1e-11);
  EXPECT_NEAR(m.yy, 24 * (4 + 16) / 12.0, 1e-11);
  EXPECT_NEAR(m.zz, 24 * (4 + 9) / 12.0, 1e-11);
  EXPECT_NEAR(std::abs(m.xy) + std::abs(m.xz) + std::abs(m.yz), 0, 1e-11);
}

// The corner tetrahedron of a unit cube: volume 1/6, centroid 1/4; integral of x^2 is 1/60, of x y 1/120.
TEST(MeshVolume, OfATetrahedronHasProducts) {
  const std::array<double, 3> o{0, 0, 0}, x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  Triangles mesh;
  add_triangle(mesh, {o, y, x}), add_triangle(mesh, {o, x, z}), add_triangle(mesh, {o, z, y});
  add_triangle(mesh, {x, y, z});
  const VolumeMoments m = volume_moments(mesh);
  EXPECT_NEAR(m.volume, 1.0 / 6, 1e-15);
  EXPECT_NEAR(m.centroid[1], 0.25, 1e-15);
  EXPECT_NEAR(m.zz, 2 * (1.0 / 60 - 1.0 / 96), 1e-15);
  EXPECT_NEAR(m.xy, -(1.0 / 120 - 1.0 / 96), 1e-15);
}

// Triangles that all face inwards enclose the same volume.
TEST(MeshVolume, DoesNotDependOnTheSideThatFacesOutwards) {
  Triangles mesh = box({0, 0, 0}, {1, 2, 3});
  for (std::size_t at = 0; at < mesh.size(); at += 9)
    for (std::size_t k = 0; k < 3; ++k) std::swap(mesh[at + k], mesh[at + 3 + k]);
  const VolumeMoments m = volume_moments(mesh);
  EXPECT_NEAR(m.volume, 6, 1e-13);
  EXPECT_NEAR(m.zz, 6 * 5 / 12.0, 1e-13);
}

// A hollow box: the inner walls face into the hole.
TEST(MeshVolume, OfAHollowBodyLeavesOutTheHole) {
  Triangles mesh = box({0, 0, 0}, {2, 2, 2}), hole = box({0.5, 0.5, 0.5}, {1.5, 1.5, 1.5});
  for (std::size_t at = 0; at < hole.size(); at += 9)
    for (std::size_t k = 0; k < 3; ++k) std::swap(hole[at + k], hole[at + 3 + k]);
  mesh.insert(mesh.end(), hole.begin(), hole.end());
  EXPECT_NEAR(volume_moments(mesh).volume, 7, 1e-13);
}

std::string refusal_of(const Triangles& mesh) {
  try {
    volume_moments(mesh);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(MeshVolume, OfAnOpenOrTwistedMeshIsRefused) {
  Triangles open = box({0, 0, 0}, {1, 1, 1});
  open.resize(open.size() - 9);
  EXPECT_NE(refusal_of(open).find("is not closed: 3 of its 18 edges belong to a single triangle"), std::string::npos);
  Triangles twisted = box({0, 0, 0}, {1, 1, 1});
  for (std::size_t k = 0; k < 3; ++k) std::swap(twisted[k], twisted[3 + k]);
  EXPECT_NE(refusal_of(twisted).find("face inwards"), std::string::npos);
  EXPECT_EQ(refusal_of(box({0, 0, 0}, {1, 1, 0})), "encloses no volume");
}

}  // namespace
}  // namespace armature::internal
