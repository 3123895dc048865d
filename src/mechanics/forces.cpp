// Forces: each element states its force, its energy and the power it loses.
#include <cmath>

#include "mechanics/mechanism.hpp"

namespace armature {

// f += J' effort with J = d(rate)/dv, structural zeros left out.
void Mechanism::apply(Expression effort, Expression rate) {
  if (effort.is(0) || rate.is_constant()) return;
  for (std::int32_t leaf : leaves_of(rate))
    for (std::size_t k = 0; k < applied_.size(); ++k) {
      const Expression& v = k < eq_.v.size() ? eq_.v[k] : virtual_leaves_[virtual_leaves_.size() / 2 + k - eq_.v.size()];
      if (v.id() == leaf) applied_[k] += Derivative({{leaf, 1.0}})(rate) * effort;
    }
}

// T = 1/2 I rate^2 with rate = J v:  M += I J'J,  f -= I J' (dJ/dt v).
void Mechanism::add_inertia(Expression inertia, Expression rate) {
  const std::size_t nv = applied_.size();
  std::vector<std::pair<std::size_t, Expression>> J;
  for (std::size_t k = 0; k < eq_.v.size(); ++k) {
    const Expression entry = Derivative({{eq_.v[k].id(), 1.0}})(rate);
    if (!entry.is(0)) J.emplace_back(k, entry);
  }
  for (const auto& [i, Ji] : J)
    for (const auto& [k, Jk] : J) reflected_[i * nv + k] += inertia * Ji * Jk;
  apply(-(inertia * along_flow_(rate)), rate);
}

void Mechanism::add_coordinate_spring(const JointCoordinate& coordinate, Expression stiffness, Expression damping,
                                      Expression rest) {
  const Expression stretch = coordinate.value - rest;
  apply(-(stiffness * stretch) - damping * coordinate.rate, coordinate.rate);
  eq_.potential += 0.5 * (stiffness * stretch * stretch);
  eq_.dissipation += damping * coordinate.rate * coordinate.rate;
}

// Coulomb: -F sign(rate). At rest the mode of the sign slides, which is stiction.
void Mechanism::add_friction(const JointElement& element, const JointCoordinate& coordinate, const std::string& key) {
  graph_.set_mode_label("friction of " + coordinate.name);
  const Expression F = scalar(element.friction), direction = sign(coordinate.rate);
  const Expression mode = step(coordinate.rate);
  const double ratio = element.breakaway.given() ? scalar(element.breakaway).value() : 1.0;
  if (!(ratio >= 1)) throw FormulaError(element.breakaway.where, key + ": breakaway is 1 or more");
  if (!mode.is_constant() && mode.node().op == Op::mode) graph_.set_breakaway(mode.node().a, ratio);
  apply(-(F * direction), coordinate.rate);
  eq_.dissipation += F * direction * coordinate.rate;
}

// An end stop pushes back with k x + c x' while it is pressed (x > 0) and never pulls.
void Mechanism::add_stop(const JointElement& element, const JointCoordinate& coordinate, double side, const Formula& limit) {
  if (!element.stop_stiffness.given())
    throw FormulaError(limit.where, "an end stop needs a stiffness");
  graph_.set_mode_label("end stop of " + coordinate.name);
  const Expression k = scalar(element.stop_stiffness), c = scalar(element.stop_damping);
  const Expression x = side * (coordinate.value - scalar(limit)), rate = side * coordinate.rate;
  const Expression pressed = step(x);
  const Expression push = select(pressed, max(k * x + c * rate, 0.0), 0.0);
  apply(-push, rate);
  eq_.potential += select(pressed, 0.5 * (k * x * x), 0.0);
  eq_.dissipation += push * rate - select(pressed, k * x * rate, 0.0);
}

void Mechanism::add_joint_elements(const Joint& joint) {
  for (const JointElement& element : joint.elements) {
    const std::string name = element.component.empty() ? joint.name : joint.name + "." + element.component;
    const std::string key = "joints." + name;
    guarded(key, [&] {
      const JointCoordinate& x = coordinate(name, joint.where, key);
      if (element.inertia.given()) add_inertia(scalar(element.inertia), x.rate);
      if (element.damping.given() || element.stiffness.given())
        add_coordinate_spring(x, scalar(element.stiffness), scalar(element.damping), scalar(element.rest));
      if (element.friction.given()) add_friction(element, x, key);
      if (element.lower.given()) add_stop(element, x, -1, element.lower);
      if (element.upper.given()) add_stop(element, x, 1, element.upper);
    });
  }
}

void Mechanism::add_spring(const SpringDamper& spring) {
  const int common = tree_.common_ancestor(link_of(spring.a.body), link_of(spring.b.body));
  const Vec3 gap = pose_of(spring.b, common).p - pose_of(spring.a, common).p;
  const Expression k = scalar(spring.stiffness), c = scalar(spring.damping), rest = scalar(spring.length);
  if (rest.is(0)) {  // no direction is lost when the ends meet
    for (const Expression& part : gap) {
      const Expression rate = along_flow_(part);
      apply(-(k * part) - c * rate, rate);
      eq_.potential += 0.5 * (k * part * part);
      eq_.dissipation += c * rate * rate;
    }
    return;
  }
  const Expression length = norm(gap), rate = along_flow_(length), stretch = length - rest;
  apply(-(k * stretch) - c * rate, rate);
  eq_.potential += 0.5 * (k * stretch * stretch);
  eq_.dissipation += c * rate * rate;
}

void Mechanism::add_body_force(const BodyForce& force) {
  graph_.set_mode_label("force " + force.name);
  const int link = link_of(force.on.body);
  if (link < 0) throw FormulaError(force.where, "acts on the ground, which does not move");
  const Pose X = pose_of(force.on, -1), on_link = pose_of(force.on, link);
  Vec3 F = force.force.given() ? vector(force.force) : Vec3{};
  Vec3 N = force.torque.given() ? vector(force.torque) : Vec3{};
  const Mat3 to_link = force.in_body ? on_link.R : transpose(tree_.pose(link).R);
  const Vec3 f = to_link * F, n = to_link * N;
  tree_[link].force = tree_[link].force + f;
  tree_[link].torque = tree_[link].torque + n + cross(on_link.p, f);
  // power F.v + N.w; w from Rdot R' of the body's axes
  const Vec3 F_ground = force.in_body ? X.R * F : F, N_ground = force.in_body ? X.R * N : N;
  for (int i = 0; i < 3; ++i) {
    if (!F_ground[i].is(0)) eq_.applied_power += F_ground[i] * along_flow_(X.p[i]);
    if (N_ground[i].is(0)) continue;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Expression w = 0.0;
    for (int c = 0; c < 3; ++c) w += along_flow_(X.R(k, c)) * X.R(j, c);
    eq_.applied_power += N_ground[i] * w;
  }
}

void Mechanism::add_effort(const Effort& effort) {
  graph_.set_mode_label("effort " + effort.name);
  const JointCoordinate& x = coordinate(effort.on, effort.where, effort.name);
  const Expression is = scalar(effort.is);
  apply(is, x.rate);
  eq_.applied_power += is * x.rate;
}

void Mechanism::add_forces() {
  guarded("gravity", [&] { if (model_.gravity.given()) gravity_ = vector(model_.gravity); });
  for (const Joint& joint : model_.joints) add_joint_elements(joint);
  for (const CoordinateSpring& spring : model_.coordinate_springs)
    guarded("forces." + spring.name, [&] {
      add_coordinate_spring(coordinate(spring.on, spring.where, spring.name), scalar(spring.stiffness),
                            scalar(spring.damping), scalar(spring.rest));
    });
  for (const SpringDamper& spring : model_.springs) guarded("forces." + spring.name, [&] { add_spring(spring); });
  for (const BodyForce& force : model_.body_forces) guarded("forces." + force.name, [&] { add_body_force(force); });
  for (const Effort& effort : model_.efforts) guarded("forces." + effort.name, [&] { add_effort(effort); });
}

}  // namespace armature
