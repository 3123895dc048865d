#include "read/clearance.hpp"

#include <fmt/format.h>

#include <cmath>

#include "force/contact_law.hpp"
#include "force/force_kinds.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_type.hpp"
#include "model/read_sections.hpp"
#include "model/scope.hpp"

namespace armature::internal {
namespace {

namespace clearance_format {
using namespace keys;
constexpr KeySpec size{
    "size",     "clearance: difference of the radii of hole and pin, or distance that a block can move to each side",
    number,     "m",
    "required", positive};
constexpr KeySpec round[] = {size, {"radius", "radius of the pin or ball", number, "m", "required", positive}};
constexpr KeySpec guide[] = {size,
                             {"length", "length of the block, along the axis", number, "m", "required", positive},
                             {"height", "height of the block, across the axis", number, "m", "required", positive}};

// The keys of a joint's clearance and those of the law of contact.
std::vector<KeySpec> with_law(KeyTable own) {
  std::vector<KeySpec> keys(own.begin(), own.end());
  const KeyTable law = contact_law_keys();
  keys.insert(keys.end(), law.begin(), law.end());
  return keys;
}
const std::vector<KeySpec>& keys_of_clearance(bool of_guide) {
  static const std::vector<KeySpec> of_round = with_law(round), of_block = with_law(guide);
  return of_guide ? of_block : of_round;
}
}  // namespace clearance_format

const ForceKind& contact_force_kind() {
  for (const ForceKind* kind : force_kinds())
    if (kind->type() == "contact") return *kind;
  throw std::logic_error("no contacts");
}

class ClearanceReader {
 public:
  ClearanceReader(Joint& joint, const YamlNode& node, Reading& reading)
      : joint_(joint),
        guide_(joint.clearance == JointType::prismatic),
        keys_(clearance_format::keys_of_clearance(guide_)),
        map_(node, keys_, "joints." + joint.name + ".clearance", reading),
        reading_(reading) {}

  void read() {
    for (const char* key : {"size", "radius", "length", "height"})
      if (find_key(keys_, key)) sizes_[key] = map_.formula(key);
    for (const auto& [key, size] : sizes_)
      if (!size.given()) return;
    if (guide_)
      add_guide();
    else
      add_round(joint_.clearance == JointType::spherical ? SurfaceKind::sphere : SurfaceKind::circle);
  }

 private:
  ContactSurface surface(SurfaceKind kind, const Attachment& at) const {
    ContactSurface result;
    result.kind = kind, result.where = joint_.where, result.at = at;
    return result;
  }

  void add_round(SurfaceKind kind) {
    const Formula radius = sizes_["radius"];
    ContactSurface hole = surface(kind, joint_.a), pin = surface(kind, joint_.b);
    hole.radius = radius + sizes_["size"], pin.radius = radius;
    hole.inside = true;
    add(joint_.name + "_contact", hole, pin);
  }

  // Corners of the block against the two walls: e along the axis, n across it.
  void add_guide() {
    const std::array<double, 3> e = direction(joint_.axis_a);
    joint_.axis_a = plane_normal(reading_.model.plane, joint_.where);  // of the planar joint that it is now
    int corner = 0;
    for (const double side : {1.0, -1.0})
      for (const double end : {1.0, -1.0}) {
        ContactSurface wall = surface(SurfaceKind::plane, moved(joint_.a, 0, side, e, true));
        std::vector<Formula> inward;
        for (const double x : across(e)) inward.push_back(number_formula(-side * x));
        wall.axis = list_formula(inward, joint_.where);
        const ContactSurface point = surface(SurfaceKind::point, moved(joint_.b, end, side, e, false));
        add(fmt::format("{}_contact{}", joint_.name, ++corner), wall, point);
      }
  }

  std::array<double, 3> across(const std::array<double, 3>& e) const {
    const std::string& plane = reading_.model.plane;
    const std::size_t n = plane == "yz" ? 0 : plane == "xz" ? 1 : 2, i = (n + 1) % 3, j = (n + 2) % 3;
    std::array<double, 3> result{};
    result[i] = -e[j], result[j] = e[i];
    return result;
  }

  // A unit vector: it has no parameters that could change.
  std::array<double, 3> direction(const Formula& axis) {
    try {
      std::array<double, 3> e = evaluate_constant_vector(axis, reading_.model);
      const double length = std::hypot(e[0], e[1], e[2]);
      for (double& x : e) x /= length > 0 ? length : 1;
      return e;
    } catch (const FormulaError& error) {
      reading_.diagnostics.add(axis.where, "joints." + joint_.name + ".axis", error.what());
      return {};
    }
  }

  // A place moved by half the length along the axis and half the height across it, and by the play.
  Attachment moved(const Attachment& from, double end, double side, const std::array<double, 3>& e, bool with_play) {
    const Formula height = with_play ? sizes_["height"] + 2.0 * sizes_["size"] : sizes_["height"];
    const std::array<double, 3> n = across(e);
    std::vector<Formula> entries;
    for (std::size_t k = 0; k < 3; ++k) {
      entries.push_back((0.5 * end * e[k]) * sizes_["length"] + (0.5 * side * n[k]) * height);
      if (from.at.given()) entries.back() = entries.back() + component(from.at, k == 0 ? "x" : k == 1 ? "y" : "z");
    }
    return {from.body, list_formula(entries, from.where), from.where};
  }

  void add(const std::string& name, const ContactSurface& a, const ContactSurface& b) {
    ForceElement contact;
    contact.name = name, contact.where = joint_.where, contact.kind = &contact_force_kind();
    reading_.take_name(name, "contact of a joint with clearance", joint_.where, "joints." + joint_.name + ".clearance");
    read_contact_law(map_, contact_law_keys(), contact, reading_);
    contact.places = {a.at, b.at};
    contact.surfaces = {a, b};
    reading_.model.forces.push_back(std::move(contact));
  }

  Joint& joint_;
  bool guide_;
  KeyTable keys_;
  MapReader map_;
  Reading& reading_;
  std::map<std::string, Formula> sizes_;
};

}  // namespace

void read_clearances(Reading& reading) {
  for (const auto& [name, node] : reading.clearances)
    for (Joint& joint : reading.model.joints)
      if (joint.name == name) ClearanceReader(joint, node, reading).read();
}

std::vector<FormatSection> clearance_sections() {
  return {{"clearance",
           "clearance of a revolute joint (planar models) or of a spherical joint: a pin in a hole, a ball in a socket",
           clearance_format::keys_of_clearance(false)},
          {"clearance: prismatic", "clearance of a prismatic joint (planar models): a block between two walls",
           clearance_format::keys_of_clearance(true)}};
}

}  // namespace armature::internal
