#include "report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace armature::internal::plot {
namespace {

// 1, 2 or 5 times a power of ten, at least x.
double round_up(double x) {
  const double power = std::pow(10, std::floor(std::log10(x)));
  for (double lead : {1.0, 2.0, 5.0})
    if (x <= lead * power * (1 + 1e-9)) return lead * power;
  return 10 * power;
}

// Labels of large and small numbers share a power of ten.
int common_exponent(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  const int exponent = size > 0 ? static_cast<int>(std::floor(std::log10(size) + 1e-9)) : 0;
  return exponent >= 5 || exponent <= -3 ? exponent : 0;
}

void add_linear_ticks(Axis& axis, double step) {
  const int exponent = common_exponent(axis.low, axis.high);
  const double unit = std::pow(10, exponent);
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step / unit) + 1e-9)));
  const double first = std::ceil(axis.low / step - 1e-9);
  for (double k = first; k * step <= axis.high + 1e-9 * step; ++k) {
    std::string label = fmt::format("{:.{}f}", k * step / unit, digits);
    if (label.find_first_not_of("-0.") == std::string::npos) label = fmt::format("{:.{}f}", 0.0, digits);
    if (label[0] == '-') label.replace(0, 1, "\u2212");
    axis.ticks.push_back({k * step, label});
  }
  if (exponent != 0) axis.factor = "\u00d7" + power_of_ten(exponent);
}

}  // namespace

double Axis::share(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
}

std::string power_of_ten(int exponent) {
  static const char* const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string text = exponent < 0 ? "10\u207b" : "10";
  for (char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

Axis linear_axis(double low, double high, int count, bool tight) {
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {
    const double room = std::max(std::abs(low) * 0.1, 1e-300) + (low == 0 ? 1 : 0);
    low -= room, high += room;
  }
  const double room = tight ? 0 : 0.05 * (high - low);
  Axis axis;
  axis.low = low - room, axis.high = high + room;
  add_linear_ticks(axis, round_up((axis.high - axis.low) / std::max(1, count)));
  return axis;
}

Axis logarithmic_axis(double low, double high, int count) {
  Axis axis;
  axis.logarithmic = true;
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = std::max(first + 1, static_cast<int>(std::ceil(std::log10(high) - 1e-9)));
  const int every = std::max(1, (last - first + count - 1) / std::max(1, count));
  axis.low = std::pow(10, first), axis.high = std::pow(10, last);
  const bool one = last - first == 1 && count >= 4;  // two labels alone are hard to read values by
  for (int k = first; k <= last; ++k) {
    axis.ticks.push_back({std::pow(10, k), (k - first) % every == 0 ? power_of_ten(k) : ""});
    for (int lead = 2; every == 1 && k < last && lead < 10; ++lead)
      axis.ticks.push_back({lead * std::pow(10, k),
                            one && (lead == 2 || lead == 5) ? fmt::format("{}\u00d7{}", lead, power_of_ten(k)) : ""});
  }
  return axis;
}

}  // namespace armature::internal::plot
