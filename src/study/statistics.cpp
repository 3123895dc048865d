#include "study/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace armature::internal {

namespace {

// One group of points a value of the variable.
using Groups = std::vector<std::vector<double>>;

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double squares_about(std::span<const double> values, double center) {
  double sum = 0;
  for (double value : values) sum += (value - center) * (value - center);
  return sum;
}

// What values that ought to be equal vary by: some units in the last place each.
double squares_of_round_off(std::span<const double> values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  const double unit = 64 * std::numeric_limits<double>::epsilon() * largest;
  return static_cast<double>(values.size()) * unit * unit;
}

// Points whose result is a number, in the order of one variable.
std::vector<long> order_along(const Points& points, std::span<const double> values, int axis) {
  std::vector<long> order;
  for (long k = 0; k < points.count(); ++k)
    if (std::isfinite(values[static_cast<std::size_t>(k)])) order.push_back(k);
  std::stable_sort(order.begin(), order.end(), [&](long a, long b) { return points[a][axis] < points[b][axis]; });
  return order;
}

Groups grid_groups(const Points& points, std::span<const double> values, int axis) {
  Groups groups;
  double last = std::numeric_limits<double>::quiet_NaN();
  for (long k : order_along(points, values, axis)) {
    if (points[k][axis] != last) groups.emplace_back();
    last = points[k][axis];
    groups.back().push_back(values[static_cast<std::size_t>(k)]);
  }
  return groups;
}

Groups bins(const Points& points, std::span<const double> values, int axis) {
  const std::vector<long> order = order_along(points, values, axis);
  const std::size_t n = order.size();
  const auto count = static_cast<std::size_t>(std::clamp(std::lround(std::cbrt(static_cast<double>(n))), 2L, 32L));
  Groups groups(count);
  for (std::size_t k = 0; k < n; ++k) groups[k * count / n].push_back(values[static_cast<std::size_t>(order[k])]);
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

}  // namespace

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

Distribution distribution(std::span<const double> values) {
  std::vector<double> sorted;
  for (double value : values)
    if (std::isfinite(value)) sorted.push_back(value);
  Distribution d;
  d.count = static_cast<long>(sorted.size());
  d.mean = mean_of(sorted);
  if (d.count > 1) d.deviation = std::sqrt(squares_about(sorted, d.mean) / static_cast<double>(d.count - 1));
  std::sort(sorted.begin(), sorted.end());
  d.least = quantile(sorted, 0), d.q05 = quantile(sorted, 0.05), d.q25 = quantile(sorted, 0.25);
  d.median = quantile(sorted, 0.5), d.q75 = quantile(sorted, 0.75), d.q95 = quantile(sorted, 0.95);
  d.most = quantile(sorted, 1);
  return d;
}

std::vector<double> main_effects(const Points& points, std::span<const double> values, bool grid) {
  std::vector<double> effects;
  for (int axis = 0; axis < points.dimensions; ++axis) {
    const Groups groups = grid ? grid_groups(points, values, axis) : bins(points, values, axis);
    std::vector<double> all;
    double within = 0;
    for (const auto& group : groups) {
      within += squares_about(group, mean_of(group));
      all.insert(all.end(), group.begin(), group.end());
    }
    const double total = all.empty() ? 0 : squares_about(all, mean_of(all));
    if (total <= squares_of_round_off(all)) {
      effects.push_back(0);
      continue;
    }
    const double noise =
        grid || all.size() <= groups.size()
            ? 0
            : within / static_cast<double>(all.size() - groups.size()) * static_cast<double>(groups.size() - 1);
    effects.push_back(std::max(0.0, (total - within - noise) / total));
  }
  return effects;
}

}  // namespace armature::internal
