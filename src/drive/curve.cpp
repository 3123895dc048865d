#include "drive/curve.hpp"

#include <fmt/format.h>

namespace armature::internal {

namespace {

std::string curve_name(const Drive& drive, const std::string& key) { return drive.name + "." + key; }

std::vector<double> read_curve_list(const MapReader& map, const KeySpec& spec, Reading& reading) {
  const std::string key(spec.name);
  const YamlNode* node = map.find(key);
  if (!node) return {};
  if (!node->is_list()) {
    reading.diagnostics.add(node->where, map.path(key), "expected a list of numbers");
    return {};
  }
  KeySpec of_one = spec;
  of_one.holds = Holds::number;
  std::vector<double> numbers;
  for (const YamlNode& item : node->items)
    if (const auto number = read_constant(item, map.path(key), of_one, reading)) numbers.push_back(*number);
  return numbers;
}

std::string fault_of_curve(KeyTable table, const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    return fmt::format("{} has {} values, but {} has {}", table[0].name, x.size(), table[1].name, y.size());
  if (x.size() < 2) return "a curve needs two points at least";
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1])) return fmt::format("{} must increase, but {} follows {}", table[0].name, x[i], x[i - 1]);
  return "";
}

}  // namespace

void read_curve(const MapReader& map, const std::string& key, KeyTable table, const Drive& drive, Reading& reading) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  const MapReader curve(*node, table, map.path(key), reading);
  const std::vector<double> x = read_curve_list(curve, table[0], reading),
                            y = read_curve_list(curve, table[1], reading);
  if (!reading.diagnostics.empty()) return;
  if (const std::string fault = fault_of_curve(table, x, y); !fault.empty())
    return reading.diagnostics.add(node->where, map.path(key), fault);
  reading.model.tables[curve_name(drive, key)] = std::make_shared<const Table>(Table::linear(x, y));
}

std::shared_ptr<const Table> find_curve(const Model& model, const Drive& drive, const std::string& key) {
  const auto found = model.tables.find(curve_name(drive, key));
  return found == model.tables.end() ? nullptr : found->second;
}

}  // namespace armature::internal
