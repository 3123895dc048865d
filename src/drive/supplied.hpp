// What feeds a drive: its own terminals, or a supply (supply.cpp) that it shares with others.
#pragma once

#include "mechanics/builder.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

namespace supply_format {
inline constexpr KeySpec key{"supply", "the supply that feeds the drive: an entry of drives of type supply",
                             Holds::text, "", "its own terminals"};
}  // namespace supply_format
void read_supply(const MapReader& map, Drive& drive);

bool is_supplied(const Drive& drive);
bool is_supplied_by(const Drive& drive, const std::string& supply);

// The voltage of the supply; nothing where the drive has none.
std::optional<Expression> supply_voltage(EquationsBuilder& builder, const Drive& drive);
// Counts the power that a drive takes: at its terminals, unless a supply counts it.
void add_electrical_power(EquationsBuilder& builder, const Drive& drive, Expression power);

// x between -bound and bound. what, limit: for events, "its voltage", "the supply's limit".
Expression kept_within(Expression x, Expression bound, const Drive& drive, const std::string& what,
                       const std::string& limit = "its limit");
std::string label_of(const Drive& drive);  // of its comparisons

// Currents that follow at once need whatever voltage they need. A run says where that is more than `bound`.
void watch_voltage(EquationsBuilder& builder, const Drive& drive, Expression voltage_squared, Expression bound);

}  // namespace armature::internal
