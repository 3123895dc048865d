// What the reader, the format reference and the pages know of each type of joint (joints.def), as plain data.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/format_keys.hpp"

namespace armature::internal {

enum class JointType : int;  // joint_type.hpp

struct JointWords {
  enum Measure { angle, length, quaternion };  // a quaternion is four coordinates and three velocities
  enum Along {
    own_axis,
    second_axis,
    across,
    third,
    x,
    y,
    z
  };  // across: perpendicular to the axis; third: axis × across
  struct Coordinate {
    const char* name = nullptr;  // "" for a joint of one coordinate; null: there is none
    Measure measure = angle;
    Along along = own_axis;  // the direction in which b moves, or about which it turns; not of a quaternion
  };

  std::string_view name;  // as in the file
  std::string_view what;  // what it leaves free
  Coordinate coordinates[7] = {};
  int axes = 1;               // that the file gives: 1 axis, in either body's axes; 2, one of each body; or none
  bool about_normal = false;  // in a planar model its axis is the normal of the plane, unless the file gives another
  std::string_view glyph = "ball";  // drawn as a pin, ball, slider, screw or weld; "": not at all
  // Its name in robot formats; "": they have none, and where the format allows it, one simple joint per coordinate is written.
  std::string_view urdf = "", urdf_loop = "", sdf = "";
  int shared_points =
      0;  // of both bodies that coincide and say it all, by which MJCF closes a loop: 3: they are welded
  bool advances = false;  // along its axis while it turns, by its first own key per turn
  KeySpec keys[2] = {};   // of this type alone, each one a number; without a name: none

  int own_keys() const {
    int count = 0;
    for (const KeySpec& key : keys) count += !key.name.empty();
    return count;
  }
  int freedoms() const {
    int quarters = 0;  // a quaternion has three freedoms for its four coordinates
    for (const Coordinate& coordinate : coordinates)
      if (coordinate.name) quarters += coordinate.measure == quaternion ? 3 : 4;
    return quarters / 4;
  }
  int slides() const {
    int count = 0;
    for (const Coordinate& coordinate : coordinates) count += coordinate.name && coordinate.measure == length;
    return count;
  }
  bool has_ball() const {
    for (const Coordinate& coordinate : coordinates)
      if (coordinate.name && coordinate.measure == quaternion) return true;
    return false;
  }
  bool turns() const { return freedoms() > slides(); }
  bool along_axis() const {  // all of it
    for (const Coordinate& coordinate : coordinates)
      if (coordinate.name && (coordinate.measure == quaternion || coordinate.along != own_axis)) return false;
    return true;
  }
};

std::span<const JointWords> joint_words();  // in the order of JointType
const JointWords& words_of(JointType type);
std::string section_of(const JointWords& words);  // of the format, that has its keys: "joints: one axis"
std::string quaternion_prefix(JointType type);    // what its four coordinates w, x, y, z begin with: "." or ".q"

}  // namespace armature::internal
