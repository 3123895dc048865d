// Which points of a box are looked at: a grid, a Latin hypercube, a Sobol sequence, or a list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace armature::internal {

// How random points are distributed over an axis.
struct Law {
  enum class Kind { uniform, normal, lognormal, triangular };
  Kind kind = Kind::uniform;
  double center = 0;  // mean of normal, median of lognormal, mode of triangular
  double spread = 0;  // standard deviation of normal, of the logarithm of lognormal
};
const char* name_of(Law::Kind kind);   // "normal"
inline constexpr double law_ends = 6;  // spreads from the center to the ends of an axis that gives none

struct Axis {
  std::string name;  // of what is varied
  double from = 0, to = 1;
  int count = 0;  // of a grid, both ends included
  Law law = {};   // of random points; cut off at both ends

  double at(int k) const;
  double quantile(double share) const;  // of random points, this share lies below it
};

// Points one after the other, dimension by dimension.
struct Points {
  int dimensions = 0;
  std::vector<double> values;
  long count() const { return dimensions == 0 ? 0 : static_cast<long>(values.size()) / dimensions; }
  const double* operator[](long k) const { return values.data() + k * dimensions; }
};

Points grid_points(const std::vector<Axis>& axes);  // the last axis runs fastest

// One point in each of `count` slices along every axis, at a random place in it; slices paired at random.
Points latin_points(const std::vector<Axis>& axes, int count, std::uint64_t seed);

// The first `count` points of a Sobol sequence, shifted digit by digit at random: the points keep falling evenly into all
// boxes that halving the axes makes. At most sobol_dimensions axes.
Points sobol_points(const std::vector<Axis>& axes, int count, std::uint64_t seed);
inline constexpr int sobol_dimensions = 32;

}  // namespace armature::internal
