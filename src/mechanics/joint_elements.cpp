#include "mechanics/joint_elements.hpp"

#include "mechanics/coordinate_forces.hpp"

namespace armature::internal {

namespace {

void add_joint_element(EquationsBuilder& builder, const Joint& joint, const JointElement& element) {
  const auto scalar = [&](const Formula& formula) { return builder.scalar(formula); };
  const NamedCoordinate& x = builder.coordinate(component_name(joint.name, element.component), joint.where);
  if (element.inertia.given()) builder.add_inertia(scalar(element.inertia), x.rate);
  if (element.damping.given() || element.stiffness.given())
    add_coordinate_spring(builder, x, scalar(element.stiffness), scalar(element.damping), scalar(element.rest));
  if (element.friction.given()) {
    const double breakaway = element.breakaway.given() ? scalar(element.breakaway).value() : 1.0;
    if (!(breakaway >= 1)) throw FormulaError(element.breakaway.where, "breakaway is 1 or more");
    add_friction(builder, x, scalar(element.friction), breakaway);
  }
  if ((element.lower.given() || element.upper.given()) && !element.stop_stiffness.given())
    throw FormulaError(joint.where, "an end stop needs a stiffness");
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
