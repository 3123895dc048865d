#include "import/robot_of_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/joint_components.hpp"
#include "model/joint_kinds.hpp"
#include "model/request_error.hpp"
#include "model/scope.hpp"

namespace armature::internal {

namespace {

class ModelTaker {
 public:
  ModelTaker(const Model& model, const AssembledStart& start) : model_(model), start_(start) {}

  Robot take() {
    if (model_.lagrangian.given || model_.bodies.empty())
      throw RequestError("export: a robot is made of bodies; this model has none");
    robot_.name = model_.name;
    try {
      robot_.gravity = vector(model_.gravity);
    } catch (const FormulaError&) {
      robot_.leave_out("gravity: it changes");
    }
    // What formats of robots can say is taken; all else is named as left out.
    for (const Body& body : model_.bodies) take_body(body);
    for (const NamedPoint& point : model_.points) robot_.points.push_back({point.name, vector(point.at)});
    for (const Joint& joint : model_.joints) take_joint(joint);
    for (const PrescribedConstraint& constraint : model_.prescribed) take_relation(constraint);
    for (const DistanceConstraint& distance : model_.distances)
      robot_.leave_out(fmt::format("LOOP NOT KEPT: constraints.{}: a distance", distance.name));
    for (const RollingConstraint& rolling : model_.rolling)
      robot_.leave_out(fmt::format("constraints.{}: it holds velocities alone", rolling.name));
    for (const ForceElement& force : model_.forces) take_force(force);
    for (const Drive& drive : model_.drives) take_drive(drive);
    for (const auto* speeds : {&model_.start.speed_keep, &model_.start.speed_near})
      for (const StartEntry& speed : *speeds) robot_.leave_out(fmt::format("start.speed: {}", speed.name));
    for (const AuxiliaryState& state : model_.states) robot_.leave_out(fmt::format("states.{}", state.name));
    for (const Controller& controller : model_.controllers)
      robot_.leave_out(fmt::format("controllers.{}", controller.name));
    return std::move(robot_);
  }

 private:
  double number(const Formula& formula, double missing = 0) const {
    return formula.given() ? evaluate_constant(formula, model_) : missing;
  }

  Eigen::Vector3d vector(const Formula& formula) const {
    if (!formula.given()) return Eigen::Vector3d::Zero();
    const std::array<double, 3> x = evaluate_constant_vector(formula, model_);
    return {x[0], x[1], x[2]};
  }

  // A number that may be a formula of what moves: nothing, and a line.
  double constant(const Formula& formula, const std::string& what) {
    if (!formula.given()) return 0;
    const std::optional<double> value = find_constant(formula, model_);
    if (!value) robot_.leave_out(fmt::format("{}: it changes", what));
    return value.value_or(0);
  }

  void take_body(const Body& body) {
    if (body.beam) throw RequestError(fmt::format("export: body {} is flexible; robots are rigid", body.name));
    RobotBody out;
    out.name = body.name;
    out.mass.mass = number(body.mass);
    out.mass.center = vector(body.center);
    out.mass.inertia = inertia_of(body, out.mass);
    for (const NamedPoint& point : body.points) out.points.push_back({point.name, vector(point.at)});
    for (const Shape& shape : body.shapes) take_shape(shape, out);
    robot_.bodies.push_back(std::move(out));
  }

  // Entries that are missing are those that the motion cannot see: any that make a body of it will do.
  Eigen::Matrix3d inertia_of(const Body& body, const RobotMass& mass) const {
    const Inertia& inertia = body.inertia;
    Eigen::Matrix3d I = Eigen::Matrix3d::Zero();
    const Formula* const diagonal[] = {&inertia.xx, &inertia.yy, &inertia.zz};
    double largest = 0;
    for (int i = 0; i < 3; ++i) I(i, i) = number(*diagonal[i]), largest = std::max(largest, I(i, i));
    for (int i = 0; i < 3; ++i)
      if (!diagonal[i]->given()) I(i, i) = largest;
    I(0, 1) = I(1, 0) = number(inertia.xy), I(0, 2) = I(2, 0) = number(inertia.xz),
         I(1, 2) = I(2, 1) = number(inertia.yz);
    if (inertia.about == Inertia::About::origin) {
      const Eigen::Vector3d& c = mass.center;
      I -= mass.mass * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
    }
    return I;
  }

  void take_shape(const Shape& shape, RobotBody& out) {
    RobotShape made;
    made.at.p = vector(shape.at);
    if (shape.kind == "box") {
      made.kind = RobotShape::Kind::box, made.size = vector(shape.sides), made.at.R = turn_of(shape);
    } else if (shape.kind == "sphere") {
      made.kind = RobotShape::Kind::sphere, made.size.x() = number(shape.radius);
    } else if (shape.kind == "cylinder" || shape.kind == "rod") {
      // Cylinders of robots lie along z about their middle.
      const Eigen::Vector3d from = vector(shape.from), to = vector(shape.to);
      made.kind = RobotShape::Kind::cylinder;
      made.at = {turn_between(Eigen::Vector3d::UnitZ(), to - from), (from + to) / 2};
      made.size = {number(shape.radius), (to - from).norm(), 0};
    } else {
      made.kind = RobotShape::Kind::mesh, made.at.R = turn_of(shape), made.scale = number(shape.scale, 1);
      const std::filesystem::path file(shape.file), folder = std::filesystem::path(model_.file).parent_path();
      made.file = folder.empty() ? shape.file : file.lexically_relative(folder).string();
    }
    out.shapes.push_back(made);
  }

  Eigen::Matrix3d turn_of(const Shape& shape) const {
    return turn_about(shape.axis.given() ? vector(shape.axis) : Eigen::Vector3d::UnitZ(), number(shape.angle));
  }

  static Eigen::Matrix3d axes_of(const Eigen::Vector3d& axis, const Eigen::Vector3d& zero) {
    Eigen::Matrix3d R;
    R.col(0) = axis.normalized();
    R.col(1) = (zero - zero.dot(R.col(0)) * R.col(0)).normalized();
    R.col(2) = R.col(0).cross(R.col(1));
    return R;
  }

  Eigen::Matrix3d turn_of(const Joint& joint) const {
    const Joint::Turn& turn = joint.turned;
    if (turn.zero_a.given()) {
      const Eigen::Vector3d a = vector(joint.axis_a), b = joint.axis_b.given() ? vector(joint.axis_b) : a;
      return axes_of(a, vector(turn.zero_a)) * axes_of(b, vector(turn.zero_b)).transpose();
    }
    if (turn.rpy.given()) return turn_by_rpy(vector(turn.rpy));
    return turn_about(turn.axis.given() ? vector(turn.axis) : Eigen::Vector3d::UnitZ(), number(turn.angle));
  }

  int body_of(const std::string& name) const { return name == "ground" ? ground_body : robot_.body_named(name); }

  void take_joint(const Joint& joint) {
    RobotJoint out;
    out.name = joint.name;
    out.type = joint.type;
    out.a = body_of(joint.a.body), out.b = body_of(joint.b.body);
    out.in_a = shifted(vector(joint.a.at)), out.in_b = shifted(vector(joint.b.at));
    out.closes = std::ranges::find(start_.cut, joint.name) != start_.cut.end();
    // Axes are given in both bodies; the frame on b turns one into the other.
    if (joint.axis_a.given()) out.axis = vector(joint.axis_a).normalized();
    if (joint.axis_b.given() && words_of(joint.type).axes == 2)
      out.second = vector(joint.axis_b).normalized();
    else if (joint.axis_b.given())
      out.in_b.R = turn_between(out.axis, vector(joint.axis_b).normalized());
    if (joint.turned.given()) {
      const Eigen::Matrix3d R = turn_of(joint);
      out.in_b.R = R.transpose();
      if (joint.axis_b.given()) out.second = R * out.second;
    }
    if (words_of(joint.type).advances && !joint.own.empty()) out.pitch = number(joint.own[0]);
    take_values(joint, out);
    for (const JointElement& element : joint.elements) take_element(joint, element, out);
    robot_.joints.push_back(std::move(out));
  }

  void take_values(const Joint& joint, RobotJoint& out) const {
    for (const JointComponent& component : components_of(joint.type)) {
      const auto found = start_.values.find(coordinate_name(joint, component));
      out.values.push_back(found == start_.values.end() ? 0 : found->second);
    }
    if (out.values.size() == 1) out.start = out.values[0];
  }

  void take_element(const Joint& joint, const JointElement& element, RobotJoint& out) {
    const std::string what = "joints." + joint.name;
    if (!element.component.empty())
      return robot_.leave_out(fmt::format("{}: what is on its coordinate {}", what, element.component));
    // What acts on the only coordinate of the joint.
    out.inertia = constant(element.inertia, what + ".inertia");
    out.damping = constant(element.damping, what + ".damping");
    out.friction = constant(element.friction, what + ".friction");
    if (number(element.breakaway, 1) != 1) robot_.leave_out(what + ".friction.breakaway");
    out.stiffness = constant(element.stiffness, what + ".spring");
    out.rest = constant(element.rest, what + ".spring.rest");
    if (element.lower.given()) out.lower = constant(element.lower, what + ".limits");
    if (element.upper.given()) out.upper = constant(element.upper, what + ".limits");
    if (element.stop_stiffness.given())
      out.stop_stiffness = constant(element.stop_stiffness, what + ".limits"),
      out.stop_damping = constant(element.stop_damping, what + ".limits");
    if (element.stop_restitution.given())
      robot_.leave_out(fmt::format(
          "joint {}: the restitution of its end stops; they are as stiff as the reader makes them", joint.name));
  }

  // --- relations: sums of coordinates with factors

  struct Linear {
    std::vector<RobotRelation::Term> terms;
    double constant = 0;
  };

  std::optional<Linear> scaled(std::optional<Linear> x, double factor) const {
    if (!x) return x;
    for (auto& term : x->terms) term.factor *= factor;
    x->constant *= factor;
    return x;
  }

  std::optional<Linear> linear(const Syntax& formula) const {
    using Kind = Syntax::Kind;
    const auto child = [&](std::size_t k) -> const Syntax& { return *formula.children[k]; };
    // The leaves: numbers, coordinates of joints, parameters.
    if (formula.kind == Kind::number) return Linear{{}, formula.value};
    if (formula.kind == Kind::name) {
      if (const int joint = robot_.joint_named(formula.name);
          joint >= 0 && words_of(robot_.joints[joint].type).freedoms() == 1)
        return Linear{{{joint, 1}}, 0};
      const auto parameter = std::ranges::find(model_.parameters, formula.name, &Parameter::name);
      if (parameter == model_.parameters.end()) return std::nullopt;
      return Linear{{}, parameter->value};
    }
    if (formula.kind == Kind::negate) return scaled(linear(child(0)), -1);
    if (formula.kind != Kind::add && formula.kind != Kind::subtract && formula.kind != Kind::multiply &&
        formula.kind != Kind::divide)
      return std::nullopt;
    std::optional<Linear> a = linear(child(0)), b = linear(child(1));
    if (!a || !b) return std::nullopt;
    // Of a product one side must be a number, of a quotient the divisor.
    if (formula.kind == Kind::multiply) {
      if (a->terms.empty()) return scaled(b, a->constant);
      return b->terms.empty() ? scaled(a, b->constant) : std::nullopt;
    }
    if (formula.kind == Kind::divide)
      return b->terms.empty() && b->constant != 0 ? scaled(a, 1 / b->constant) : std::nullopt;
    // Sums: the terms of both.
    b = scaled(b, formula.kind == Kind::add ? 1 : -1);
    a->terms.insert(a->terms.end(), b->terms.begin(), b->terms.end());
    a->constant += b->constant;
    return a;
  }

  void take_relation(const PrescribedConstraint& constraint) {
    const std::optional<Linear> sum = constraint.zero.root ? linear(*constraint.zero.root) : std::nullopt;
    if (!sum || sum->terms.empty())
      robot_.leave_out(fmt::format("LOOP NOT KEPT: constraints.{}: it is not a sum of joint values", constraint.name));
    else
      robot_.relations.push_back({constraint.name, sum->terms, sum->constant});
  }

  // --- forces and drives

  void take_force(const ForceElement& force) {
    const std::string kind = force.kind->type(), what = "forces." + force.name;
    const int joint = force.on.size() == 1 ? robot_.joint_named(force.on[0]) : -1;
    // Springs on a coordinate belong to its joint, efforts are actuators.
    if (kind == "torsion_spring" && joint >= 0 && robot_.joints[joint].stiffness == 0) {
      RobotJoint& on = robot_.joints[joint];
      on.stiffness = constant(force.values["stiffness"], what);
      on.rest = constant(force.values["rest"], what);
      on.damping += constant(force.values["damping"], what);
    } else if (kind == "effort" && joint >= 0) {
      RobotActuator actuator;
      actuator.name = force.name;
      actuator.joint = joint;
      robot_.actuators.push_back(actuator);
      robot_.leave_out(fmt::format("{}: its value; it is an actuator without a command", what));
    } else {
      robot_.leave_out(fmt::format("{}: a {}", what, kind));
    }
  }

  // The gear's ratio is the actuator's, and the rotor's inertia and friction are on the joint.
  void take_drive(const Drive& drive) {
    const std::string what = "drives." + drive.name;
    const int joint = robot_.joint_named(drive.on);
    if (joint < 0 || words_of(robot_.joints[joint].type).freedoms() != 1) return robot_.leave_out(what);
    const double radius = number(drive.gear.radius, 1), ratio = number(drive.gear.ratio, 1) / radius;
    RobotActuator actuator;
    actuator.name = drive.name;
    actuator.joint = joint;
    actuator.gear = ratio;
    robot_.actuators.push_back(actuator);
    if (drive.gear.elastic() || !drive.rotor.carried_by.empty())
      return robot_.leave_out(fmt::format("{}: its rotor, {}, its winding and its command", what,
                                          drive.gear.elastic() ? "its elastic gear" : "which another body carries"));
    // Behind the ratio inertia and viscous friction count by its square, dry friction by itself.
    robot_.joints[joint].inertia += constant(drive.rotor.inertia, what) * ratio * ratio;
    robot_.joints[joint].damping += constant(drive.rotor.viscous_friction, what) * ratio * ratio;
    robot_.joints[joint].friction += constant(drive.rotor.coulomb_friction, what) * std::abs(ratio);
    if (number(drive.gear.efficiency, 1) != 1) robot_.leave_out(fmt::format("{}: losses of its gear", what));
    robot_.leave_out(fmt::format("{}: its winding and its command; it is an actuator of torque at the shaft", what));
  }

  const Model& model_;
  const AssembledStart& start_;
  Robot robot_;
};

}  // namespace

Robot robot_of_model(const Model& model, const AssembledStart& start) { return ModelTaker(model, start).take(); }

}  // namespace armature::internal
