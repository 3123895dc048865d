#include "inspect/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace armature::internal {

namespace {

bool measures_an_error(const std::string& name) {
  return name == "energy.error" || name == "work.stabilization" || name.starts_with("constraint.") || name == "rank" ||
         name == "smallest_pivot" || name == "smallest_singular_value";
}

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

void raise_to_tolerances(const Prepared& prepared, ChannelScales& scales) {
  const Equations& e = prepared.system->equations();
  Eigen::Index entry = 0;
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates) {
      const double least = prepared.options.atol[entry++] / prepared.options.rtol;
      if (const auto found = scales.find(coordinate.name); found != scales.end())
        found->second = std::max(found->second, least);
    }
}

}  // namespace

ChannelScales channel_scales(const MemoryRecorder& rows, const Prepared& prepared) {
  ChannelScales scales;
  std::map<std::string, double> of_unit;
  for (const Channel& channel : rows.channels()) {
    if (channel.name == "t" || measures_an_error(channel.name)) continue;
    const double size = scales[channel.name] = largest_size(rows.column(channel.name));
    of_unit[channel.unit] = std::max(of_unit[channel.unit], size);
  }
  for (const Channel& channel : rows.channels())
    if (const auto found = scales.find(channel.name); found != scales.end())
      found->second = std::max(found->second, of_its_unit * of_unit[channel.unit]);
  raise_to_tolerances(prepared, scales);
  return scales;
}

double agreeing_digits(double a, double b, double scale) {
  if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<double>::quiet_NaN();
  return a == b ? all_digits : std::clamp(-std::log10(std::abs(a - b) / scale), 0.0, all_digits);
}

double agreeing_digits(const MemoryRecorder& a, const MemoryRecorder& b, const std::string& channel, double scale) {
  const std::vector<double> in_a = a.column(channel), in_b = b.column(channel);
  const std::size_t rows = std::min(in_a.size(), in_b.size());
  double largest = -1;
  for (std::size_t i = 0; i < rows; ++i)
    if (const double difference = std::abs(in_a[i] - in_b[i]); difference > largest) largest = difference;
  if (largest < 0) return std::numeric_limits<double>::quiet_NaN();
  return agreeing_digits(largest, 0, scale);
}

std::vector<double> differences(const MemoryRecorder& a, const MemoryRecorder& b, const ChannelScales& scales,
                                const Equations& equations) {
  std::vector<double> largest(static_cast<std::size_t>(std::min(a.rows(), b.rows())), 0);
  for (const auto* coordinates : {&equations.positions, &equations.velocities})
    for (const Coordinate& coordinate : *coordinates) {
      const std::vector<double> in_a = a.column(coordinate.name), in_b = b.column(coordinate.name);
      const double scale = scales.at(coordinate.name);
      for (std::size_t i = 0; i < largest.size() && i < in_b.size(); ++i)
        largest[i] = std::max(largest[i], std::abs(in_a[i] - in_b[i]) / scale);
    }
  return largest;
}

}  // namespace armature::internal
