// URDF: every link's frame is that of the joint which holds it, at zero. A joint of several coordinates becomes several, with links
// without mass between them. Joints that close loops are <loop> of URDF+.
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

class UrdfWriter {
 public:
  UrdfWriter(Robot robot, std::vector<std::string>& not_said) : robot_(std::move(robot)), not_said_(not_said) {}

  std::string write() {
    turn_joints();
    split_joints();
    name_ground();
    xml_.open("robot", {{"name", robot_.name}});
    if ((robot_.gravity - Eigen::Vector3d(0, 0, -9.81)).norm() > 1e-12)
      say("gravity: programs that read URDF take [0, 0, -9.81]");
    xml_.leaf("link", {{"name", ground_}});
    for (std::size_t k = 0; k < robot_.bodies.size(); ++k) write_link(static_cast<int>(k));
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) write_joint(static_cast<int>(k));
    for (const RobotActuator& actuator : robot_.actuators) write_transmission(actuator);
    for (const RobotRelation& relation : robot_.relations)
      if (!is_mimic(relation))
        say(fmt::format("LOOP NOT KEPT: constraints.{}: only two joints in proportion mimic", relation.name));
    xml_.close();
    return "<?xml version=\"1.0\"?>\n" + xml_.text();
  }

 private:
  void say(const std::string& what) {
    if (std::ranges::find(not_said_, what) == not_said_.end()) not_said_.push_back(what);
  }

  static std::string_view loop_type(const RobotJoint& joint) {
    const JointWords& words = words_of(joint.type);
    return words.urdf_loop.empty() ? words.urdf : words.urdf_loop;
  }

  void turn_joints() {
    cut_elsewhere(robot_, [](const RobotJoint& joint) { return !loop_type(joint).empty(); });
    const RobotTree tree = tree_at_start(robot_);
    for (const int body : tree.order)
      if (const RobotTree::Held& held = tree.bodies[body]; held.reversed && !turn_around(robot_.joints[held.joint]))
        say(fmt::format("joint {}: counted from the other body", robot_.joints[held.joint].name));
  }

  void split_joints() {
    const std::size_t count = robot_.joints.size();
    for (std::size_t k = 0; k < count; ++k) {
      const RobotJoint joint = robot_.joints[k];
      if (joint.closes || !words_of(joint.type).urdf.empty()) continue;
      split(k, parts_of(joint));
      if (!words_of(joint.type).advances) continue;
      const int slide = static_cast<int>(k), turn = static_cast<int>(robot_.joints.size()) - 1;
      robot_.relations.push_back(
          {joint.name + "_thread", {{slide, 1}, {turn, -joint.pitch / (2 * std::numbers::pi)}}, 0});
    }
  }

  // A ball is three revolute joints.
  std::vector<ChainPart> parts_of(const RobotJoint& joint) {
    std::vector<ChainPart> parts;
    for (const ChainPart& part : chain_of(joint)) {
      if (part.type != JointType::spherical) {
        parts.push_back(part);
        continue;
      }
      say(fmt::format("joint {}: spherical; it is three revolute joints, which have a singular pose", joint.name));
      const char* const names[] = {"_x", "_y", "_z"};
      for (int i = 0; i < 3; ++i)
        parts.push_back({JointType::revolute, part.suffix + names[i], Eigen::Vector3d::Unit(i)});
    }
    return parts;
  }

  // The first part takes the joint's place.
  void split(std::size_t index, const std::vector<ChainPart>& parts) {
    const RobotJoint whole = robot_.joints[index];
    if (whole.inertia != 0 || whole.damping != 0 || whole.friction != 0 || whole.stiffness != 0 || whole.lower ||
        whole.upper)
      say(fmt::format("joint {}: inertia, damping, friction, spring and limits of a joint that is written as {}",
                      whole.name, parts.size()));
    int from = whole.a;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool last = k + 1 == parts.size();
      RobotJoint joint;
      joint.name = whole.name + parts[k].suffix, joint.type = parts[k].type, joint.axis = parts[k].axis;
      joint.a = from, joint.in_a = k == 0 ? whole.in_a : Frame{};
      if (last) {
        joint.b = whole.b, joint.in_b = whole.in_b;
      } else {
        RobotBody between;
        between.name = fmt::format("{}_part{}", whole.name, k + 1);
        robot_.bodies.push_back(between);
        joint.b = from = static_cast<int>(robot_.bodies.size()) - 1;
      }
      if (k == 0)
        robot_.joints[index] = joint;
      else
        robot_.joints.push_back(joint);
    }
  }

  void name_ground() {
    while (robot_.body_named(ground_) >= 0) ground_ += "_";
  }

  // The joint that holds a body; in its frame at b the link is described.
  Frame link_frame(int body) const {
    if (body == ground_body) return {};
    for (const RobotJoint& joint : robot_.joints)
      if (!joint.closes && joint.b == body) return joint.in_b;
    return {};
  }

  std::string name_of(int body) const { return body == ground_body ? ground_ : robot_.bodies[body].name; }

  XmlAttributes origin(const Frame& frame) const {
    const Eigen::Vector3d rpy = rpy_of(frame.R);
    XmlAttributes attributes{{"xyz", spaced(frame.p)}};
    if ((frame.R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() > 1e-15)
      attributes.emplace_back("rpy",
                              fmt::format("{:.17g} {:.17g} {:.17g}", rpy.x() + 0.0, rpy.y() + 0.0, rpy.z() + 0.0));
    return attributes;
  }

  void write_link(int index) {
    const RobotBody& body = robot_.bodies[index];
    const Frame to_link = link_frame(index).inverse();
    xml_.open("link", {{"name", body.name}});
    if (body.mass.mass > 0) {
      const RobotMass mass = body.mass.seen_from(to_link);
      const Eigen::Matrix3d& I = mass.inertia;
      xml_.open("inertial");
      xml_.leaf("origin", {{"xyz", spaced(mass.center)}});
      xml_.leaf("mass", {{"value", number_text(mass.mass)}});
      xml_.leaf("inertia", {{"ixx", number_text(I(0, 0))},
                            {"ixy", number_text(I(0, 1))},
                            {"ixz", number_text(I(0, 2))},
                            {"iyy", number_text(I(1, 1))},
                            {"iyz", number_text(I(1, 2))},
                            {"izz", number_text(I(2, 2))}});
      xml_.close();
    }
    for (const RobotShape& shape : body.shapes) write_visual(shape, to_link);
    xml_.close();
    for (const RobotPoint& point : body.points) write_frame(body, point, to_link);
  }

  // A named point is a link without mass.
  void write_frame(const RobotBody& body, const RobotPoint& point, const Frame& to_link) {
    const std::string name = body.name + "_" + point.name;
    xml_.leaf("link", {{"name", name}});
    xml_.open("joint", {{"name", name + "_fixed"}, {"type", "fixed"}});
    xml_.leaf("parent", {{"link", body.name}});
    xml_.leaf("child", {{"link", name}});
    xml_.leaf("origin", {{"xyz", spaced(to_link * point.at)}});
    xml_.close();
  }

  void write_visual(const RobotShape& shape, const Frame& to_link) {
    xml_.open("visual");
    xml_.leaf("origin", origin(to_link * shape.at));
    xml_.open("geometry");
    if (shape.kind == RobotShape::Kind::box)
      xml_.leaf("box", {{"size", spaced(shape.size)}});
    else if (shape.kind == RobotShape::Kind::sphere)
      xml_.leaf("sphere", {{"radius", number_text(shape.size.x())}});
    else if (shape.kind == RobotShape::Kind::mesh)
      xml_.leaf("mesh", {{"filename", shape.file}, {"scale", spaced(Eigen::Vector3d::Constant(shape.scale))}});
    else
      xml_.leaf("cylinder", {{"radius", number_text(shape.size.x())}, {"length", number_text(shape.size.y())}});
    xml_.close();
    xml_.close();
  }

  void write_joint(int index) {
    const RobotJoint& joint = robot_.joints[index];
    const JointWords& words = words_of(joint.type);
    const std::string_view name = joint.closes ? loop_type(joint) : words.urdf;
    if (name.empty())
      return say(fmt::format("{}joint {}: a {} joint", joint.closes ? "LOOP NOT KEPT: " : "", joint.name, words.name));
    const std::string type = type_text(name, joint);
    if (joint.closes) return write_loop(joint, type);
    xml_.open("joint", {{"name", joint.name}, {"type", type}});
    xml_.leaf("parent", {{"link", name_of(joint.a)}});
    xml_.leaf("child", {{"link", name_of(joint.b)}});
    xml_.leaf("origin", origin(link_frame(joint.a).inverse() * joint.in_a));
    if (words_of(joint.type).axes == 1) xml_.leaf("axis", {{"xyz", spaced(joint.axis)}});
    write_elements(joint);
    for (const RobotRelation& relation : robot_.relations)
      if (is_mimic(relation) && relation.terms[0].joint == index) {
        const auto &a = relation.terms[0], &b = relation.terms[1];
        xml_.leaf("mimic", {{"joint", robot_.joints[b.joint].name},
                            {"multiplier", number_text(-b.factor / a.factor)},
                            {"offset", number_text(-relation.constant / a.factor)}});
      }
    xml_.close();
  }

  static bool is_mimic(const RobotRelation& relation) { return relation.terms.size() == 2; }

  void write_elements(const RobotJoint& joint) {
    if (joint.damping != 0 || joint.friction != 0)
      xml_.leaf("dynamics", {{"damping", number_text(joint.damping)}, {"friction", number_text(joint.friction)}});
    if (joint.inertia != 0) say(fmt::format("joint {}: reflected inertia", joint.name));
    if (joint.stiffness != 0) say(fmt::format("joint {}: its spring", joint.name));
    if (joint.lower || joint.upper || joint.type == JointType::prismatic)
      xml_.leaf("limit", {{"lower", number_text(joint.lower.value_or(-no_urdf_limit))},
                          {"upper", number_text(joint.upper.value_or(no_urdf_limit))},
                          {"effort", number_text(no_urdf_limit)},
                          {"velocity", number_text(no_urdf_limit)}});
    if (joint.stop_stiffness) say(fmt::format("joint {}: the stiffness of its end stops", joint.name));
  }

  void write_loop(const RobotJoint& joint, const std::string& type) {
    xml_.open("loop", {{"name", joint.name}, {"type", type}});
    for (const bool first : {true, false}) {
      const int body = first ? joint.a : joint.b;
      xml_.open(first ? "predecessor" : "successor", {{"link", name_of(body)}});
      xml_.leaf("origin", origin(link_frame(body).inverse() * (first ? joint.in_a : joint.in_b)));
      xml_.close();
    }
    if (words_of(joint.type).axes == 1) xml_.leaf("axis", {{"xyz", spaced(joint.axis)}});
    write_elements(joint);
    xml_.close();
  }

  void write_transmission(const RobotActuator& actuator) {
    xml_.open("transmission", {{"name", actuator.name + "_transmission"}});
    xml_.value("type", "transmission_interface/SimpleTransmission");
    xml_.leaf("joint", {{"name", robot_.joints[actuator.joint].name}});
    xml_.open("actuator", {{"name", actuator.name}});
    xml_.value("mechanicalReduction", number_text(actuator.gear));
    xml_.close();
    xml_.close();
  }

  Robot robot_;
  std::vector<std::string>& not_said_;
  std::string ground_ = "world";
  XmlText xml_;
};

}  // namespace

std::string write_urdf(Robot robot, std::vector<std::string>& not_exported) {
  return UrdfWriter(std::move(robot), not_exported).write();
}

}  // namespace armature::internal
