// A surface of a body where others may touch it: what a contact, a rolling constraint or a joint with clearance is between. It is
// written by its shape, its place and its sizes, {sphere: ball, radius: 20 mm}; a place alone is a point.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/item.hpp"

namespace armature::internal {

struct YamlNode;

enum class SurfaceKind { point, sphere, circle, arc, cylinder, plane, capsule, slot, cam };

struct ContactSurface {
  SurfaceKind kind = SurfaceKind::point;
  Location where;
  Attachment at;     // center; of a plane any of its points; of a capsule or slot what `from` and `to` are counted from
  Formula radius;    // m; of a slot half its width
  Formula axis;      // vector: of a circle in space or a cylinder; normal of a plane, towards the free side
  Formula length;    // of a cylinder that stands on a plane, m
  Formula from, to;  // ends of the center line of a capsule or slot, vectors, m; or angles of an arc
  Formula profile;   // of a cam: radius, m, over `angle`
  bool inside = false;  // the free side is inside: a hole, a ring, a bowl, a tube
};

// The word of the file: "sphere".
const char* word_of(SurfaceKind kind);
// "the sphere on ball": for messages.
std::string in_words(const ContactSurface& surface);

// The name that stands for the polar angle in the profile of a cam.
inline constexpr const char* cam_angle = "angle";

std::optional<ContactSurface> read_surface(const YamlNode& node, const std::string& path, Reading& reading);
// The two surfaces of between: [a, b]; nothing, and a report, where something is wrong with them.
std::optional<std::pair<ContactSurface, ContactSurface>> read_surfaces(const MapReader& map, Reading& reading);

// The keys of each shape, for the reference of the format.
std::vector<FormatSection> surface_sections();

}  // namespace armature::internal
