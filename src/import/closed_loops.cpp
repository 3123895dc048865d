// Closed loops of a URDF in a YAML file beside it, in the style of the collection example-parallel-robots:
//
//   closed_loop: [[frame_a, frame_b], …]     frames (links or joints) that coincide: their origins (3d), or all of them (6d)
//   type: [6d, …]
//   name_mot: [joint, …]                     joints with a motor
//   joint_name: [joint, …]                   joints that are of another type than the URDF can say
//   joint_type: [SPHERICAL, …]
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "import/robot.hpp"
#include "import/robot_readers.hpp"
#include "model/diagnostics.hpp"
#include "model/yaml_tree.hpp"

namespace armature::internal {

namespace {

class ClosedLoops {
 public:
  ClosedLoops(const YamlNode& root, const std::string& file, Robot& robot) : root_(root), file_(file), robot_(robot) {}

  void read() {
    change_types();
    const YamlNode* pairs = root_.find("closed_loop");
    const YamlNode* types = root_.find("type");
    if (!pairs || !pairs->is_list()) fail(root_, "closed_loop", "expected a list of pairs of frames");
    require_as_many("closed_loop", "type");
    for (std::size_t k = 0; k < pairs->items.size(); ++k) {
      const YamlNode& pair = pairs->items[k];
      if (!pair.is_list() || pair.items.size() != 2) fail(pair, "closed_loop", "expected a pair of frames");
      add_loop(static_cast<int>(k) + 1, pair,
               types && types->is_list() && k < types->items.size() ? types->items[k].text : "6d");
    }
    add_motors();
    for (const YamlEntry& entry : root_.entries)
      if (entry.key != "closed_loop" && entry.key != "type" && entry.key != "name_mot" && entry.key != "joint_name" &&
          entry.key != "joint_type")
        robot_.leave_out(fmt::format("{}, line {}: {}", file_, entry.where.line, entry.key));
  }

 private:
  [[noreturn]] void fail(const YamlNode& node, const std::string& key, const std::string& message) const {
    throw ModelError(file_, {Diagnostic{node.where, key, message}});
  }

  // A link's frame, or that of the link beyond a joint.
  int body_of(const YamlNode& frame) const {
    const std::string& name = frame.text;
    if (name == robot_.base && !name.empty()) return ground_body;
    if (const int body = robot_.body_named(name); body >= 0) return body;
    if (const int joint = robot_.joint_named(name); joint >= 0) return robot_.joints[joint].b;
    std::vector<std::string> names;
    for (const RobotBody& body : robot_.bodies) names.push_back(body.name);
    fail(frame, "closed_loop", fmt::format("there is no link '{}'{}", name, did_you_mean(name, names)));
  }

  static std::string lower_case(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }

  void add_loop(int number, const YamlNode& pair, const std::string& type) {
    const std::string kind = lower_case(type);
    if (kind != "3d" && kind != "6d") fail(pair, "type", fmt::format("expected 3d or 6d, not '{}'", type));
    RobotJoint joint;
    joint.name = fmt::format("loop{}", number);
    joint.a = body_of(pair.items[0]);
    joint.b = body_of(pair.items[1]);
    joint.type = kind == "3d" ? JointType::spherical : JointType::fixed;
    joint.closes = true;
    robot_.joints.push_back(joint);
  }

  std::vector<std::string> words(const char* key) const {
    std::vector<std::string> list;
    if (const YamlNode* node = root_.find(key))
      for (const YamlNode& item : node->items) list.push_back(item.text);
    return list;
  }

  int joint_of(const char* key, const std::string& name) const {
    const int joint = robot_.joint_named(name);
    if (joint < 0) fail(*root_.find(key), key, fmt::format("there is no joint '{}'", name));
    return joint;
  }

  // What belongs to each entry of a list; it may be missing.
  void require_as_many(const char* key, const char* of_each) const {
    const YamlNode *list = root_.find(key), *other = root_.find(of_each);
    const std::size_t wanted = list ? list->items.size() : 0;
    if (other && other->items.size() != wanted)
      fail(*other, of_each, fmt::format("has {} entries, but {} has {}", other->items.size(), key, wanted));
  }

  void change_types() {
    require_as_many("joint_name", "joint_type");
    const std::vector<std::string> names = words("joint_name"), types = words("joint_type");
    for (std::size_t k = 0; k < std::min(names.size(), types.size()); ++k) {
      RobotJoint& joint = robot_.joints[joint_of("joint_name", names[k])];
      if (lower_case(types[k]) != "spherical") {
        robot_.leave_out(fmt::format("{}: joint {}: type {}", file_, names[k], types[k]));
        continue;
      }
      const RobotJoint plain = joint;
      joint = {};
      joint.name = plain.name, joint.a = plain.a, joint.b = plain.b, joint.in_a = plain.in_a, joint.in_b = plain.in_b;
      joint.type = JointType::spherical;
    }
  }

  void add_motors() {
    for (const std::string& name : words("name_mot")) {
      const int joint = joint_of("name_mot", name);
      if (std::ranges::find(robot_.actuators, joint, &RobotActuator::joint) != robot_.actuators.end()) continue;
      RobotActuator actuator;
      actuator.name = name + "_motor";
      actuator.joint = joint;
      robot_.actuators.push_back(actuator);
    }
  }

  const YamlNode& root_;
  std::string file_;
  Robot& robot_;
};

}  // namespace

bool has_closed_loops(const std::string& text) {
  return text.starts_with("closed_loop:") || text.find("\nclosed_loop:") != std::string::npos;
}

void read_closed_loops(const std::string& text, const std::string& file, Robot& robot) {
  Diagnostics diagnostics(file);
  const YamlNode root = parse_yaml(text, diagnostics);
  diagnostics.throw_if_any();
  ClosedLoops(root, file, robot).read();
}

}  // namespace armature::internal
