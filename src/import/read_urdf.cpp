// URDF: links, and joints that place a child link's frame on its parent. Frames coincide with the joint's at zero. Loops come from
// <loop> and <coupling> of URDF+, and from a file of closed loops beside the robot (closed_loops.cpp).
//   wiki.ros.org/urdf/XML; Chignoli, Slotine, Wensing and Kim, URDF+: An Enhanced URDF for Robots with Kinematic Loops (2024).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "import/known_names.hpp"
#include "import/robot.hpp"
#include "import/robot_readers.hpp"
#include "import/shape_mass.hpp"
#include "model/diagnostics.hpp"

namespace armature::internal {

namespace {

// wiki.ros.org/urdf/XML, and <loop> and <coupling> of URDF+
const KnownNames& urdf_names() {
  static const KnownNames names = {
      {"robot", "name version", "link joint loop coupling transmission material gazebo sensor model_state"},
      {"link", "name type", "inertial visual collision"},
      {"inertial", "", "origin mass inertia"},
      {"mass", "value", ""},
      {"inertia", "ixx ixy ixz iyy iyz izz", ""},
      {"origin", "xyz rpy", ""},
      {"joint", "name type", "origin parent child axis limit dynamics mimic calibration safety_controller"},
      {"parent", "link", ""},
      {"child", "link", ""},
      {"axis", "xyz", ""},
      {"limit", "lower upper effort velocity", ""},
      {"dynamics", "damping friction", ""},
      {"mimic", "joint multiplier offset", ""},
      {"loop", "name type", "predecessor successor sucessor axis limit dynamics"},
      {"coupling", "name type", "predecessor successor ratio"},
      {"predecessor", "link name", "origin"},
      {"successor", "link name", "origin"},
      {"ratio", "value", ""},
      {"transmission", "name type", "type joint actuator"},
      {"transmission/joint", "name", "hardwareInterface mechanicalReduction"},
      {"transmission/actuator", "name", "hardwareInterface mechanicalReduction"},
  };
  return names;
}

// robot.yaml beside robot.urdf
void add_closed_loops(const std::string& file, const RobotFiles& files, Robot& robot) {
  const std::string beside = std::filesystem::path(file).stem().string() + ".yaml";
  std::string why;
  const std::optional<std::string> text = files.read(beside, why);
  if (text && has_closed_loops(*text)) read_closed_loops(*text, beside, robot);
}

class UrdfReader {
 public:
  UrdfReader(const XmlTree& xml, std::string file, const RobotFiles& files, const RobotOptions& options)
      : xml_(xml), file_(std::move(file)), files_(files), options_(options) {}

  Robot read() {
    const pugi::xml_node root = xml_.root();
    robot_.format = "URDF";
    robot_.name = xml_.word(root, "name").value_or("robot");
    // The tree first: links, the base, joints; a cycle of joints is refused.
    refuse_macros(root);
    list_unknown_names(xml_, urdf_names(), robot_);
    read_links(root);
    require_links(root);
    find_base(root);
    for (const pugi::xml_node node : root.children("joint")) read_joint(node);
    refuse_cycles(root);
    // What refers to joints by name comes after all of them.
    for (const pugi::xml_node node : root.children("joint"))
      if (const pugi::xml_node mimic = node.child("mimic")) read_mimic(node, mimic);
    for (const pugi::xml_node node : root.children("loop")) read_loop(node);
    for (const pugi::xml_node node : root.children("coupling")) read_coupling(node);
    for (const pugi::xml_node node : root.children("transmission")) read_transmission(node);
    add_closed_loops(file_, files_, robot_);
    limit_efforts();
    // Said to be left out.
    for (const char* rest : {"gazebo", "sensor", "model_state"})
      if (const pugi::xml_node node = root.child(rest))
        robot_.leave_out(fmt::format("{}: <{}>", xml_.place_of(node), rest));
    return std::move(robot_);
  }

 private:
  void refuse_macros(pugi::xml_node node) const {
    for (const pugi::xml_node child : node.children()) {
      if (std::string_view(child.name()).starts_with("xacro:"))
        xml_.fail(child, "this file has macros of xacro; write it out first: xacro FILE > robot.urdf");
      refuse_macros(child);
    }
  }

  Frame origin_of(pugi::xml_node node) const {
    const pugi::xml_node origin = node.child("origin");
    Frame frame;
    frame.p = xml_.vector(origin, "xyz").value_or(Eigen::Vector3d::Zero());
    if (const auto rpy = xml_.vector(origin, "rpy")) frame.R = turn_by_rpy(*rpy);
    return frame;
  }

  void read_links(pugi::xml_node root) {
    for (const pugi::xml_node node : root.children("link")) {
      const std::string name = xml_.required_word(node, "name");
      if (links_.contains(name)) xml_.fail(node, "another link has this name");
      links_[name] = static_cast<int>(robot_.bodies.size());
      RobotBody body;
      body.name = name;
      for (const pugi::xml_node visual : node.children("visual")) read_shape(visual, body);
      read_inertial(node, body);
      if (const pugi::xml_node shape = node.child("collision"); shape && !said_collision_) {
        robot_.leave_out(fmt::format("{}: collision shapes (there is no contact)", xml_.place_of(shape)));
        said_collision_ = true;
      }
      robot_.bodies.push_back(std::move(body));
    }
    if (links_.empty()) xml_.fail(root, "a robot needs a link");
  }

  void read_inertial(pugi::xml_node link, RobotBody& body) {
    const pugi::xml_node inertial = link.child("inertial");
    if (!inertial) return;
    const pugi::xml_node mass = inertial.child("mass"), inertia = inertial.child("inertia");
    if (!mass) xml_.fail(inertial, fmt::format("link {}: <mass> is missing", body.name));
    RobotMass own;
    own.mass = xml_.required_number(mass, "value");
    if (own.mass < 0) xml_.fail(mass, fmt::format("link {}: a mass is not negative", body.name));
    const auto entry = [&](const char* name) { return xml_.number(inertia, name).value_or(0); };
    own.inertia = symmetric_matrix(entry("ixx"), entry("ixy"), entry("ixz"), entry("iyy"), entry("iyz"), entry("izz"));
    body.mass = own.seen_from(origin_of(inertial));
    if (inertia || own.mass == 0) return;
    if (!body.shapes.empty()) return spread(inertial, body);
    robot_.leave_out(
        fmt::format("{}: link {}: has a mass, but neither an inertia nor a shape: a mass at a point is taken",
                    xml_.place_of(inertial), body.name));
  }

  // A mass without inertia is spread over the shapes. A center that the file gives stays.
  void spread(pugi::xml_node node, RobotBody& body) {
    try {
      const RobotMass spread = spread_mass(body.shapes, body.mass.mass, files_);
      body.mass.inertia = spread.inertia;
      if (!node.child("origin")) body.mass.center = spread.center;
    } catch (const std::runtime_error& error) {
      xml_.fail(node, fmt::format("link {}: <inertia> is missing, and its shape {}", body.name, error.what()));
    }
  }

  void read_shape(pugi::xml_node visual, RobotBody& body) {
    const pugi::xml_node geometry = visual.child("geometry");
    RobotShape shape;
    shape.at = origin_of(visual);
    if (const pugi::xml_node box = geometry.child("box")) {
      shape.kind = RobotShape::Kind::box;
      xml_.required_word(box, "size");
      shape.size = *xml_.vector(box, "size");
    } else if (const pugi::xml_node sphere = geometry.child("sphere")) {
      shape.kind = RobotShape::Kind::sphere;
      shape.size.x() = xml_.required_number(sphere, "radius");
    } else if (const pugi::xml_node round =
                   geometry.child("cylinder") ? geometry.child("cylinder") : geometry.child("capsule")) {
      shape.kind = geometry.child("cylinder") ? RobotShape::Kind::cylinder : RobotShape::Kind::capsule;
      shape.size = {xml_.required_number(round, "radius"), xml_.required_number(round, "length"), 0};
    } else if (const pugi::xml_node mesh = geometry.child("mesh")) {
      if (!read_mesh(mesh, shape)) return;
    } else {
      for (const pugi::xml_node other : geometry.children())
        if (other.type() == pugi::node_element)
          robot_.leave_out(fmt::format("{}: link {}: the shape <{}>", xml_.place_of(other), body.name, other.name()));
      return;
    }
    body.shapes.push_back(shape);
  }

  bool read_mesh(pugi::xml_node mesh, RobotShape& shape) {
    shape.kind = RobotShape::Kind::mesh;
    const Eigen::Vector3d scale = xml_.vector(mesh, "scale").value_or(Eigen::Vector3d::Ones());
    std::string why;
    const bool taken = take_mesh(xml_.required_word(mesh, "filename"), scale, files_, shape, why);
    if (!taken) robot_.leave_out(fmt::format("{}: mesh: {}", xml_.place_of(mesh), why));
    return taken;
  }

  // The one link that is nobody's child is the ground, or moves freely.
  void find_base(pugi::xml_node root) {
    std::map<std::string, bool> is_child;
    for (const pugi::xml_node node : root.children("joint"))
      is_child[xml_.word(node.child("child"), "link").value_or("")] = true;
    std::vector<std::string> bases;
    for (const pugi::xml_node node : root.children("link"))
      if (const std::string name = xml_.required_word(node, "name"); !is_child.contains(name)) bases.push_back(name);
    if (bases.empty()) xml_.fail(root, "every link is the child of a joint: no link is the base");
    if (bases.size() > 1)
      xml_.fail(root,
                fmt::format("links {} are children of no joint, but a robot has one base", fmt::join(bases, ", ")));
    const int base = links_[bases[0]];
    if (options_.free_base && bases[0] != "world") {
      RobotJoint joint;
      joint.name = bases[0] + "_free";
      joint.type = JointType::free;
      joint.b = base;
      joint_names_.insert(joint.name);
      robot_.joints.push_back(joint);
      return;
    }
    if (!robot_.bodies[base].shapes.empty())
      robot_.leave_out(fmt::format("link {}: its shapes, since it is the ground", bases[0]));
    robot_.bodies.erase(robot_.bodies.begin() + base);
    for (auto& [name, index] : links_)
      if (index > base) --index;
    links_[bases[0]] = ground_body;
    robot_.base = bases[0];
  }

  int link_in(pugi::xml_node node, const char* element, const char* attribute = "link") {
    const pugi::xml_node child = node.child(element);
    if (!child) xml_.fail(node, fmt::format("<{}> is missing", element));
    const std::string name =
        xml_.word(child, attribute) ? xml_.required_word(child, attribute) : xml_.required_word(child, "name");
    return link_named(node, name);
  }

  int link_named(pugi::xml_node node, const std::string& name) {
    const auto found = links_.find(name);
    if (found != links_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [each, index] : links_) names.push_back(each);
    xml_.fail(node, fmt::format("there is no link '{}'{}", name, did_you_mean(name, names)));
  }

  // Before the base is looked for: a child whose name is misspelt would leave two of them.
  void require_links(pugi::xml_node root) {
    for (const pugi::xml_node joint : root.children("joint"))
      for (const char* end : {"parent", "child"}) link_in(joint, end);
  }

  JointType type_of(pugi::xml_node node) {
    static const std::map<std::string, JointType> types = {
        {"revolute", JointType::revolute},   {"continuous", JointType::revolute}, {"prismatic", JointType::prismatic},
        {"fixed", JointType::fixed},         {"floating", JointType::free},       {"planar", JointType::planar},
        {"spherical", JointType::spherical}, {"ball", JointType::spherical}};
    const std::string type = xml_.required_word(node, "type");
    const auto found = types.find(type);
    if (found == types.end())
      xml_.fail(
          node,
          fmt::format("unknown type '{}'; expected revolute, continuous, prismatic, fixed, floating or planar", type));
    return found->second;
  }

  Eigen::Vector3d axis_of(pugi::xml_node node) {
    const Eigen::Vector3d axis = xml_.vector(node.child("axis"), "xyz").value_or(Eigen::Vector3d::UnitX());
    if (!(axis.norm() > 0)) xml_.fail(node, "the axis has no direction");
    return axis.normalized();
  }

  void read_joint(pugi::xml_node node) {
    RobotJoint joint;
    joint.name = xml_.required_word(node, "name");
    if (!joint_names_.insert(joint.name).second) xml_.fail(node, "another joint has this name");
    joint.type = type_of(node);
    joint.a = link_in(node, "parent");
    joint.b = link_in(node, "child");
    if (joint.b == ground_body || parent_joint_.contains(joint.b))
      xml_.fail(node, fmt::format("link {} is the child of two joints; loops are written as <loop>",
                                  body_name(robot_, joint.b)));
    joint.in_a = origin_of(node);
    if (joint.type != JointType::fixed && joint.type != JointType::free && joint.type != JointType::spherical)
      joint.axis = axis_of(node);
    read_elements_if_one(node, joint);
    parent_joint_[joint.b] = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(joint);
  }

  // Damping and limits belong to one coordinate.
  void read_elements_if_one(pugi::xml_node node, RobotJoint& joint) {
    if (joint.type == JointType::revolute || joint.type == JointType::prismatic) return read_elements(node, joint);
    if (joint.type == JointType::fixed) return;
    for (const char* rest : {"dynamics", "limit"})
      if (const pugi::xml_node other = node.child(rest))
        robot_.leave_out(
            fmt::format("{}: joint {}: <{}> on several coordinates at once", xml_.place_of(other), joint.name, rest));
  }

  void read_elements(pugi::xml_node node, RobotJoint& joint) {
    const pugi::xml_node dynamics = node.child("dynamics"), limit = node.child("limit");
    joint.damping = xml_.number(dynamics, "damping").value_or(0);
    joint.friction = xml_.number(dynamics, "friction").value_or(0);
    if (limit && xml_.required_word(node, "type") != "continuous") read_limits(limit, joint);
    if (const auto effort = xml_.number(limit, "effort"); effort && *effort > 0 && *effort < no_urdf_limit)
      effort_[joint.name] = {*effort, xml_.place_of(limit)};
    if (const auto speed = xml_.number(limit, "velocity"); speed && *speed > 0 && *speed < no_urdf_limit)
      robot_.leave_out(fmt::format("{}: joint {}: velocity limit ({:g} {}) is not supported", xml_.place_of(limit),
                                   joint.name, *speed, joint.type == JointType::prismatic ? "m/s" : "rad/s"));
    for (const char* rest : {"safety_controller", "calibration"})
      if (const pugi::xml_node other = node.child(rest))
        robot_.leave_out(fmt::format("{}: joint {}: <{}>", xml_.place_of(other), joint.name, rest));
  }

  // What is not given is zero.
  void read_limits(pugi::xml_node limit, RobotJoint& joint) {
    const double lower = xml_.number(limit, "lower").value_or(0), upper = xml_.number(limit, "upper").value_or(0);
    const bool given = limit.attribute("lower") || limit.attribute("upper");
    if (lower < upper) {
      if (lower > -no_urdf_limit) joint.lower = lower;
      if (upper < no_urdf_limit) joint.upper = upper;
    } else if (given) {
      robot_.leave_out(fmt::format("{}: joint {}: limits from {:g} to {:g}, between which it cannot move",
                                   xml_.place_of(limit), joint.name, lower, upper));
    }
  }

  // The largest effort of a joint is one of its motor; where nothing drives it, it has no meaning.
  void limit_efforts() {
    for (const auto& [name, effort] : effort_) {
      const auto motor = std::ranges::find(robot_.actuators, robot_.joint_named(name), &RobotActuator::joint);
      if (motor == robot_.actuators.end() || motor->gear == 0)
        robot_.leave_out(fmt::format("{}: joint {}: the largest effort, {:g}, since no transmission drives it",
                                     effort.place, name, effort.value));
      else
        motor->force = {-effort.value / std::abs(motor->gear), effort.value / std::abs(motor->gear)};
    }
  }

  // A chain of parents that comes back to itself never reaches the base.
  void refuse_cycles(pugi::xml_node root) {
    std::map<int, int> first_seen_from;  // each body, by the one whose parents were followed
    for (const auto& [body, joint] : parent_joint_)
      for (int at = body; at != ground_body && parent_joint_.contains(at); at = robot_.joints[parent_joint_[at]].a) {
        const auto [seen, is_new] = first_seen_from.emplace(at, body);
        if (is_new) continue;
        if (seen->second == body) xml_.fail(root, fmt::format("link {} is its own ancestor", body_name(robot_, body)));
        break;  // its parents lead to the base
      }
  }

  void read_mimic(pugi::xml_node node, pugi::xml_node mimic) {
    const std::string name = xml_.required_word(node, "name"), other = xml_.required_word(mimic, "joint");
    const int joint = robot_.joint_named(name), source = robot_.joint_named(other);
    if (source < 0) xml_.fail(mimic, fmt::format("joint {}: there is no joint '{}'", name, other));
    for (const int each : {joint, source})
      if (robot_.joints[each].type != JointType::revolute && robot_.joints[each].type != JointType::prismatic)
        xml_.fail(mimic, fmt::format("joint {} has no single value", robot_.joints[each].name));
    robot_.relations.push_back({name + "_mimic",
                                {{joint, 1}, {source, -xml_.number(mimic, "multiplier").value_or(1)}},
                                -xml_.number(mimic, "offset").value_or(0)});
    robot_.loops.push_back(fmt::format("{}: mimics {}", name, other));
  }

  void read_loop(pugi::xml_node node) {
    RobotJoint joint;
    joint.name = xml_.required_word(node, "name");
    if (!joint_names_.insert(joint.name).second) xml_.fail(node, "another joint has this name");
    joint.type = type_of(node);
    joint.a = link_in(node, "predecessor");
    joint.b = link_in(node, node.child("successor") ? "successor" : "sucessor");
    joint.in_a = origin_of(node.child("predecessor"));
    joint.in_b = origin_of(node.child("successor") ? node.child("successor") : node.child("sucessor"));
    if (joint.type != JointType::fixed && joint.type != JointType::free && joint.type != JointType::spherical)
      joint.axis = axis_of(node);
    joint.closes = true;
    read_elements_if_one(node, joint);
    robot_.joints.push_back(joint);
  }

  // Joints from the base to a link.
  std::vector<int> path_to(int body) const {
    std::vector<int> path;
    for (auto at = parent_joint_.find(body); at != parent_joint_.end();
         at = parent_joint_.find(robot_.joints[at->second].a))
      path.push_back(at->second);
    std::ranges::reverse(path);
    return path;
  }

  // ratio times the sum of the joints from the nearest common ancestor to the predecessor is the sum of those to the successor.
  void read_coupling(pugi::xml_node node) {
    RobotRelation relation;
    relation.name = xml_.required_word(node, "name");
    const double ratio = xml_.required_number(node.child("ratio"), "value");
    std::vector<int> first = path_to(link_in(node, "predecessor")), second = path_to(link_in(node, "successor"));
    const auto [apart, also_apart] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
    const auto add = [&](auto from, auto to, double factor) {
      for (; from != to; ++from) {
        const JointType type = robot_.joints[*from].type;
        if (type == JointType::fixed) continue;
        if (type != JointType::revolute && type != JointType::prismatic)
          xml_.fail(node, fmt::format("joint {} has no single value", robot_.joints[*from].name));
        relation.terms.push_back({*from, factor});
      }
    };
    add(also_apart, second.end(), 1);
    add(apart, first.end(), -ratio);
    robot_.loops.push_back(fmt::format("{}: couples {} joints", relation.name, relation.terms.size()));
    robot_.relations.push_back(std::move(relation));
  }

  void read_transmission(pugi::xml_node node) {
    for (const pugi::xml_node driven : node.children("joint")) {
      const std::string name = xml_.required_word(driven, "name");
      const int joint = robot_.joint_named(name);
      if (joint < 0) xml_.fail(driven, fmt::format("there is no joint '{}'", name));
      const pugi::xml_node actuator = node.child("actuator");
      RobotActuator out;
      out.name = xml_.word(actuator, "name").value_or(name + "_motor");
      out.joint = joint;
      const pugi::xml_node reduction = actuator.child("mechanicalReduction") ? actuator.child("mechanicalReduction")
                                                                             : driven.child("mechanicalReduction");
      if (reduction) out.gear = xml_.number_in(reduction);
      robot_.actuators.push_back(out);
    }
  }

  const XmlTree& xml_;
  const std::string file_;
  const RobotFiles& files_;
  const RobotOptions& options_;
  Robot robot_;
  std::map<std::string, int> links_;
  std::map<int, int> parent_joint_;  // of each body
  std::set<std::string> joint_names_;
  struct LargestEffort {
    double value;
    std::string place;
  };
  std::map<std::string, LargestEffort> effort_;  // by joint
  bool said_collision_ = false;
};

}  // namespace

Robot read_urdf(XmlTree& xml, const std::string& file, const RobotFiles& files, const RobotOptions& options) {
  return UrdfReader(xml, file, files, options).read();
}

}  // namespace armature::internal
