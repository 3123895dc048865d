// A force element of the file (`forces`), and what its kind knows about it: force, energy and power are in one function of the
// kind's file, with the keys and the drawing hint beside it. The kinds are listed in force/force_kinds.cpp.
#pragma once

#include "model/contact_surface.hpp"
#include "model/item.hpp"

namespace armature::internal {

class ForceKind;

struct ForceElement : Item {
  const ForceKind* kind = nullptr;
  std::vector<Attachment> places;        // on bodies or on the ground: where it acts
  std::vector<std::string> on;           // coordinates on which it acts
  std::vector<ContactSurface> surfaces;  // two that may touch
  std::string word;                      // of a key with words, where the kind has one
  bool in_body = false;                  // a vector along the body's axes instead of the ground's
};

class ForceKind : public ItemKind {
 public:
  virtual void read(const MapReader& map, ForceElement& element, Reading& reading) const = 0;
  // Adds its force, its energy and the power that it gives or loses.
  virtual void add(EquationsBuilder& builder, const ForceElement& element) const = 0;
  // The key whose formula drives the coordinate, as an input does; empty: it is passive.
  virtual std::string_view input() const { return ""; }
  // What the report draws from place to place: "spring" or "distance", a line; empty: nothing.
  virtual std::string_view drawing() const { return ""; }
};

}  // namespace armature::internal
