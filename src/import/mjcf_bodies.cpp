// Bodies of an MJCF file and their joints.
#include "import/mjcf_reader.hpp"

namespace armature::internal {

// What a body or a <frame> holds; `at`: the frame of a <frame> in the body's.
void MjcfReader::read_contents(pugi::xml_node node, int body, const Frame& at, const std::string& childclass) {
  for (const pugi::xml_node child : node.children()) {
    const std::string kind = child.name();
    if (kind == "frame") {
      const std::string own = xml_.word(child, "childclass").value_or(childclass);
      read_contents(child, body, at * pose_of(child), own);
    } else if (kind == "body") {
      read_body(child, body, at, childclass);
    } else if (kind == "site") {
      complete(child, childclass);
      const Frame frame = at * pose_of(child);
      if (const auto name = xml_.word(child, "name")) {
        sites_[*name] = {body, frame};
        (body == ground_body ? robot_.points : robot_.bodies[body].points).push_back({*name, frame.p});
      }
    } else if (kind == "geom" && body == ground_body) {
      if (!said_ground_) robot_.leave_out(fmt::format("{}: shapes of the world", xml_.place_of(child)));
      said_ground_ = true;
    } else if (kind == "composite" || kind == "flexcomp" || kind == "attach" || kind == "replicate" ||
               kind == "plugin") {
      // repeated or generated bodies
      robot_.leave_out(fmt::format("{}: <{}>", xml_.place_of(child), kind));
    }
  }
}

void MjcfReader::read_body(pugi::xml_node node, int parent, const Frame& at, const std::string& outer) {
  const std::string childclass = xml_.word(node, "childclass").value_or(outer);
  if (!childclass.empty() && !defaults_.has(childclass))
    xml_.fail(node, fmt::format("there is no default class '{}'", childclass));
  std::string name = xml_.word(node, "name").value_or("");
  if (name.empty()) name = fmt::format("body{}", robot_.bodies.size() + 1);
  if (robot_.body_named(name) >= 0) xml_.fail(node, fmt::format("another body is called '{}'", name));
  const Frame pose = at * pose_of(node);
  const bool mocap = xml_.word(node, "mocap").value_or("false") == "true";
  if (mocap) robot_.leave_out(fmt::format("{}: body {}: mocap; it stays where it is", xml_.place_of(node), name));
  // bodies without mass first: the joints are in their order from the parent on
  std::vector<PlacedJoint> joints;
  find_joints(node, {}, childclass, joints);
  int from = parent;
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    RobotBody between;
    between.name = fmt::format("{}_{}", name, k + 1);
    robot_.bodies.push_back(between);
    add_joint(joints[k], from, static_cast<int>(robot_.bodies.size()) - 1, k == 0 ? pose : Frame{}, name, k);
    from = static_cast<int>(robot_.bodies.size()) - 1;
  }
  const int body = static_cast<int>(robot_.bodies.size());
  robot_.bodies.push_back({name, {}, {}, {}});
  if (joints.empty()) {
    RobotJoint fixed;
    fixed.name = name + "_fixed", fixed.a = parent, fixed.b = body, fixed.in_a = pose;
    robot_.joints.push_back(fixed);
  } else {
    add_joint(joints.back(), from, body, joints.size() == 1 ? pose : Frame{}, name, joints.size() - 1);
  }
  poses_.resize(robot_.bodies.size());
  poses_[static_cast<std::size_t>(body)] =
      (parent == ground_body ? Frame{} : poses_[static_cast<std::size_t>(parent)]) * pose;
  for (int k = body - static_cast<int>(joints.size()) + 1; k < body; ++k)
    if (k >= 0) poses_[static_cast<std::size_t>(k)] = poses_[static_cast<std::size_t>(body)];
  read_mass(node, body, childclass);
  read_contents(node, body, {}, childclass);
}

void MjcfReader::find_joints(pugi::xml_node node, const Frame& at, const std::string& childclass,
                             std::vector<PlacedJoint>& joints) const {
  for (const pugi::xml_node child : node.children()) {
    const std::string kind = child.name();
    if (kind == "joint" || kind == "freejoint") joints.push_back({child, at, childclass});
    if (kind == "frame")
      find_joints(child, at * pose_of(child), xml_.word(child, "childclass").value_or(childclass), joints);
  }
}

// pose: of the joint's body in `a`, at the reference value.
void MjcfReader::add_joint(const PlacedJoint& placed, int a, int b, const Frame& pose, const std::string& body,
                           std::size_t number) {
  const pugi::xml_node node = placed.node;
  if (std::string(node.name()) == "joint") complete(node, placed.childclass);
  RobotJoint joint;
  joint.name = xml_.word(node, "name").value_or("");
  const std::string kind = std::string(node.name()) == "freejoint" ? "free" : xml_.word(node, "type").value_or("hinge");
  if (joint.name.empty())
    joint.name = fmt::format("{}_{}{}", body, kind, number == 0 ? "" : fmt::format("{}", number + 1));
  if (robot_.joint_named(joint.name) >= 0) xml_.fail(node, "another joint has this name");
  joint.a = a, joint.b = b;
  const bool turns = kind == "hinge";
  if (kind == "free" && a != ground_body) xml_.fail(node, "only bodies of the world move freely");
  const Eigen::Vector3d at = placed.at * xml_.vector(node, "pos").value_or(Eigen::Vector3d::Zero());
  joint.axis = placed.at.R * xml_.vector(node, "axis").value_or(Eigen::Vector3d::UnitZ());
  if (!(joint.axis.norm() > 0)) xml_.fail(node, "the axis has no direction");
  joint.axis.normalize();
  if (kind == "hinge" || kind == "slide") {
    joint.type = turns ? JointType::revolute : JointType::prismatic;
    joint.start = xml_.number(node, "ref").value_or(0) * (turns ? unit_ : 1);
    // back from the reference to zero
    const Frame back = turns ? Frame{turn_about(joint.axis, -joint.start), Eigen::Vector3d::Zero()}
                             : shifted(-joint.start * joint.axis);
    joint.in_a = pose * shifted(at) * back;
    joint.in_b = shifted(at);
    read_elements(node, joint, turns);
  } else if (kind == "ball") {
    joint.type = JointType::spherical;
    joint.in_a = pose * shifted(at);
    joint.in_b = shifted(at);
    leave_out_elements(node, joint.name);
  } else if (kind == "free") {
    joint.type = JointType::free;
    joint.in_a = pose;
    leave_out_elements(node, joint.name);
  } else {
    xml_.fail(node, fmt::format("unknown type '{}'; expected hinge, slide, ball or free", kind));
  }
  robot_.joints.push_back(joint);
}

void MjcfReader::leave_out_elements(pugi::xml_node node, const std::string& name) {
  for (const char* key : {"damping", "frictionloss", "armature", "stiffness", "range"})
    if (const auto value = xml_.numbers(node, key, 1, 3);
        value && std::ranges::any_of(*value, [](double x) { return x != 0; }))
      robot_.leave_out(fmt::format("{}: joint {}: {} on several coordinates at once", xml_.place_of(node), name, key));
}

double MjcfReader::first_of(pugi::xml_node node, const char* key) {
  const auto values = xml_.numbers(node, key, 1, 3);
  if (!values) return 0;
  for (std::size_t k = 1; k < values->size(); ++k)
    if ((*values)[k] != 0)
      robot_.leave_out(fmt::format("{}: {}: {} of higher order", xml_.place_of(node), element_in_words(node), key));
  return values->front();
}

void MjcfReader::read_elements(pugi::xml_node node, RobotJoint& joint, bool turns) {
  const double unit = turns ? unit_ : 1;
  joint.inertia = xml_.number(node, "armature").value_or(0);
  joint.damping = first_of(node, "damping");
  joint.friction = xml_.number(node, "frictionloss").value_or(0);
  joint.stiffness = first_of(node, "stiffness");
  joint.rest = xml_.number(node, "springref").value_or(0) * unit;
  if (xml_.word(node, "springdamper"))
    robot_.leave_out(fmt::format("{}: joint {}: springdamper", xml_.place_of(node), joint.name));
  if (const auto range = range_of(node, "range", "limited"))
    joint.lower = range->lower * unit, joint.upper = range->upper * unit;
  actuator_range_[joint.name] = range_of(node, "actuatorfrcrange", "actuatorfrclimited").value_or(ForceRange{});
}

// A range applies if `limited` is true, or, with autolimits, if the element has the range.
std::optional<ForceRange> MjcfReader::range_of(pugi::xml_node node, const char* key, const char* limited) const {
  const auto range = xml_.numbers(node, key, 2, 2);
  const std::string is = xml_.word(node, limited).value_or("auto");
  if (is != "auto" && is != "true" && is != "false")
    xml_.fail(node, fmt::format("'{}' is true, false or auto, not '{}'", limited, is));
  if (!range || is == "false" || (is == "auto" && !autolimits_) || !((*range)[0] < (*range)[1])) return std::nullopt;
  return ForceRange{(*range)[0], (*range)[1]};
}

}  // namespace armature::internal
