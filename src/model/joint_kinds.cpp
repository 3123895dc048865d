#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace joint_rows {

constexpr auto angle = JointWords::angle, length = JointWords::length, quaternion = JointWords::quaternion;
constexpr auto second_axis = JointWords::second_axis, across = JointWords::across, third = JointWords::third,
               x = JointWords::x, y = JointWords::y, z = JointWords::z;

constexpr JointWords all[] = {
#define JOINT(word, ...) JointWords{.name = #word, __VA_ARGS__},
#include "model/joints.def"
#undef JOINT
};

}  // namespace joint_rows

std::span<const JointWords> joint_words() { return joint_rows::all; }

const JointWords& words_of(JointType type) { return joint_rows::all[static_cast<std::size_t>(type)]; }

std::string section_of(const JointWords& words) {
  if (words.own_keys() > 0) return "joints: " + std::string(words.name);
  return words.axes == 2 ? "joints: two axes" : words.axes == 1 ? "joints: one axis" : "joints: no axis";
}

std::string quaternion_prefix(JointType type) {
  for (const JointWords::Coordinate& coordinate : words_of(type).coordinates)
    if (coordinate.name && coordinate.measure == JointWords::quaternion)
      return "." + std::string(coordinate.name, std::string_view(coordinate.name).size() - 1);
  return "";
}

}  // namespace armature::internal
