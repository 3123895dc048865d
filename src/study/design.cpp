#include "study/design.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
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

double normal_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// Far out each step of Newton's method for the share itself is short; for its logarithm it is not.
double far_quantile(double share, double x) {
  for (int k = 0; k < 100; ++k) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi), below = normal_below(x);
    const double next = x - std::log(below / share) * below / density;
    if (!std::isfinite(next) || std::abs(next - x) <= 1e-15 * std::abs(x)) return x;
    x = next;
  }
  return x;
}

// The x that normal_below() gives the share of, by Newton's method inside a bracket. In the upper half its mirror image is
// sought, where a share near 1 would lose digits.
double normal_quantile(double share) {
  if (share > 0.5) return -normal_quantile(1 - share);
  double low = -40, high = 0, x = 0;
  for (int k = 0; k < 100; ++k) {
    const double error = normal_below(x) - share;
    (error > 0 ? high : low) = x;
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    double next = x - error / density;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-15 * std::abs(x)) return next;
    x = next;
  }
  return far_quantile(share, x);
}

// Far above the mean shares are as near to 1 as numbers can be: the lower tail, which is its mirror image, has all digits.
double normal_between(double from, double to, double share) {
  if (from > 0) return -normal_between(-to, -from, 1 - share);
  const double below = normal_below(from), upto = to > 0 ? 1 - normal_below(-to) : normal_below(to);
  return std::clamp(normal_quantile(below + share * (upto - below)), from, to);
}

// Both sides are halves of parabolas.
double triangular(const Axis& axis, double share) {
  const double width = axis.to - axis.from, left = axis.law.center - axis.from, right = axis.to - axis.law.center;
  return share * width < left ? axis.from + std::sqrt(share * width * left)
                              : axis.to - std::sqrt((1 - share) * width * right);
}

}  // namespace

const char* name_of(Law::Kind kind) {
  constexpr const char* names[] = {"uniform", "normal", "lognormal", "triangular"};
  return names[static_cast<int>(kind)];
}

double Axis::quantile(double share) const {
  const double c = law.center, s = law.spread;
  switch (law.kind) {
    case Law::Kind::uniform: return from + (to - from) * share;
    case Law::Kind::normal: return c + s * normal_between((from - c) / s, (to - c) / s, share);
    case Law::Kind::lognormal:
      return c * std::exp(s * normal_between(std::log(from / c) / s, std::log(to / c) / s, share));
    case Law::Kind::triangular: return triangular(*this, share);
  }
  return from;
}

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
      points.values[k * axes.size() + d] = axes[d].quantile((slice[k] + uniform(generator)) / count);
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
      points.values[k * axes.size() + d] = axes[d].quantile((sobol(static_cast<std::uint32_t>(k)) ^ shift) * 0x1p-32);
  }
  return points;
}

}  // namespace armature::internal
