// One-sided contact: where the gap, a formula, is negative, it pushes the gap open with  -k gap - c gap'  and never pulls. A cam
// that may lift off, a pin in a slot, a ball on the floor are gaps. Without a stiffness it is rigid (rigid_law.hpp).
#include "force/between_coordinates.hpp"
#include "force/force_kinds.hpp"
#include "force/moving_contact.hpp"
#include "force/rigid_law.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {
namespace {

namespace contact_format {
using namespace keys;
constexpr KeySpec table[] = {
    {"type", "contact", text, "", "required"},
    {"gap", "distance of positions and t; it pushes where this is negative", number, "m", "required", any, moves},
    {"stiffness", "force per penetration; without it the contact is rigid", number, "N/m", "required without restitution", positive},
    {"damping", "force per rate of the penetration", number, "N*s/m", "0", not_negative},
    rigid_format::restitution,
    rigid_format::friction,
    rigid_format::sliding,
    rigid_format::tangential,
};
}  // namespace contact_format

class Contact final : public ForceKind {
 public:
  FormatSection format() const override {
    return {"forces: contact", "contact that pushes and never pulls, where a gap closes", contact_format::table};
  }

  void read(const MapReader& map, ForceElement& contact, Reading& reading) const override {
    read_values(map, contact_format::table, contact);
    check_rigid_law(map, reading);
  }

  void add(EquationsBuilder& builder, const ForceElement& contact) const override {
    builder.graph().set_comparison_label("contact " + contact.name);
    const Formula& gap = contact.values["gap"];
    if (is_rigid(contact))
      return add_rigid_law(builder, contact, {"", builder.scalar(gap), builder.scalar(contact.values["sliding"])});
    const Expression push =
        add_moving_push(builder, -builder.scalar(gap), gap.where, builder.scalar(contact.values["stiffness"]),
                        builder.scalar(contact.values["damping"]));
    record_part(builder, contact, "force", "N", push);
  }
};

}  // namespace

const ForceKind& contact_kind() {
  static const Contact kind;
  return kind;
}

}  // namespace armature::internal
