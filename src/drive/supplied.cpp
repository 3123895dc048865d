#include "drive/supplied.hpp"

#include <algorithm>

#include "model/diagnostics.hpp"
#include "model/formula_tree.hpp"

namespace armature::internal {

void read_supply(const MapReader& map, Drive& drive) {
  if (const auto name = map.text("supply"); name && map.has("supply"))
    drive.values.set("supply", name_formula(*name + ".voltage", map.find("supply")->where));
}

bool is_supplied(const Drive& drive) { return drive.values["supply"].given(); }

bool is_supplied_by(const Drive& drive, const std::string& supply) {
  return is_supplied(drive) && drive.values["supply"].root->name == supply + ".voltage";
}

std::optional<Expression> supply_voltage(EquationsBuilder& builder, const Drive& drive) {
  if (!is_supplied(drive)) return std::nullopt;
  const auto feeds = [&](const Drive& other) { return other.on.empty() && is_supplied_by(drive, other.name); };
  if (std::ranges::any_of(builder.model().drives, feeds)) return builder.scalar(drive.values["supply"]);
  const std::string& signal = drive.values["supply"].root->name;
  throw FormulaError(drive.values["supply"].where,
                     "there is no supply '" + signal.substr(0, signal.find('.')) + "' among the drives");
}

void add_electrical_power(EquationsBuilder& builder, const Drive& drive, Expression power) {
  if (!supply_voltage(builder, drive)) builder.equations().electrical += power;
}

std::string label_of(const Drive& drive) { return "drive " + drive.name; }

Expression kept_within(Expression x, Expression bound, const Drive& drive, const std::string& what,
                       const std::string& limit) {
  const std::string subject = label_of(drive);
  const Expression lower = -bound, below = min(x, bound);
  said(unit_step(x - bound), subject,
       {.rises = what + " reaches " + limit, .falls = what + " leaves " + limit, .subject = subject});
  said(unit_step(below - lower), subject,
       {.rises = what + " leaves the negative of " + limit,
        .falls = what + " reaches the negative of " + limit,
        .subject = subject});
  return max(below, lower);
}

void watch_voltage(EquationsBuilder& builder, const Drive& drive, Expression voltage_squared, Expression bound) {
  constexpr double just = 1 + 1e-6;  // at the bound, but for what steps err by
  builder.equations().watched.push_back(
      {"drives." + drive.name, drive.where, sqrt(just * bound * bound - voltage_squared),
       "needs more voltage for its current than there is; drive it by a voltage, or limit the command"});
}

}  // namespace armature::internal
