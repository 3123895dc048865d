// A triangle a, b, c and a point o span a tetrahedron of volume d/6, d = a.(b x c) with corners seen from o. Over it the integrals of
// r and of r r' are  d/24 s  and  d/120 (s s' + a a' + b b' + c c'),  s = a + b + c. Summed over a closed surface with their
// signs, o cancels; it lies inside the mesh to keep round-off small.
#include "model/mesh_volume.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace armature::internal {
namespace {

using Point = std::array<double, 3>;
using Corner = std::array<float, 3>;

struct CornerHash {
  std::size_t operator()(const Corner& corner) const {
    std::uint64_t hash = 0;
    for (const float x : corner) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, &x, sizeof bits);
      hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    }
    return static_cast<std::size_t>(hash ^ (hash >> 29));
  }
};

Corner corner_of(std::span<const float> triangles, std::size_t i) {
  Corner corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = triangles[3 * i + k] + 0.0f;  // -0 is 0
  return corner;
}

// Corners of one place get one number.
std::vector<std::int64_t> numbers_of_corners(std::span<const float> triangles) {
  std::unordered_map<Corner, std::int64_t, CornerHash> known;
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; 3 * i < triangles.size(); ++i)
    numbers.push_back(known.emplace(corner_of(triangles, i), static_cast<std::int64_t>(known.size())).first->second);
  return numbers;
}

// Each edge of a closed surface is run through as often in one direction as in the other.
void check_closed(std::span<const float> triangles) {
  const std::vector<std::int64_t> corners = numbers_of_corners(triangles);
  struct Uses {
    int forwards = 0, backwards = 0;
    std::size_t corner = 0;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, Uses> edges;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::int64_t a = corners[i], b = corners[i % 3 == 2 ? i - 2 : i + 1];
    if (a == b) continue;
    Uses& uses = edges[std::minmax(a, b)];
    ++(a < b ? uses.forwards : uses.backwards);
    uses.corner = i;
  }
  std::size_t open = 0, turned = 0, where = 0;
  for (const auto& [edge, uses] : edges) {
    if (uses.forwards == uses.backwards) continue;
    ++((uses.forwards + uses.backwards) % 2 == 1 ? open : turned);
    where = uses.corner;
  }
  const Corner at = corner_of(triangles, where);
  if (open > 0)
    throw std::runtime_error(
        fmt::format("is not closed: {} of its {} edges belong to a single triangle, one of them at [{:g}, {:g}, {:g}]",
                    open, edges.size(), at[0], at[1], at[2]));
  if (turned > 0)
    throw std::runtime_error(
        fmt::format("has triangles that face inwards and others that face outwards; they meet at [{:g}, {:g}, {:g}]",
                    at[0], at[1], at[2]));
}

Point mean_corner(std::span<const float> triangles) {
  Point mean{};
  for (std::size_t i = 0; i < triangles.size(); ++i) mean[i % 3] += triangles[i];
  for (double& x : mean) x /= static_cast<double>(triangles.size()) / 3;
  return mean;
}

}  // namespace

VolumeMoments volume_moments(std::span<const float> triangles) {
  check_closed(triangles);
  const Point origin = mean_corner(triangles);
  double six_volumes = 0;
  Point first{};
  std::array<std::array<double, 3>, 3> second{};
  for (std::size_t at = 0; at < triangles.size(); at += 9) {
    std::array<Point, 3> p;
    for (std::size_t k = 0; k < 9; ++k) p[k / 3][k % 3] = triangles[at + k] - origin[k % 3];
    const auto& [a, b, c] = p;
    const double d =
        a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    six_volumes += d;
    for (std::size_t i = 0; i < 3; ++i) {
      first[i] += d * (a[i] + b[i] + c[i]);
      for (std::size_t j = 0; j < 3; ++j)
        second[i][j] += d * ((a[i] + b[i] + c[i]) * (a[j] + b[j] + c[j]) + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]);
    }
  }
  const double sign = six_volumes < 0 ? -1 : 1, volume = sign * six_volumes / 6;
  if (!(volume > 0) || !std::isfinite(volume)) throw std::runtime_error("encloses no volume");
  Point r;  // the centroid, seen from the origin of the sums
  for (std::size_t i = 0; i < 3; ++i) r[i] = sign * first[i] / 24 / volume;
  const auto moment = [&](std::size_t i, std::size_t j) { return sign * second[i][j] / 120 - volume * r[i] * r[j]; };
  VolumeMoments result;
  result.volume = volume;
  for (std::size_t i = 0; i < 3; ++i) result.centroid[i] = origin[i] + r[i];
  result.xx = moment(1, 1) + moment(2, 2), result.yy = moment(2, 2) + moment(0, 0);
  result.zz = moment(0, 0) + moment(1, 1);
  result.xy = -moment(0, 1), result.xz = -moment(0, 2), result.yz = -moment(1, 2);
  return result;
}

}  // namespace armature::internal
