// MJCF shows the machine at its start: reference values `ref` are those of the start, so that joint values stay what they are. A joint of
// several coordinates becomes several joints of one body; loops become connects and welds.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "import/joint_chain.hpp"
#include "import/robot_of_model.hpp"
#include "import/robot_text.hpp"
#include "import/robot_tree.hpp"
#include "import/xml_text.hpp"
#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

std::string turn_text(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}", q.w(), q.x(), q.y(), q.z());
}

class MjcfWriter {
 public:
  MjcfWriter(Robot robot, std::vector<std::string>& not_said) : robot_(std::move(robot)), not_said_(not_said) {}

  std::string write() {
    // MuJoCo's tree: loops are cut where it has a constraint for them, and joints lead from parent to child.
    cut_elsewhere(robot_, [](const RobotJoint& joint) { return words_of(joint.type).shared_points > 0; });
    RobotTree tree = tree_at_start(robot_);
    for (const int body : tree.order)
      if (const RobotTree::Held& held = tree.bodies[body]; held.reversed && !turn_around(robot_.joints[held.joint]))
        say(fmt::format("joint {}: counted from the other body", robot_.joints[held.joint].name));
    tree_ = tree;
    xml_.open("mujoco", {{"model", robot_.name}});
    xml_.leaf("compiler", {{"angle", "radian"}});
    xml_.leaf("option", {{"gravity", spaced(robot_.gravity)}});
    write_assets();
    // The tree of bodies from the ground on, then what refers to it.
    xml_.open("worldbody");
    for (const RobotPoint& point : robot_.points) xml_.leaf("site", {{"name", point.name}, {"pos", spaced(point.at)}});
    for (const int body : tree_.order)
      if (tree_.bodies[body].parent == ground_body) write_body(body);
    xml_.close();
    write_tendons();
    write_equalities();
    write_actuators();
    xml_.close();
    return xml_.text();
  }

 private:
  void say(const std::string& what) {
    if (std::ranges::find(not_said_, what) == not_said_.end()) not_said_.push_back(what);
  }

  void write_assets() {
    bool open = false;
    for (const RobotBody& body : robot_.bodies)
      for (std::size_t k = 0; k < body.shapes.size(); ++k) {
        const RobotShape& shape = body.shapes[k];
        if (shape.kind != RobotShape::Kind::mesh) continue;
        if (!open) xml_.open("asset");
        open = true;
        const std::string scale = number_text(shape.scale);
        xml_.leaf("mesh", {{"name", fmt::format("{}_mesh{}", body.name, k)},
                           {"file", shape.file},
                           {"scale", scale + " " + scale + " " + scale}});
      }
    if (open) xml_.close();
  }

  void write_body(int index) {
    const RobotBody& body = robot_.bodies[index];
    const RobotTree::Held& held = tree_.bodies[index];
    const RobotJoint& joint = robot_.joints[held.joint];
    // The pose in the parent, without what is zero.
    const Frame pose = joint.in_a * motion_at_start(joint) * joint.in_b.inverse();
    XmlAttributes attributes{{"name", body.name}};
    if (pose.p.norm() > 0) attributes.emplace_back("pos", spaced(pose.p));
    if ((pose.R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-15)
      attributes.emplace_back("quat", turn_text(pose.R));
    xml_.open("body", attributes);
    write_joint(joint);
    write_mass(body);
    // Sites and shapes, then the bodies that hang on this one.
    for (const RobotPoint& point : body.points)
      xml_.leaf("site", {{"name", body.name + "_" + point.name}, {"pos", spaced(point.at)}});
    for (std::size_t k = 0; k < body.shapes.size(); ++k) write_shape(body, k);
    for (const int child : tree_.order)
      if (tree_.bodies[child].parent == index) write_body(child);
    xml_.close();
  }

  void write_mass(const RobotBody& body) {
    if (!(body.mass.mass > 0)) {
      say(fmt::format("body {}: it has no mass, which MuJoCo refuses for a body that moves", body.name));
      return;
    }
    const Eigen::Matrix3d& I = body.mass.inertia;
    XmlAttributes attributes{{"pos", spaced(body.mass.center)}, {"mass", number_text(body.mass.mass)}};
    const bool diagonal = std::abs(I(0, 1)) + std::abs(I(0, 2)) + std::abs(I(1, 2)) == 0;
    if (diagonal)
      attributes.emplace_back("diaginertia", spaced(I.diagonal()));
    else
      attributes.emplace_back("fullinertia", spaced(I.diagonal()) + " " + spaced({I(0, 1), I(0, 2), I(1, 2)}));
    xml_.leaf("inertial", attributes);
  }

  void write_shape(const RobotBody& body, std::size_t k) {
    const RobotShape& shape = body.shapes[k];
    XmlAttributes attributes;
    const auto size = [&](const std::string& text) { attributes.emplace_back("size", text); };
    // MuJoCo's sizes are half of ours.
    switch (shape.kind) {
      case RobotShape::Kind::box: attributes.emplace_back("type", "box"), size(spaced(shape.size / 2)); break;
      case RobotShape::Kind::sphere:
        attributes.emplace_back("type", "sphere"), size(number_text(shape.size.x()));
        break;
      case RobotShape::Kind::mesh:
        attributes.emplace_back("type", "mesh"),
            attributes.emplace_back("mesh", fmt::format("{}_mesh{}", body.name, k));
        break;
      default:
        attributes.emplace_back("type", "cylinder"),
            size(number_text(shape.size.x()) + " " + number_text(shape.size.y() / 2));
    }
    attributes.emplace_back("pos", spaced(shape.at.p));
    attributes.emplace_back("quat", turn_text(shape.at.R));
    attributes.emplace_back("contype", "0");
    attributes.emplace_back("conaffinity", "0");
    xml_.leaf("geom", attributes);
  }

  // --- joints

  // One joint per simple part, each with its axis and its point where the body is at the start.
  void write_joint(const RobotJoint& joint) {
    if (words_of(joint.type).freedoms() == 6 && joint.a == ground_body)
      return xml_.leaf("freejoint", {{"name", joint.name}});
    const std::vector<ChainPart> parts = chain_of(joint);
    std::vector<Frame> places(parts.size());
    Frame behind;  // the motion of the parts behind this one
    for (std::size_t k = parts.size(); k-- > 0;) {
      places[k] = joint.in_b * behind.inverse();
      behind = parts[k].motion() * behind;
    }
    for (std::size_t k = 0; k < parts.size(); ++k) write_part(joint, parts[k], places[k]);
  }

  void write_part(const RobotJoint& joint, const ChainPart& part, const Frame& at) {
    const bool ball = part.type == JointType::spherical;
    XmlAttributes attributes{{"name", joint.name + part.suffix},
                             {"type", ball                               ? "ball"
                                      : part.type == JointType::revolute ? "hinge"
                                                                         : "slide"}};
    if (ball && moves(part.motion())) say(fmt::format("joint {}: its zero; a ball counts from the start", joint.name));
    if (!ball) attributes.emplace_back("axis", spaced(at.R * part.axis));
    if (at.p.norm() > 0) attributes.emplace_back("pos", spaced(at.p));
    if (part.start != 0) attributes.emplace_back("ref", number_text(part.start));
    if (part.suffix.empty() && !ball) add_elements(joint, attributes);
    xml_.leaf("joint", attributes);
  }

  void add_elements(const RobotJoint& joint, XmlAttributes& attributes) {
    const auto add = [&](const char* key, double x) {
      if (x != 0) attributes.emplace_back(key, number_text(x));
    };
    add("armature", joint.inertia);
    add("damping", joint.damping);
    add("frictionloss", joint.friction);
    add("stiffness", joint.stiffness);
    if (joint.stiffness != 0) add("springref", joint.rest);
    if (joint.lower && joint.upper)
      attributes.emplace_back("range", number_text(*joint.lower) + " " + number_text(*joint.upper));
    else if (joint.lower || joint.upper)
      say(fmt::format("joint {}: a limit on one side", joint.name));
    if (joint.stop_stiffness) say(fmt::format("joint {}: the stiffness of its end stops", joint.name));
  }

  // --- loops

  std::string name_of(int body) const { return body == ground_body ? "world" : robot_.bodies[body].name; }

  void write_equalities() {
    xml_.open("equality");
    for (const RobotJoint& joint : robot_.joints) {
      if (joint.closes) write_loop(joint);
      if (words_of(joint.type).advances && !joint.closes)
        xml_.leaf("joint",
                  {{"name", joint.name + "_thread"},
                   {"joint1", joint.name + "_slide"},
                   {"joint2", joint.name},
                   {"polycoef", fmt::format("0 {} 0 0 0", number_text(joint.pitch / (2 * std::numbers::pi)))}});
    }
    for (const RobotRelation& relation : robot_.relations) write_relation(relation);
    xml_.close();
  }

  // Anchors are given in the first body, at the start, at which the loop is closed.
  void write_loop(const RobotJoint& joint) {
    const auto connect = [&](const std::string& name, const Eigen::Vector3d& anchor) {
      XmlAttributes attributes{{"name", name}};
      if (joint.a == ground_body) {
        attributes.emplace_back("body1", name_of(joint.b));
        attributes.emplace_back("anchor", spaced(tree_.pose_of(joint.b).inverse() * anchor));
      } else {
        attributes.emplace_back("body1", name_of(joint.a));
        attributes.emplace_back("body2", name_of(joint.b));
        attributes.emplace_back("anchor", spaced(tree_.pose_of(joint.a).inverse() * anchor));
      }
      xml_.leaf("connect", attributes);
    };
    const Frame here = tree_.pose_of(joint.a) * joint.in_a;
    const int points = words_of(joint.type).shared_points;
    if (points == 1) return connect(joint.name, here.p);
    if (points == 2) {
      if (joint.inertia != 0 || joint.damping != 0 || joint.friction != 0 || joint.stiffness != 0 || joint.lower ||
          joint.upper)
        say(fmt::format("joint {}: damping, friction, spring, limits and inertia, since it closes a loop", joint.name));
      connect(joint.name, here.p);
      return connect(joint.name + "_axis", here * Eigen::Vector3d(0.1 * joint.axis));
    }
    if (points == 3)
      return xml_.leaf("weld", {{"name", joint.name},
                                {"body1", name_of(joint.a == ground_body ? joint.b : joint.a)},
                                {"body2", name_of(joint.a == ground_body ? joint.a : joint.b)}});
    say(fmt::format("LOOP NOT KEPT: joint {}: a {} joint that closes a loop", joint.name, words_of(joint.type).name));
  }

  static std::string sum_name(const RobotRelation& relation) { return relation.name + "_sum"; }

  // More than two joints are related by a tendon whose length is the sum of their values.
  void write_tendons() {
    const auto is_sum = [](const RobotRelation& relation) { return relation.terms.size() > 2; };
    if (std::ranges::none_of(robot_.relations, is_sum)) return;
    xml_.open("tendon");
    for (const RobotRelation& relation : robot_.relations) {
      if (!is_sum(relation)) continue;
      xml_.open("fixed", {{"name", sum_name(relation)}});
      for (const RobotRelation::Term& term : relation.terms)
        xml_.leaf("joint", {{"joint", robot_.joints[term.joint].name}, {"coef", number_text(term.factor)}});
      xml_.close();
    }
    xml_.close();
  }

  // The length of the sum, counted from the start, is constant.
  void write_sum(const RobotRelation& relation) {
    constexpr double rounding = 1e-14;
    double length = -relation.constant;
    for (const RobotRelation::Term& term : relation.terms) length -= term.factor * robot_.joints[term.joint].start;
    if (std::abs(length) < rounding) length = 0;
    xml_.leaf(
        "tendon",
        {{"name", relation.name}, {"tendon1", sum_name(relation)}, {"polycoef", number_text(length) + " 0 0 0 0"}});
  }

  // y = offset + ratio x, counted from the start
  void write_relation(const RobotRelation& relation) {
    if (relation.terms.size() > 2) return write_sum(relation);
    XmlAttributes attributes{{"name", relation.name}, {"joint1", robot_.joints[relation.terms[0].joint].name}};
    if (relation.terms.size() == 2) attributes.emplace_back("joint2", robot_.joints[relation.terms[1].joint].name);
    const auto [ratio, offset] = counted_from_start(robot_, relation);
    attributes.emplace_back("polycoef", fmt::format("{} {} 0 0 0", number_text(offset), number_text(ratio)));
    xml_.leaf("joint", attributes);
  }

  void write_actuators() {
    if (robot_.actuators.empty()) return;
    xml_.open("actuator");
    for (const RobotActuator& actuator : robot_.actuators) {
      if (robot_.joints[actuator.joint].closes) {
        say(fmt::format("actuator {}: its joint closes a loop", actuator.name));
        continue;
      }
      XmlAttributes attributes{{"name", actuator.name}, {"joint", robot_.joints[actuator.joint].name}};
      if (actuator.gear != 1) attributes.emplace_back("gear", number_text(actuator.gear));
      xml_.leaf("motor", attributes);
    }
    xml_.close();
  }

  Robot robot_;
  std::vector<std::string>& not_said_;
  RobotTree tree_;
  XmlText xml_;
};

}  // namespace

std::string write_mjcf(Robot robot, std::vector<std::string>& not_exported) {
  return MjcfWriter(std::move(robot), not_exported).write();
}

}  // namespace armature::internal
