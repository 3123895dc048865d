#include "mechanics/joint_elements.hpp"

#include "mechanics/coordinate_forces.hpp"
#include "mechanics/rigid_contact.hpp"

namespace armature::internal {

namespace {

void add_rigid_stop(EquationsBuilder& builder, const Joint& joint, const JointElement& element,
                    const NamedCoordinate& x, const char* side, Expression gap) {
  ContactLaw law{x.name + "." + side, std::string(side) + " stop of " + x.name, x.unit, joint.where, gap};
  law.restitution = builder.scalar(element.stop_restitution);
  builder.require_not_negative(1.0 - law.restitution, element.stop_restitution.where,
                               "restitution is 1 or less: no impact adds energy");
  const RigidContact added = add_rigid_contact(builder, law);
  builder.equations().quantities.push_back(
      {law.name + (x.unit == "m" ? ".force" : ".torque"), x.unit == "m" ? "N" : "N m", added.force});
}

void add_rigid_stops(EquationsBuilder& builder, const Joint& joint, const JointElement& element,
                     const NamedCoordinate& x) {
  if (element.lower.given())
    add_rigid_stop(builder, joint, element, x, "lower", x.value - builder.scalar(element.lower));
  if (element.upper.given())
    add_rigid_stop(builder, joint, element, x, "upper", builder.scalar(element.upper) - x.value);
}

void add_joint_element(EquationsBuilder& builder, const Joint& joint, const JointElement& element) {
  const auto scalar = [&](const Formula& formula) { return builder.scalar(formula); };
  const NamedCoordinate& x = builder.coordinate(component_name(joint.name, element.component), joint.where);
  if (element.inertia.given()) builder.add_inertia(scalar(element.inertia), x.rate);
  if (element.damping.given() || element.stiffness.given())
    add_coordinate_spring(builder, x, scalar(element.stiffness), scalar(element.damping), scalar(element.rest));
  if (element.friction.given()) {
    add_friction(builder, x, scalar(element.friction), breakaway_of(builder, element.breakaway), "joint " + x.name);
  }
  if (element.lower.given() && element.upper.given())
    builder.require_positive(scalar(element.upper) - scalar(element.lower), element.lower.where,
                             "lower must be below upper");
  if (element.stop_restitution.given()) return add_rigid_stops(builder, joint, element, x);
  if ((element.lower.given() || element.upper.given()) && !element.stop_stiffness.given())
    throw FormulaError(joint.where, "an end stop needs a stiffness, or the restitution of a rigid one");
  const Expression k = scalar(element.stop_stiffness), c = scalar(element.stop_damping);
  if (element.lower.given()) add_stop(builder, x, -1, scalar(element.lower), k, c);
  if (element.upper.given()) add_stop(builder, x, 1, scalar(element.upper), k, c);
}

}  // namespace

void add_joint_elements(EquationsBuilder& builder) {
  for (const Joint& joint : builder.model().joints)
    for (const JointElement& element : joint.elements)
      builder.guarded("joints." + component_name(joint.name, element.component),
                      [&] { add_joint_element(builder, joint, element); });
}

}  // namespace armature::internal
