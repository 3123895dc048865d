#include "study/design.hpp"

#include <cassert>
#include <numeric>
#include <random>

#include "study/sobol.hpp"

namespace armature::internal {

namespace {

// Uniform in [0, 1), with the same bits on every machine (std::uniform_real_distribution leaves them open).
double uniform(std::mt19937_64& generator) { return static_cast<double>(generator() >> 11) * 0x1p-53; }

std::vector<int> shuffled(int count, std::mt19937_64& generator) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(uniform(generator) * static_cast<double>(k))]);
  return order;
}

double inside(const Axis& axis, double share) { return axis.from + (axis.to - axis.from) * share; }

}  // namespace

double Axis::at(int k) const {
  if (count < 2) return from;
  return k == count - 1 ? to : from + (to - from) * k / (count - 1);
}

Points grid_points(const std::vector<Axis>& axes) {
  long count = 1;
  for (const Axis& axis : axes) count *= axis.count;
  Points points{static_cast<int>(axes.size()), {}};
  points.values.resize(static_cast<std::size_t>(count) * axes.size());
  for (long k = 0; k < count; ++k) {
    long rest = k;
    for (std::size_t d = axes.size(); d-- > 0; rest /= axes[d].count)
      points.values[static_cast<std::size_t>(k) * axes.size() + d] = axes[d].at(static_cast<int>(rest % axes[d].count));
  }
  return points;
}

Points latin_points(const std::vector<Axis>& axes, int count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  Points points{static_cast<int>(axes.size()), std::vector<double>(axes.size() * static_cast<std::size_t>(count))};
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const std::vector<int> slice = shuffled(count, generator);
    for (std::size_t k = 0; k < slice.size(); ++k)
      points.values[k * axes.size() + d] = inside(axes[d], (slice[k] + uniform(generator)) / count);
  }
  return points;
}

Points sobol_points(const std::vector<Axis>& axes, int count, std::uint64_t seed) {
  assert(axes.size() <= sobol_dimensions);
  std::mt19937_64 generator(seed);
  Points points{static_cast<int>(axes.size()), std::vector<double>(axes.size() * static_cast<std::size_t>(count))};
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const SobolAxis sobol(static_cast<int>(d));
    const auto shift = static_cast<std::uint32_t>(generator() >> 32);
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      points.values[k * axes.size() + d] = inside(axes[d], (sobol(static_cast<std::uint32_t>(k)) ^ shift) * 0x1p-32);
  }
  return points;
}

}  // namespace armature::internal
