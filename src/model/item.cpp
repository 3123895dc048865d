#include "model/item.hpp"

#include "model/map_reader.hpp"
#include "model/yaml_repair.hpp"

namespace armature::internal {
namespace {

bool holds_numbers(const KeySpec& spec) {
  return spec.holds == Holds::number || spec.holds == Holds::vector || spec.holds == Holds::any_value;
}

}  // namespace

const Formula& Values::operator[](std::string_view key) const {
  static const Formula missing;
  const auto found = formulas_.find(key);
  return found == formulas_.end() ? missing : found->second;
}

void Values::set(std::string_view key, Formula formula) {
  formulas_.insert_or_assign(std::string(key), std::move(formula));
}

std::string ItemKind::type() const {
  const std::string_view name = format().name;
  return std::string(name.substr(name.find(": ") + 2));
}

void read_values(const MapReader& map, KeyTable keys, Item& item, bool of_length) {
  for (const KeySpec& spec : keys)
    if (holds_numbers(spec)) item.values.set(spec.name, map.formula(std::string(spec.name), of_length));
}

void read_values_of(const MapReader& map, const std::string& key, KeyTable keys, Item& item, Reading& reading) {
  const YamlNode* node = map.find(key);
  if (!node) return;
  const MapReader inner(*node, keys, map.path(key), reading);
  for (const KeySpec& spec : keys)
    if (holds_numbers(spec))
      item.values.set(dotted(key, std::string(spec.name)), inner.formula(std::string(spec.name)));
}

}  // namespace armature::internal
