// What force elements between two coordinates share. Such an element acts on  s = a - ratio b,  an angle or a length as a is.
#pragma once

#include <string>

#include "mechanics/builder.hpp"
#include "model/force_element.hpp"
#include "model/read_sections.hpp"

namespace armature::internal {

namespace pair_format {
using namespace keys;
inline constexpr KeySpec between{"between", "[a, b]: two coordinates; it acts on a - ratio b", list, "", "required"};
inline constexpr KeySpec ratio{
    "ratio", "ratio of a to b when both move together; negative: they turn in opposite directions", number, "", "1"};
inline constexpr KeySpec breakaway{"breakaway", "ratio of static to kinetic friction, 1 or more", number, "1", "1",
                                   positive};
}  // namespace pair_format

// Reads `between` and the numbers of the table.
void read_between_coordinates(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading);
// Reads `on` and the numbers of the table.
void read_on_coordinate(const MapReader& map, KeyTable keys, ForceElement& element, Reading& reading);

struct RelativeMotion {
  Expression value, rate;
  bool is_length = false;  // of a
};
RelativeMotion relative_motion(EquationsBuilder& builder, const ForceElement& element);

double breakaway_of(EquationsBuilder& builder, const ForceElement& element);

// A column NAME.part of every run, and a name for definitions and results.
void record_part(EquationsBuilder& builder, const ForceElement& element, const std::string& part,
                 const std::string& unit, Expression value);
void record_effort(EquationsBuilder& builder, const ForceElement& element, bool is_force, Expression effort);

}  // namespace armature::internal
