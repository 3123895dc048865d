// The same machine, written differently: in other units, in a turned, mirrored and shifted world, with its parts in another
// order. Nothing that happens may depend on any of this.
//
//   vectors of bodies    p -> L Q p            (frames of bodies turn with the world, so joint values stay)
//   axes of rotation     a -> det(Q) Q a       (a mirror turns their sense round)
//   places on the ground p -> L Q p + shift
//   scalars              s -> L^a M^b T^c s    with the exponents of their unit
//
// A user's formula knows nothing of units. What it reads is converted back, and what it gives is converted forth:
// f(x) -> L^a M^b T^c f(x/L), so that no number in the file has to be understood.
#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/model.hpp"

namespace armature {

struct Transformation {
  double length = 1, mass = 1, time = 1;  // how many new units make an old one
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();
  Eigen::Vector3d shift = Eigen::Vector3d::Zero();  // in new units
  std::optional<unsigned> shuffle;  // seed of another order of bodies, joints, points, forces and drives
};

class TransformedModel {
 public:
  TransformedModel(const Model& model, const Transformation& to) : model_(model), to_(to) {
    for (const NamedComponent& coordinate : coordinates_of(model))
      is_length_[coordinate.name] = coordinate.component.is_length;
    for (const NamedPoint& point : model.points) places_.push_back(point.name);
    for (const Body& body : model.bodies) {
      places_.push_back(body.name);
      for (const NamedPoint& point : body.points) places_.push_back(body.name + "." + point.name);
    }
  }

  Model run() {
    vector(model_.gravity, 1, 0, -2);
    for (auto& [name, formula] : model_.definitions) read(formula);
    for (Body& body : model_.bodies) transform(body);
    for (NamedPoint& point : model_.points) place("ground", point.at);
    for (Joint& joint : model_.joints) transform(joint);
    for (DistanceConstraint& distance : model_.distances) transform(distance);
    for (PrescribedConstraint& constraint : model_.prescribed) read(constraint.zero);
    for (SpringDamper& spring : model_.springs) transform(spring);
    for (Effort& effort : model_.efforts) this->effort(effort.is, length_of(effort.on));
    for (DcMotor& motor : model_.motors) transform(motor);
    for (Controller& controller : model_.controllers) transform(controller);
    for (auto* entries : {&model_.start.keep, &model_.start.near})
      for (StartEntry& entry : *entries) transform(entry, 0);
    for (auto* entries : {&model_.start.speed_keep, &model_.start.speed_near})
      for (StartEntry& entry : *entries) transform(entry, -1);
    for (auto& [name, formula] : model_.record.events) read(formula);
    for (auto& [name, formula] : model_.record.quantities) read(formula);
    transform(model_.simulate);
    if (to_.shuffle) shuffle();
    return model_;
  }

 private:
  using Kind = Syntax::Kind;
  using Tree = std::shared_ptr<const Syntax>;

  double factor(int length, int mass, int time) const {
    return std::pow(to_.length, length) * std::pow(to_.mass, mass) * std::pow(to_.time, time);
  }

  // What a formula reads, in old units and along old axes.
  Tree reading(const Tree& tree) const {
    if (tree->kind == Kind::name) return name(tree);
    auto copy = std::make_shared<Syntax>(*tree);
    for (Tree& child : copy->children) child = reading(child);
    return copy->kind == Kind::prime ? times(to_.time, copy) : copy;
  }

  Tree name(const Tree& tree) const {
    if (tree->name == "t") return times(1 / to_.time, tree);
    if (const auto found = is_length_.find(tree->name); found != is_length_.end())
      return found->second ? times(1 / to_.length, tree) : tree;
    if (is_place(tree->name)) return old_place(tree);
    const std::size_t dot = tree->name.rfind('.');
    if (dot == std::string::npos || !is_place(tree->name.substr(0, dot))) return tree;
    const Formula place = name_formula(tree->name.substr(0, dot), tree->where);
    return component({place.text, place.where, old_place(place.root)}, tree->name.substr(dot + 1).c_str()).root;
  }

  bool is_place(const std::string& name) const { return std::ranges::find(places_, name) != places_.end(); }

  // Q' (p - shift)/L
  Tree old_place(const Tree& tree) const {
    const Formula place{tree->name, tree->where, tree};
    const Formula shifted = place - constant(to_.shift);
    return (turned(shifted, to_.turn.transpose() / to_.length)).root;
  }

  static Formula constant(const Eigen::Vector3d& v) {
    return list_formula({number_formula(v.x()), number_formula(v.y()), number_formula(v.z())}, {});
  }

  static Tree times(double value, const Tree& tree) { return value == 1 ? tree : (value * Formula{"", {}, tree}).root; }

  // A v, without terms that vanish: a planar machine stays planar to the last bit.
  static Formula turned(const Formula& v, const Eigen::Matrix3d& A) {
    const char* axis[] = {"x", "y", "z"};
    std::vector<Formula> entries;
    for (int i = 0; i < 3; ++i) {
      Formula sum;
      for (int j = 0; j < 3; ++j) {
        if (A(i, j) == 0) continue;
        const Formula part = A(i, j) == 1 ? component(v, axis[j]) : A(i, j) * component(v, axis[j]);
        sum = sum.given() ? sum + part : part;
      }
      entries.push_back(sum.given() ? sum : number_formula(0));
    }
    return list_formula(entries, v.where);
  }

  void read(Formula& formula) const {
    if (formula.given()) formula.root = reading(formula.root);
  }

  void scalar(Formula& formula, int length, int mass, int time) const {
    read(formula);
    if (formula.given() && factor(length, mass, time) != 1) formula = factor(length, mass, time) * formula;
  }

  void vector(Formula& formula, int length, int mass, int time) const {
    read(formula);
    if (formula.given()) formula = turned(formula, factor(length, mass, time) * to_.turn);
  }
  void axis(Formula& formula) const { vector(formula, 0, 0, 0); }
  bool mirrored() const { return to_.turn.determinant() < 0; }
  void axis_of_rotation(Formula& formula) const {
    axis(formula);
    if (mirrored() && formula.given()) formula = -1 * formula;
  }

  void place(const std::string& body, Formula& at) const {
    vector(at, 1, 0, 0);
    if (body != "ground" || to_.shift.isZero(0)) return;
    at = at.given() ? at + constant(to_.shift) : constant(to_.shift);
  }
  void place(Attachment& attachment) const { place(attachment.body, attachment.at); }

  bool length_of(const std::string& coordinate) const { return is_length_.at(coordinate); }
  void effort(Formula& formula, bool on_length) const { scalar(formula, on_length ? 1 : 2, 1, -2); }
  void per_motion(Formula& formula, bool of_length, int time) const { scalar(formula, of_length ? 0 : 2, 1, time); }

  void transform(Body& body) const {
    body.shapes.clear();
    scalar(body.mass, 0, 1, 0);
    vector(body.center, 1, 0, 0);
    transform(body.inertia);
    for (NamedPoint& point : body.points) vector(point.at, 1, 0, 0);
  }

  // Q I Q'; of a planar body only the moment about the normal may be given, which stays.
  void transform(Inertia& inertia) const {
    Formula* entry[3][3] = {{&inertia.xx, &inertia.xy, &inertia.xz},
                            {&inertia.xy, &inertia.yy, &inertia.yz},
                            {&inertia.xz, &inertia.yz, &inertia.zz}};
    for (Formula* formula : {&inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz})
      scalar(*formula, 2, 1, 0);
    if (!inertia.xx.given() || to_.turn.isIdentity(0)) return;
    const Inertia before = inertia;
    const Formula old[3][3] = {
        {before.xx, before.xy, before.xz}, {before.xy, before.yy, before.yz}, {before.xz, before.yz, before.zz}};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        Formula sum = number_formula(0);
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            if (old[k][l].given()) sum = sum + (to_.turn(i, k) * to_.turn(j, l)) * old[k][l];
        *entry[i][j] = sum;
      }
  }

  void transform(Joint& joint) const {
    place(joint.a), place(joint.b);
    if (joint.type == JointType::revolute || joint.type == JointType::universal) {
      if (mirrored() && !joint.axis_a.given()) joint.axis_a = constant({0, 0, 1});
      axis_of_rotation(joint.axis_a), axis_of_rotation(joint.axis_b);
    } else {
      axis(joint.axis_a), axis(joint.axis_b);
    }
    for (JointElement& element : joint.elements) {
      const bool slides = length_of(element.component.empty() ? joint.name : joint.name + "." + element.component);
      per_motion(element.inertia, slides, 0);
      for (Formula* damping : {&element.damping, &element.stop_damping}) per_motion(*damping, slides, -1);
      for (Formula* stiffness : {&element.stiffness, &element.stop_stiffness}) per_motion(*stiffness, slides, -2);
      effort(element.friction, slides);
      for (Formula* value : {&element.rest, &element.lower, &element.upper}) scalar(*value, slides ? 1 : 0, 0, 0);
    }
  }

  void transform(DistanceConstraint& distance) const {
    place(distance.a), place(distance.b);
    scalar(distance.length, 1, 0, 0);
  }

  void transform(SpringDamper& spring) const {
    place(spring.a), place(spring.b);
    scalar(spring.stiffness, 0, 1, -2);
    scalar(spring.damping, 0, 1, -1);
    scalar(spring.length, 1, 0, 0);
  }

  // The unit of current stays.
  void transform(DcMotor& motor) const {
    const bool slides = length_of(motor.on);
    for (Formula* volts : {&motor.voltage, &motor.voltage_limit, &motor.resistance}) scalar(*volts, 2, 1, -3);
    for (Formula* flux : {&motor.torque_constant, &motor.back_emf_constant, &motor.inductance, &motor.coulomb_friction})
      scalar(*flux, 2, 1, -2);
    effort(motor.torque, slides);
    read(motor.current);
    scalar(motor.rotor_inertia, 2, 1, 0);
    scalar(motor.viscous_friction, 2, 1, -1);
    scalar(motor.radius, 1, 0, 0);
    scalar(motor.speed_limit, 0, 0, -1);
    axis_of_rotation(motor.spins_about);
  }

  // A controller works in old units: only time reaches it from outside.
  void transform(Controller& controller) const {
    for (Formula* formula : {&controller.is, &controller.measure, &controller.target, &controller.kp, &controller.lower,
                             &controller.upper})
      read(*formula);
    scalar(controller.ki, 0, 0, -1);
    for (Formula* time : {&controller.kd, &controller.period, &controller.delay, &controller.tracking_time})
      scalar(*time, 0, 0, 1);
  }

  void transform(StartEntry& entry, int time) const {
    const auto coordinate = is_length_.find(entry.name);
    if (coordinate != is_length_.end())
      scalar(entry.value, coordinate->second ? 1 : 0, 0, time);
    else if (is_place(entry.name))
      time ? vector(entry.value, 1, 0, time) : place(entry.value.given() ? "ground" : "", entry.value);
    if (entry.at.given()) place("ground", entry.at);
    if (entry.angle.given() && !entry.axis.given()) entry.axis = constant({0, 0, 1});
    axis_of_rotation(entry.axis);
    vector(entry.velocity, 1, 0, -1);
    vector(entry.spin, 0, 0, -1);
    if (mirrored() && entry.spin.given()) entry.spin = -1 * entry.spin;
  }

  void transform(SimulateOptions& options) const {
    options.end *= to_.time;
    for (std::optional<double>* time : {&options.record, &options.step, &options.max_step})
      if (*time) **time *= to_.time;
    if (options.alpha) *options.alpha /= to_.time;
    if (options.beta) *options.beta /= to_.time * to_.time;
  }

  void shuffle() {
    std::mt19937 generator(*to_.shuffle);
    const auto mix = [&](auto& list) { std::shuffle(list.begin(), list.end(), generator); };
    mix(model_.bodies), mix(model_.points), mix(model_.joints), mix(model_.prescribed), mix(model_.springs);
    mix(model_.efforts), mix(model_.motors);
  }

  Model model_;
  const Transformation to_;
  std::map<std::string, bool> is_length_;  // of coordinates
  std::vector<std::string> places_;        // points and origins of bodies
};

inline Model transformed(const Model& model, const Transformation& to) { return TransformedModel(model, to).run(); }

}  // namespace armature
