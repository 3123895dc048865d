#include "force/rigid_law.hpp"

#include "force/between_coordinates.hpp"
#include "mechanics/rigid_contact.hpp"
#include "model/map_reader.hpp"

namespace armature::internal {

namespace {

Expression share(EquationsBuilder& builder, const ForceElement& contact, const char* key) {
  const Formula& formula = contact.values[key];
  const Expression value = builder.scalar(formula);
  builder.require_not_negative(1.0 - value, formula.where, std::string(key) + " is 1 or less: no impact adds energy");
  return value;
}

}  // namespace

bool is_rigid(const MapReader& map) {
  return map.has("restitution") && !map.has("stiffness") && !map.has("hertz") && !map.has("law");
}
bool is_rigid(const ForceElement& contact) {
  return contact.values["restitution"].given() && !contact.values["stiffness"].given() &&
         !contact.values["hertz.youngs_modulus"].given();
}

void check_rigid_law(const MapReader& map, Reading& reading) {
  const auto report = [&](const char* key, const char* message) {
    const YamlNode* node = map.find(key);
    reading.diagnostics.add(node ? node->where : map.where(), map.path(key), message);
  };
  if (map.has("damping"))
    report("damping", "belongs to a contact with a stiffness; rigid surfaces lose energy by their restitution");
  for (const char* key : {"exponent", "impact_speed", "creep", "breakaway"})
    if (map.has(key)) report(key, "belongs to a contact with a stiffness");
  if (map.has("gap") && map.has("friction") && !map.has("sliding"))
    report("sliding", "is missing: the velocity against which friction acts, such as tip.x'");
  if (map.has("sliding") && !map.has("friction"))
    report("friction", "is missing: the coefficient of friction along 'sliding'");
  if (map.has("tangential_restitution") && !map.has("friction"))
    report("tangential_restitution", "needs friction, which reverses the sliding");
}

void add_rigid_law(EquationsBuilder& builder, const ForceElement& contact, const RigidPlace& at) {
  const std::string name = contact.name + at.suffix;
  ContactLaw law{name, "contact " + name, "m", contact.where, at.gap};
  law.restitution = share(builder, contact, "restitution");
  const bool rough = contact.values["friction"].given() && !at.sliding.is_constant();
  if (rough) {
    law.sliding = at.sliding, law.second = at.second;
    law.friction = builder.scalar(contact.values["friction"]);
    law.tangential_restitution = share(builder, contact, "tangential_restitution");
  }
  const RigidContact added = add_rigid_contact(builder, law);
  const auto record = [&](const char* part, const char* unit, Expression value) {
    record_part(builder, contact, part + at.suffix, unit, value);
  };
  record("gap", "m", at.gap);
  record("force", "N", added.force);
  if (!rough) return;
  const bool plane = at.second.is_constant();
  const auto length = [](Expression x, Expression y) { return sqrt(square(x) + square(y)); };
  record("friction", "N", plane ? added.tangential_force : length(added.tangential_force, added.second_force));
  record("sliding", "m/s", plane ? at.sliding : length(at.sliding, at.second));
}

}  // namespace armature::internal
