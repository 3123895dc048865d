// The same machine, written differently: in other units, in a turned, mirrored and shifted world, with its parts in another
// order, its coordinates counted the other way round. Nothing that happens may depend on any of this.
//
//   vectors of bodies    p -> L B p            B = Q: frames of bodies turn with the world, so joint values stay
//   axes of rotation     a -> det(B) B a       (a mirror turns their sense round)
//   places on the ground p -> L Q p + shift
//   scalars              s -> L^a M^b T^c s    with the exponents of their unit
//   coordinates          q -> f q + offset     f = L^a, or -L^a where the sense changes
//
// Beams lie along their own x, and free joints count along the ground's axes: with them frames of bodies stay (B = 1, or a
// reflection), and what joints hold to the ground stands on a bed that is fixed to it, turned by Q B'.
//
// A user's formula knows nothing of units. What it reads is converted back, and what it gives is converted forth:
// f(x) -> L^a M^b T^c f(x/L), so that no number in the file has to be understood.
#pragma once

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <string>

#include "expression/units.hpp"
#include "import/frame.hpp"
#include "model/formula_tree.hpp"
#include "model/joint_components.hpp"
#include "model/joint_type.hpp"
#include "model/model.hpp"
#include "model/scope.hpp"
#include "support/transformation.hpp"

namespace armature::internal {

class TransformedModel {
 public:
  TransformedModel(const Model& model, const Transformation& to) : old_(model), model_(model), to_(to) {
    for (const NamedComponent& coordinate : coordinates_of(model))
      changes_[coordinate.name] = {coordinate.component.is_length ? to.length : 1, 0};
    for (const LagrangianSection::Coordinate& coordinate : model.lagrangian.coordinates)
      changes_[coordinate.name].factor = to.factor(unit_of(coordinate.unit).dimension);
    for (const NamedPoint& point : model.points) places_.push_back(point.name);
    for (const Body& body : model.bodies) {
      places_.push_back(body.name);
      for (const NamedPoint& point : body.points) places_.push_back(body.name + "." + point.name);
    }
    if (to.recount) recount();
    if (to.mirrors()) mirror_coordinates();
  }

  Model run() {
    vector(model_.gravity, to_.turn, 1, 0, -2);
    for (auto& [name, formula] : model_.definitions) read(formula);
    for (Body& body : model_.bodies) transform(body);
    for (NamedPoint& point : model_.points) place("ground", point.at);
    for (Joint& joint : model_.joints) transform(joint);
    for (DistanceConstraint& distance : model_.distances) transform(distance);
    for (PrescribedConstraint& constraint : model_.prescribed) row(constraint.zero);
    for (ForceElement& element : model_.forces) transform(element);
    for (Drive& drive : model_.drives) transform(drive);
    for (Controller& controller : model_.controllers) transform(controller);
    transform(model_.lagrangian);
    transform(model_.start);
    for (auto& [name, formula] : model_.record.events) read(formula);
    for (auto& [name, formula] : model_.record.quantities) read(formula);
    transform(model_.simulate);
    if (to_.frames_stay && to_.moves_world()) stand_on_bed();
    if (to_.shuffle) shuffle();
    return model_;
  }

  const std::map<std::string, CoordinateChange>& coordinates() const { return changes_; }
  bool is_place(const std::string& name) const { return std::ranges::find(places_, name) != places_.end(); }
  // Of a formula that is kept at zero, as far as its dimension is known.
  double factor_of_row(const Formula& zero) const {
    Graph graph;
    return to_.factor(lower(zero, checking_scope(old_, graph)).dimension.value_or(dimensionless));
  }

 private:
  using Kind = Syntax::Kind;
  using Tree = std::shared_ptr<const Syntax>;

  // --- coordinates

  // Every other one, at random. Only coordinates with a start of their own get another zero: the others start at theirs.
  void recount() {
    std::mt19937 generator(*to_.recount);
    const auto random = [&] { return std::uniform_real_distribution<>(-1, 1)(generator); };
    for (Joint& joint : model_.joints) {
      if (joint.type != JointType::revolute && joint.type != JointType::prismatic) continue;
      if (random() > 0) turn_round(joint);
    }
    for (const LagrangianSection::Coordinate& coordinate : model_.lagrangian.coordinates) {
      CoordinateChange& change = changes_.at(coordinate.name);
      const double zero = random() * change.factor;
      if (random() > 0) change.factor *= -1;
      if (has_start(coordinate.name)) change.offset = zero;
    }
  }

  // The pose of a seen from b.
  void turn_round(Joint& joint) {
    changes_.at(joint.name).factor *= -1;
    std::swap(joint.a, joint.b);
    if (joint.axis_b.given()) std::swap(joint.axis_a, joint.axis_b);
    for (JointElement& element : joint.elements) std::swap(element.lower, element.upper);
  }

  bool has_start(const std::string& coordinate) const {
    const auto names = [&](const auto& list) { return std::ranges::count(list, coordinate, &StartEntry::name) > 0; };
    return names(model_.start.keep) || names(model_.start.near);
  }

  // Angles keep their value, since axes of rotation change their sense.
  void mirror_coordinates() {
    for (const Joint& joint : model_.joints) {
      if (joint.type == JointType::cylindrical) changes_.at(joint.name + ".slide").factor *= -1;
      if (joint.type == JointType::free) changes_.at(joint.name + ".y").factor *= -1;
    }
    for (const Body& body : model_.bodies)
      for (const Beam::Motion& motion : body.beam ? body.beam->motions : std::vector<Beam::Motion>{}) {
        if (motion.field != BeamField::bend_y && motion.field != BeamField::twist) continue;
        for (const JointComponent& component : components_of(*body.beam, motion))
          changes_.at(body.name + "." + component.name).factor *= -1;
      }
  }

  // --- formulas

  // What a formula reads, in old units and along old axes.
  Tree reading(const Tree& tree) const {
    if (tree->kind == Kind::name) return name(tree);
    auto copy = std::make_shared<Syntax>(*tree);
    for (Tree& child : copy->children) child = reading(child);
    return copy->kind == Kind::prime ? times(to_.time, copy) : copy;
  }

  Tree name(const Tree& tree) const {
    if (tree->name == "t") return times(1 / to_.time, tree);
    if (const auto found = changes_.find(tree->name); found != changes_.end())
      return old_coordinate(tree, found->second);
    if (is_place(tree->name)) return old_place(tree);
    if (const double factor = factor_of_signal(tree->name); factor != 1) return times(1 / factor, tree);
    const std::size_t dot = tree->name.rfind('.');
    if (dot == std::string::npos || !is_place(tree->name.substr(0, dot))) return tree;
    const Formula place = name_formula(tree->name.substr(0, dot), tree->where);
    return component({place.text, place.where, old_place(place.root)}, tree->name.substr(dot + 1).c_str()).root;
  }

  static Tree old_coordinate(const Tree& tree, const CoordinateChange& change) {
    if (change.offset == 0) return times(1 / change.factor, tree);
    return times(1 / change.factor, (Formula{tree->name, tree->where, tree} - number_formula(change.offset)).root);
  }

  // Of what motors and feedback give to formulas.
  double factor_of_signal(const std::string& name) const {
    const std::string owner = name.substr(0, name.find('.')), part = name.substr(name.find('.') + 1);
    for (const Drive& drive : old_.drives) {
      if (drive.name != owner) continue;
      if (part == "voltage") return to_.factor(2, 1, -3);
      if (part == "torque" || part == "gear_torque") return to_.energy() / change_of(drive.on).factor;
      if (part == "speed") return 1 / to_.time;
      if (part == "power") return to_.energy() / to_.time;
    }
    for (const Controller& controller : old_.controllers)
      if (controller.name == owner && std::ranges::count(controller.on, part) > 0)
        return to_.energy() / change_of(part).factor;
    return 1;
  }

  // Q' (p - shift)/L
  Tree old_place(const Tree& tree) const {
    const Formula place{tree->name, tree->where, tree};
    const Formula shifted = place - constant(to_.shift);
    return turned(shifted, to_.turn.transpose() / to_.length).root;
  }

  static Formula constant(const Eigen::Vector3d& v) {
    return list_formula({number_formula(v.x()), number_formula(v.y()), number_formula(v.z())}, {});
  }

  // A number that is known to have no unit, so that a product with it has that of the other factor.
  static Formula pure(double value) {
    Formula result = number_formula(value);
    auto tree = std::make_shared<Syntax>(*result.root);
    tree->dimension = dimensionless;
    result.root = tree;
    return result;
  }
  static Formula times(double value, const Formula& formula) { return value == 1 ? formula : pure(value) * formula; }
  static Tree times(double value, const Tree& tree) { return times(value, Formula{"", {}, tree}).root; }

  // A v, without terms that vanish: a planar machine stays planar to the last bit.
  static Formula turned(const Formula& v, const Eigen::Matrix3d& A) {
    const char* axis[] = {"x", "y", "z"};
    std::vector<Formula> entries;
    for (int i = 0; i < 3; ++i) {
      Formula sum;
      for (int j = 0; j < 3; ++j) {
        if (A(i, j) == 0) continue;
        const Formula part = times(A(i, j), component(v, axis[j]));
        sum = sum.given() ? sum + part : part;
      }
      entries.push_back(sum.given() ? sum : number_formula(0));
    }
    return list_formula(entries, v.where);
  }

  // --- quantities by their dimension

  void read(Formula& formula) const {
    if (formula.given()) formula.root = reading(formula.root);
  }

  void scaled(Formula& formula, double factor) const {
    read(formula);
    if (formula.given()) formula = times(factor, formula);
  }
  void scalar(Formula& formula, int length, int mass, int time) const {
    scaled(formula, to_.factor(length, mass, time));
  }

  void vector(Formula& formula, const Eigen::Matrix3d& turn, int length, int mass, int time) const {
    read(formula);
    if (formula.given()) formula = turned(formula, to_.factor(length, mass, time) * turn);
  }
  void axis_of_rotation(Formula& formula, const Eigen::Matrix3d& turn) const {
    vector(formula, turn.determinant() * turn, 0, 0, 0);
  }

  void place(const std::string& body, Formula& at) const {
    vector(at, body == "ground" ? to_.turn : to_.turn_of_bodies(), 1, 0, 0);
    if (body != "ground" || to_.shift.isZero(0)) return;
    at = at.given() ? at + constant(to_.shift) : constant(to_.shift);
  }
  void place(Attachment& attachment) const { place(attachment.body, attachment.at); }

  CoordinateChange change_of(const std::string& coordinate) const {
    const auto found = changes_.find(coordinate);
    return found == changes_.end() ? CoordinateChange{} : found->second;  // the rotor of an elastic gear is an angle
  }
  void value(Formula& formula, const std::string& coordinate) const {
    const CoordinateChange change = change_of(coordinate);
    scaled(formula, change.factor);
    if (change.offset == 0) return;
    formula = formula.given() ? formula + number_formula(change.offset) : number_formula(change.offset);
  }
  void effort(Formula& formula, const std::string& on) const { scaled(formula, to_.energy() / change_of(on).factor); }
  // inertia, damping, stiffness: energy over the square of the coordinate, times so many times
  void per_motion(Formula& formula, const std::string& on, int times) const {
    const double factor = change_of(on).factor;
    scaled(formula, to_.energy() / (factor * factor) * std::pow(to_.time, times));
  }
  void row(Formula& zero) const {
    const double factor = factor_of_row(zero);
    read(zero);
    zero = times(factor, zero);
  }

  // --- parts

  void transform(Body& body) const {
    body.shapes.clear();
    scalar(body.mass, 0, 1, 0);
    vector(body.center, to_.turn_of_bodies(), 1, 0, 0);
    transform(body.inertia);
    for (NamedPoint& point : body.points) place(body.name, point.at);
    if (body.beam) transform(*body.beam);
  }

  void transform(Beam& beam) const {
    if (to_.moves_world() && !to_.frames_stay) throw std::logic_error("a beam lies along its own x");
    scalar(beam.length, 1, 0, 0);
    scalar(beam.area, 2, 0, 0);
    for (Formula* moment : {&beam.I_y, &beam.I_z, &beam.J}) scalar(*moment, 4, 0, 0);
    for (Formula* modulus : {&beam.youngs_modulus, &beam.shear_modulus}) scalar(*modulus, -1, 1, -2);
    scalar(beam.density, -3, 1, 0);
    scalar(beam.mass_damping, 0, 0, -1);
    scalar(beam.stiffness_damping, 0, 0, 1);
  }

  // B I B'; of a planar body only the moment about the normal may be given, which stays.
  void transform(Inertia& inertia) const {
    Formula* entry[3][3] = {{&inertia.xx, &inertia.xy, &inertia.xz},
                            {&inertia.xy, &inertia.yy, &inertia.yz},
                            {&inertia.xz, &inertia.yz, &inertia.zz}};
    for (Formula* formula : {&inertia.xx, &inertia.xy, &inertia.xz, &inertia.yy, &inertia.yz, &inertia.zz})
      scalar(*formula, 2, 1, 0);
    const Eigen::Matrix3d B = to_.turn_of_bodies();
    if (!inertia.xx.given() || B.isIdentity(0)) return;
    const Inertia before = inertia;
    const Formula old[3][3] = {
        {before.xx, before.xy, before.xz}, {before.xy, before.yy, before.yz}, {before.xz, before.yz, before.zz}};
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        Formula sum = number_formula(0);
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            if (old[k][l].given()) sum = sum + times(B(i, k) * B(j, l), old[k][l]);
        *entry[i][j] = sum;
      }
  }

  bool stands_on_bed(const Attachment& place) const { return place.body == "ground" && to_.frames_stay; }

  // A bed has the frame of bodies.
  void place_of_joint(Attachment& attachment) const {
    if (stands_on_bed(attachment))
      vector(attachment.at, to_.turn_of_bodies(), 1, 0, 0);
    else
      place(attachment);
  }

  void transform(Joint& joint) const {
    const Eigen::Matrix3d B = to_.turn_of_bodies();
    if ((joint.type == JointType::free && !B.isDiagonal(0)) || (joint.type == JointType::planar && !B.isIdentity(0)))
      throw std::logic_error("slides of a planar or a free joint are along axes that do not turn");
    place_of_joint(joint.a), place_of_joint(joint.b);
    if (joint.type == JointType::prismatic) {
      vector(joint.axis_a, B, 0, 0, 0), vector(joint.axis_b, B, 0, 0, 0);
    } else {
      if (to_.mirrors() && !joint.axis_a.given()) joint.axis_a = constant({0, 0, 1});
      axis_of_rotation(joint.axis_a, B), axis_of_rotation(joint.axis_b, B);
    }
    // the pitch of a screw: a mirror makes a right-handed thread a left-handed one
    for (Formula& pitch : joint.own) scaled(pitch, to_.mirrors() ? -to_.length : to_.length);
    for (JointElement& element : joint.elements)
      transform(element, element.component.empty() ? joint.name : joint.name + "." + element.component);
  }

  void transform(JointElement& element, const std::string& on) const {
    per_motion(element.inertia, on, 2);
    for (Formula* damping : {&element.damping, &element.stop_damping}) per_motion(*damping, on, 1);
    for (Formula* stiffness : {&element.stiffness, &element.stop_stiffness}) per_motion(*stiffness, on, 0);
    scaled(element.friction, to_.energy() / std::abs(change_of(on).factor));
    for (Formula* limit : {&element.rest, &element.lower, &element.upper})
      if (limit->given()) value(*limit, on);
  }

  void transform(DistanceConstraint& distance) const {
    place(distance.a), place(distance.b);
    scalar(distance.length, 1, 0, 0);
  }

  // Changes the formula of a key by one of the functions below.
  template <class Change>
  static void change(Item& item, const char* key, const Change& by) {
    Formula formula = item.values[key];
    by(formula);
    item.values.set(key, formula);
  }

  void transform(ForceElement& element) const {
    const std::string type = element.kind->type();
    for (Attachment& where : element.places) place(where);
    if (type == "spring") {
      change(element, "stiffness", [&](Formula& k) { scalar(k, 0, 1, -2); });
      change(element, "damping", [&](Formula& c) { scalar(c, 0, 1, -1); });
      change(element, "length", [&](Formula& length) { scalar(length, 1, 0, 0); });
    } else if (type == "torsion_spring") {
      change(element, "stiffness", [&](Formula& k) { per_motion(k, element.on[0], 0); });
      change(element, "damping", [&](Formula& c) { per_motion(c, element.on[0], 1); });
      change(element, "rest", [&](Formula& rest) { value(rest, element.on[0]); });
    } else if (type == "effort") {
      change(element, "is", [&](Formula& is) { effort(is, element.on[0]); });
    } else if (type == "force" || type == "torque") {
      const Eigen::Matrix3d turn = element.in_body ? to_.turn_of_bodies() : to_.turn;
      const bool is_force = type == "force";
      change(element, "is",
             [&](Formula& is) { vector(is, is_force ? turn : turn.determinant() * turn, is_force ? 1 : 2, 1, -2); });
    } else {
      throw std::logic_error("how does a force element of type " + type + " change?");
    }
  }

  // The unit of current stays, and so does what the rotor counts.
  void transform(Drive& drive) const {
    if (drive.kind->type() != "dc_motor") throw std::logic_error("how does a drive of this type change?");
    if (drive.commands("voltage")) scalar(drive.command.is, 2, 1, -3);
    if (drive.commands("torque")) effort(drive.command.is, drive.on);
    if (drive.commands("current")) read(drive.command.is);
    for (DriveLimit& limit : drive.limits) {
      if (limit.quantity == "voltage") scalar(limit.bound, 2, 1, -3);
      if (limit.quantity == "speed") scalar(limit.bound, 0, 0, -1);
    }
    change(drive, "resistance", [&](Formula& R) { scalar(R, 2, 1, -3); });
    for (const char* flux : {"torque_constant", "back_emf_constant", "inductance"})
      change(drive, flux, [&](Formula& each) { scalar(each, 2, 1, -2); });
    scalar(drive.rotor.coulomb_friction, 2, 1, -2);
    scalar(drive.rotor.inertia, 2, 1, 0);
    scalar(drive.rotor.viscous_friction, 2, 1, -1);
    axis_of_rotation(drive.rotor.axis, to_.turn_of_bodies());
    transform(drive.gear, drive.on);
    change(drive, "winding.heat_capacity", [&](Formula& C) { scalar(C, 2, 1, -2); });
    change(drive, "winding.thermal_resistance", [&](Formula& R) { scalar(R, -2, -1, 3); });
  }

  void transform(Transmission& gear, const std::string& on) const {
    scalar(gear.radius, 1, 0, 0);
    const double factor = change_of(on).factor;
    if (factor < 0) gear.ratio = gear.ratio.given() ? times(-1, gear.ratio) : number_formula(-1);
    per_motion(gear.stiffness, on, 0);
    per_motion(gear.damping, on, 1);
    scaled(gear.backlash, std::abs(factor));
  }

  // A controller works in old units: only time reaches it from outside. Feedback gives efforts, which are in new ones.
  void transform(Controller& controller) const {
    for (const char* key : {"is", "measure", "limits.lower", "limits.upper"})
      change(controller, key, [&](Formula& each) { read(each); });
    if (controller.kind->type() == "computed_torque") {
      if (controller.on.size() != 1) throw std::logic_error("one coordinate a controller");
      change(controller, "target", [&](Formula& target) { value(target, controller.on.front()); });
      change(controller, "kp", [&](Formula& kp) { scalar(kp, 0, 0, -2); });
      change(controller, "kd", [&](Formula& kd) { scalar(kd, 0, 0, -1); });
    } else {
      for (const char* key : {"target", "kp"}) change(controller, key, [&](Formula& each) { read(each); });
      change(controller, "kd", [&](Formula& kd) { scalar(kd, 0, 0, 1); });
    }
    change(controller, "ki", [&](Formula& ki) { scalar(ki, 0, 0, -1); });
    for (const char* key : {"sampled.period", "sampled.delay", "tracking_time"})
      change(controller, key, [&](Formula& time) { scalar(time, 0, 0, 1); });
  }

  // A force on a definition does its work along what that says, in old units.
  void transform(LagrangianSection& lagrangian) const {
    lagrangian.draw.clear();
    for (Formula* energy : {&lagrangian.kinetic, &lagrangian.potential}) scaled(*energy, to_.energy());
    scaled(lagrangian.dissipation, to_.energy() / to_.time);
    for (LagrangianSection::Force& force : lagrangian.forces) effort(force.is, force.on);
    for (LagrangianSection::Constraint& constraint : lagrangian.constraints) row(constraint.zero);
  }

  // --- start

  void transform(Start& start) const {
    for (auto* entries : {&start.keep, &start.near})
      for (StartEntry& entry : *entries) transform(entry, false);
    for (auto* entries : {&start.speed_keep, &start.speed_near})
      for (StartEntry& entry : *entries) transform(entry, true);
  }

  void transform(StartEntry& entry, bool is_speed) const {
    if (changes_.contains(entry.name) && is_speed)
      scaled(entry.value, changes_.at(entry.name).factor / to_.time);
    else if (changes_.contains(entry.name))
      value(entry.value, entry.name);
    else if (is_place(entry.name) && is_speed)
      vector(entry.value, to_.turn, 1, 0, -1);
    else if (is_place(entry.name) && entry.value.given())
      place("ground", entry.value);
    transform_pose(entry);
    vector(entry.velocity, to_.turn, 1, 0, -1);
    vector(entry.spin, to_.turn.determinant() * to_.turn, 0, 0, -1);
  }

  void transform_pose(StartEntry& entry) const {
    if (entry.at.given()) place("ground", entry.at);
    if (!entry.angle.given()) return;
    if (to_.frames_stay && to_.moves_world()) throw std::logic_error("a pose of a body whose frame stays");
    if (!entry.axis.given()) entry.axis = constant({0, 0, 1});
    axis_of_rotation(entry.axis, to_.turn);
  }

  void transform(SimulateOptions& options) const {
    options.end *= to_.time;
    for (std::optional<double>* time : {&options.record, &options.step, &options.max_step})
      if (*time) **time *= to_.time;
    if (options.alpha) *options.alpha /= to_.time;
    if (options.beta) *options.beta /= to_.time * to_.time;
  }

  // --- the bed

  // Two bodies without mass, fixed to the ground one on the other, each by the shortest turn of an axis: first z, then x.
  void stand_on_bed() {
    const Eigen::Matrix3d W = to_.turn * to_.turn_of_bodies().transpose();  // from the bed's axes to the ground's
    const auto z = Eigen::Vector3d::UnitZ(), x = Eigen::Vector3d::UnitX();
    const Eigen::Vector3d tip = W * z;
    const Eigen::Matrix3d first = turn_between(z, tip);
    for (Joint& joint : model_.joints)
      for (Attachment* place : {&joint.a, &joint.b})
        if (place->body == "ground") place->body = "bed";
    fix("tilted", {"ground", constant(to_.shift), {}}, tip, z);
    fix("bed", {"tilted", {}, {}}, first.transpose() * W * x, x);
  }

  void fix(const std::string& name, const Attachment& on, const Eigen::Vector3d& axis_there,
           const Eigen::Vector3d& axis) {
    Body body;
    body.name = name;
    body.mass = number_formula(0);
    model_.bodies.push_back(body);
    Joint joint;
    joint.name = "foot_of_" + name;
    joint.type = JointType::fixed;
    joint.a = on, joint.b.body = name;
    joint.axis_a = constant(axis_there), joint.axis_b = constant(axis);
    model_.joints.push_back(joint);
  }

  // --- order

  void shuffle() {
    std::mt19937 generator(*to_.shuffle);
    const auto mix = [&](auto& list) { std::shuffle(list.begin(), list.end(), generator); };
    mix(model_.parameters), mix(model_.definitions), mix(model_.bodies), mix(model_.points), mix(model_.joints);
    mix(model_.distances), mix(model_.prescribed), mix(model_.forces), mix(model_.drives);
    mix(model_.controllers);
    mix(model_.lagrangian.coordinates), mix(model_.lagrangian.forces), mix(model_.lagrangian.constraints);
    mix(model_.start.keep), mix(model_.start.near), mix(model_.start.speed_keep), mix(model_.start.speed_near);
    mix(model_.record.events), mix(model_.record.quantities), mix(model_.record.determinants);
    for (Body& body : model_.bodies) mix(body.points);
  }

  const Model old_;
  Model model_;
  const Transformation to_;
  std::map<std::string, CoordinateChange> changes_;
  std::vector<std::string> places_;  // points and origins of bodies
};

inline Model transformed(const Model& model, const Transformation& to) { return TransformedModel(model, to).run(); }

}  // namespace armature::internal
