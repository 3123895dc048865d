// Forces of a mechanism: each element states its force, its energy and the power it loses.
#include "mechanics/mechanism.hpp"

namespace armature::internal {

void Mechanism::add_joint_elements(const Joint& joint) {
  for (const JointElement& element : joint.elements) {
    const std::string name = element.component.empty() ? joint.name : joint.name + "." + element.component;
    const std::string key = "joints." + name;
    guarded(key, [&] {
      const NamedCoordinate& x = coordinate(name, joint.where);
      if (element.inertia.given()) add_inertia(scalar(element.inertia), x.rate);
      if (element.damping.given() || element.stiffness.given())
        add_coordinate_spring(x, scalar(element.stiffness), scalar(element.damping), scalar(element.rest));
      if (element.friction.given()) {
        const double breakaway = element.breakaway.given() ? scalar(element.breakaway).value() : 1.0;
        if (!(breakaway >= 1)) throw FormulaError(element.breakaway.where, "breakaway is 1 or more");
        add_friction(x, scalar(element.friction), breakaway);
      }
      if ((element.lower.given() || element.upper.given()) && !element.stop_stiffness.given())
        throw FormulaError(joint.where, "an end stop needs a stiffness");
      const Expression k = scalar(element.stop_stiffness), c = scalar(element.stop_damping);
      if (element.lower.given()) add_stop(x, -1, scalar(element.lower), k, c);
      if (element.upper.given()) add_stop(x, 1, scalar(element.upper), k, c);
    });
  }
}

void Mechanism::add_spring(const SpringDamper& spring) {
  const int common = tree_.common_ancestor(link_of(spring.a.body), link_of(spring.b.body));
  const Vec3 gap = pose_of(spring.b, common).p - pose_of(spring.a, common).p;
  const Expression k = scalar(spring.stiffness), c = scalar(spring.damping), rest = scalar(spring.length);
  if (rest.is(0)) {  // no direction is lost when the ends meet
    for (const Expression& part : gap) {
      const Expression rate = along_flow(part);
      apply(-(k * part) - c * rate, rate);
      eq_.potential += 0.5 * (k * part * part);
      eq_.elastic += 0.5 * (k * part * part);
      eq_.dissipation += c * rate * rate;
    }
    return;
  }
  const Expression length = norm(gap), rate = along_flow(length), stretch = length - rest;
  apply(-(k * stretch) - c * rate, rate);
  eq_.potential += 0.5 * (k * stretch * stretch);
  eq_.elastic += 0.5 * (k * stretch * stretch);
  eq_.dissipation += c * rate * rate;
}

void Mechanism::add_body_force(const BodyForce& force) {
  graph_.set_mode_label("force " + force.name);
  if (force.on.body == "ground") throw FormulaError(force.where, "acts on the ground, which does not move");
  const auto [link, on_link] = place_at(force.on.body, point_of(force.on), force.on.where);
  if (link < 0) return;  // the body is fixed to the ground: only the reaction of its joint, built apart, sees the force
  const Pose X = pose_of(force.on, -1);
  Vec3 F = force.force.given() ? vector(force.force) : Vec3{};
  Vec3 N = force.torque.given() ? vector(force.torque) : Vec3{};
  const Mat3 to_link = force.in_body ? on_link.R : transpose(tree_.pose(link).R);
  const Vec3 f = to_link * F, n = to_link * N;
  tree_[link].force = tree_[link].force + f;
  tree_[link].torque = tree_[link].torque + n + cross(on_link.p, f);
  // power F.v + N.w
  const Vec3 F_ground = force.in_body ? X.R * F : F, N_ground = force.in_body ? X.R * N : N;
  for (int i = 0; i < 3; ++i)
    if (!F_ground[i].is(0)) eq_.applied_power += F_ground[i] * along_flow(X.p[i]);
  if (force.torque.given()) eq_.applied_power += dot(N_ground, angular_velocity(X.R));
}

void Mechanism::add_forces() {
  guarded("gravity", [&] {
    if (model_.gravity.given()) gravity_ = vector(model_.gravity);
  });
  for (const Joint& joint : model_.joints) add_joint_elements(joint);
  for (const SpringDamper& spring : model_.springs) guarded("forces." + spring.name, [&] { add_spring(spring); });
  for (const BodyForce& force : model_.body_forces) guarded("forces." + force.name, [&] { add_body_force(force); });
  add_beam_elasticity();
  add_coordinate_forces();
}

}  // namespace armature::internal
