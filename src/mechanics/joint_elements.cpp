// Forces of a mechanism: what sits on joints, beams and force elements. How force elements act on bodies.
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

Vec3 Mechanism::gap(const Attachment& a, const Attachment& b) {
  const int common = tree_.common_ancestor(link_of(a.body), link_of(b.body));
  return pose_of(b, common).p - pose_of(a, common).p;
}

bool Mechanism::can_move(const Attachment& place) {
  return place_at(place.body, point_of(place), place.where).link >= 0;
}

std::vector<Expression> Mechanism::apply_wrench(const Attachment& place, const Vec3& force, const Vec3& torque,
                                                bool in_body) {
  // onto the link that carries the body, in the link's axes at its origin
  const auto [link, on_link] = place_at(place.body, point_of(place), place.where);
  const Mat3 to_link = in_body ? on_link.R : transpose(tree_.pose(link).R);
  const Vec3 f = to_link * force, n = to_link * torque;
  tree_[link].force = tree_[link].force + f;
  tree_[link].torque = tree_[link].torque + n + cross(on_link.p, f);
  // power F.v + N.w
  const Pose X = pose_of(place, -1);
  const Vec3 F = in_body ? X.R * force : force, N = in_body ? X.R * torque : torque;
  const auto vanishes = [](const Expression& part) { return part.is(0); };
  std::vector<Expression> powers;
  for (int i = 0; i < 3; ++i)
    if (!vanishes(F[i])) powers.push_back(F[i] * along_flow(X.p[i]));
  if (!std::all_of(N.begin(), N.end(), vanishes)) powers.push_back(dot(N, angular_velocity(X.R)));
  return powers;
}

void Mechanism::add_forces() {
  guarded("gravity", [&] {
    if (model_.gravity.given()) gravity_ = vector(model_.gravity);
  });
  for (const Joint& joint : model_.joints) add_joint_elements(joint);
  add_beam_elasticity();
  add_force_elements();
}

}  // namespace armature::internal
