// Tendons and actuators of an MJCF file.
#include "import/mjcf_reader.hpp"

namespace armature::internal {

void MjcfReader::read_tendons(pugi::xml_node section) {
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    if (std::string(node.name()) != "fixed") {
      robot_.leave_out(fmt::format("{}: {} tendon", xml_.place_of(node), element_in_words(node)));
      continue;
    }
    complete_as(node, "tendon");
    RobotTendon tendon;
    tendon.name = xml_.word(node, "name").value_or(fmt::format("tendon{}", robot_.tendons.size() + 1));
    double length = 0;  // in the pose of the file
    for (const pugi::xml_node part : node.children("joint")) {
      const int joint = scalar_joint_in(part, "joint");
      tendon.terms.push_back({joint, xml_.number(part, "coef").value_or(1)});
      length += tendon.terms.back().factor * robot_.joints[joint].start;
    }
    if (tendon.terms.empty()) xml_.fail(node, "a tendon needs a joint");
    tendon.stiffness = first_of(node, "stiffness");
    tendon.damping = first_of(node, "damping");
    const auto rest = xml_.numbers(node, "springlength", 1, 2).value_or(std::vector<double>{-1});
    tendon.lowest_rest = rest[0] == -1 ? length : rest[0];
    tendon.highest_rest = rest.size() == 1 ? tendon.lowest_rest : rest[1] == -1 ? length : rest[1];
    for (const char* key : {"range", "frictionloss", "armature", "actuatorfrcrange"})
      if (xml_.word(node, key))
        robot_.leave_out(fmt::format("{}: tendon {}: {}", xml_.place_of(node), tendon.name, key));
    robot_.tendons.push_back(std::move(tendon));
  }
}

// Default classes say <tendon>, <equality> and <general> for several elements.
void MjcfReader::complete_as(pugi::xml_node node, const char* kind) const {
  const std::string own = node.name();
  node.set_name(kind);
  complete(node, "");
  node.set_name(own.c_str());
}

void MjcfReader::read_actuators(pugi::xml_node section) {
  for (const pugi::xml_node node : section.children()) {
    if (node.type() != pugi::node_element) continue;
    complete(node, "");
    complete_as(node, "general");
    read_actuator(node, node.name());
  }
  list_shared_limits();
}

// The range of a joint is one of the sum of its actuators.
void MjcfReader::list_shared_limits() {
  std::map<int, int> count;
  for (const RobotActuator& actuator : robot_.actuators)
    if (actuator.joint >= 0 && actuator_range_[robot_.joints[actuator.joint].name].given() &&
        ++count[actuator.joint] == 2)
      robot_.leave_out(fmt::format("joint {}: actuatorfrcrange of several actuators together: it limits each of them",
                                   robot_.joints[actuator.joint].name));
}

void MjcfReader::read_actuator(pugi::xml_node node, const std::string& kind) {
  RobotActuator actuator;
  const auto leave_out = [&](const std::string& what) {
    robot_.leave_out(fmt::format("{}: actuator {}: {}", xml_.place_of(node), element_in_words(node), what));
  };
  // What it drives: a joint, or a fixed tendon.
  if (xml_.word(node, "joint") || xml_.word(node, "jointinparent")) {
    actuator.joint = joint_in(node, xml_.word(node, "joint") ? "joint" : "jointinparent");
  } else if (const auto tendon = xml_.word(node, "tendon")) {
    const auto found = std::ranges::find(robot_.tendons, *tendon, &RobotTendon::name);
    if (found == robot_.tendons.end()) return leave_out("its tendon is not taken");
    actuator.tendon = static_cast<int>(found - robot_.tendons.begin());
  } else {
    return leave_out("only joints and fixed tendons are driven");
  }
  actuator.name =
      xml_.word(node, "name")
          .value_or((actuator.joint >= 0 ? robot_.joints[actuator.joint].name : robot_.tendons[actuator.tendon].name) +
                    "_" + kind);
  // Gear and ranges; of a joint with a range of forces both hold.
  const auto gear = xml_.numbers(node, "gear", 1, 6);
  actuator.gear = gear ? gear->front() : 1;
  actuator.control = range_of(node, "ctrlrange", "ctrllimited").value_or(ForceRange{});
  actuator.force = range_of(node, "forcerange", "forcelimited").value_or(ForceRange{});
  if (actuator.joint >= 0 && actuator.gear != 0) {
    const ForceRange of_joint = joint_force(actuator);
    actuator.force = {std::max(actuator.force.lower, of_joint.lower), std::min(actuator.force.upper, of_joint.upper)};
  }
  // The law of its force: gain times control plus bias of (1, length, velocity).
  const double default_gain = xml_.numbers(node, "gainprm", 1, 10).value_or(std::vector<double>{1}).front();
  if (kind == "motor") {
  } else if (kind == "position") {
    const double kp = xml_.number(node, "kp").value_or(default_gain);
    actuator.gain = kp;
    actuator.bias = {0, -kp, -xml_.number(node, "kv").value_or(0)};
    for (const char* key : {"dampratio", "timeconst", "inheritrange"})
      if (xml_.number(node, key).value_or(0) != 0) leave_out(key);
  } else if (kind == "velocity") {
    const double kv = xml_.number(node, "kv").value_or(default_gain);
    actuator.gain = kv;
    actuator.bias = {0, 0, -kv};
  } else if (kind == "general") {
    if (!read_general(node, actuator, leave_out)) return;
  } else if (kind == "dcmotor") {
    if (!read_motor(node, actuator, leave_out)) return;
  } else {
    return leave_out("is not taken");
  }
  robot_.actuators.push_back(std::move(actuator));
}

// actuatorfrcrange of the joint, at the actuator
ForceRange MjcfReader::joint_force(const RobotActuator& actuator) const {
  const auto found = actuator_range_.find(robot_.joints[actuator.joint].name);
  if (found == actuator_range_.end() || !found->second.given()) return {};
  const double a = found->second.lower / actuator.gear, b = found->second.upper / actuator.gear;
  return {std::min(a, b), std::max(a, b)};
}

bool MjcfReader::read_general(pugi::xml_node node, RobotActuator& actuator,
                              const std::function<void(const std::string&)>& leave_out) {
  const std::string dyn = xml_.word(node, "dyntype").value_or("none"),
                    gain = xml_.word(node, "gaintype").value_or("fixed"),
                    bias = xml_.word(node, "biastype").value_or("none");
  if (dyn != "none" || gain != "fixed" || (bias != "none" && bias != "affine")) {
    leave_out(fmt::format("dyntype {}, gaintype {}, biastype {}", dyn, gain, bias));
    return false;
  }
  actuator.gain = xml_.numbers(node, "gainprm", 1, 10).value_or(std::vector<double>{1}).front();
  std::vector<double> prm = xml_.numbers(node, "biasprm", 1, 10).value_or(std::vector<double>{});
  prm.resize(3, 0);
  if (bias == "affine") actuator.bias = {prm[0], prm[1], prm[2]};
  return true;
}

bool MjcfReader::read_motor(pugi::xml_node node, RobotActuator& actuator,
                            const std::function<void(const std::string&)>& leave_out) {
  const auto constants = xml_.numbers(node, "motorconst", 1, 2);
  const auto resistance = xml_.number(node, "resistance");
  if (!constants || !resistance) {
    leave_out("only motors with motorconst and resistance are taken");
    return false;
  }
  if (const std::string input = xml_.word(node, "input").value_or("voltage"); input != "voltage") {
    leave_out(fmt::format("input {}; only a voltage is", input));
    return false;
  }
  RobotActuator::Motor motor;
  motor.torque_constant = constants->front();
  motor.back_emf_constant = constants->back();
  motor.resistance = *resistance;
  if (const auto inductance = xml_.numbers(node, "inductance", 1, 2))  // in H, or as a time constant in s
    motor.inductance = inductance->front() != 0 ? inductance->front() : inductance->back() * motor.resistance;
  if (!(motor.torque_constant > 0) || !(motor.resistance > 0) || motor.inductance < 0 || motor.back_emf_constant < 0)
    xml_.fail(node, "motorconst and resistance are positive");
  for (const char* key : {"nominal", "saturation", "cogging", "controller", "thermal", "lugre", "damping", "armature"})
    if (xml_.word(node, key)) leave_out(key);
  actuator.motor = motor;
  return true;
}

}  // namespace armature::internal
