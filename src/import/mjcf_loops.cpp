// Loops of an MJCF file: connect, weld, joint and tendon of <equality>.
#include "import/mjcf_reader.hpp"

#include "model/diagnostics.hpp"

namespace armature::internal {

int MjcfReader::body_in(pugi::xml_node node, const char* key) const {
  const std::string name = xml_.word(node, key).value_or("world");
  if (name == "world") return ground_body;
  if (const int body = robot_.body_named(name); body >= 0) return body;
  std::vector<std::string> names;
  for (const RobotBody& body : robot_.bodies) names.push_back(body.name);
  xml_.fail(node, fmt::format("there is no body '{}'{}", name, did_you_mean(name, names)));
}

int MjcfReader::joint_in(pugi::xml_node node, const char* key) const {
  const std::string name = xml_.required_word(node, key);
  if (const int joint = robot_.joint_named(name); joint >= 0) return joint;
  std::vector<std::string> names;
  for (const RobotJoint& joint : robot_.joints) names.push_back(joint.name);
  xml_.fail(node, fmt::format("there is no joint '{}'{}", name, did_you_mean(name, names)));
}

int MjcfReader::scalar_joint_in(pugi::xml_node node, const char* key) const {
  const int joint = joint_in(node, key);
  const JointType type = robot_.joints[joint].type;
  if (type != JointType::revolute && type != JointType::prismatic)
    xml_.fail(node, fmt::format("joint {} has no single value", robot_.joints[joint].name));
  return joint;
}

Frame MjcfReader::pose(int body) const {
  return body == ground_body ? Frame{} : poses_[static_cast<std::size_t>(body)];
}

const MjcfReader::Site& MjcfReader::site_in(pugi::xml_node node, const char* key) const {
  const std::string name = xml_.required_word(node, key);
  const auto found = sites_.find(name);
  if (found == sites_.end()) xml_.fail(node, fmt::format("there is no site '{}'", name));
  return found->second;
}

void MjcfReader::read_equality(pugi::xml_node section) {
  for (const pugi::xml_node node : section.children()) {
    const std::string kind = node.name();
    if (node.type() != pugi::node_element) continue;
    complete_as(node, "equality");
    if (xml_.word(node, "active").value_or("true") == "false") {
      robot_.leave_out(
          fmt::format("LOOP NOT KEPT: {}: {}: is not active", xml_.place_of(node), element_in_words(node)));
      continue;
    }
    const std::string name = xml_.word(node, "name").value_or(fmt::format("loop{}", ++loops_));
    if (kind == "connect" || kind == "weld")
      add_loop(node, name, kind == "weld" && xml_.number(node, "torquescale").value_or(1) != 0);
    else if (kind == "joint")
      add_relation(node, name);
    else if (kind == "tendon")
      add_tendon_relation(node, name);
    else
      robot_.leave_out(fmt::format("LOOP NOT KEPT: {}: {}", xml_.place_of(node), element_in_words(node)));
  }
}

// A weld that holds no angle (torquescale 0) connects points: that of body2 which it anchors, its origin if it names none.
void MjcfReader::add_loop(pugi::xml_node node, const std::string& name, bool weld) {
  RobotJoint joint;
  joint.name = name;
  joint.type = weld ? JointType::fixed : JointType::spherical;
  joint.closes = true;
  if (xml_.word(node, "site1")) {
    const Site &first = site_in(node, "site1"), &second = site_in(node, "site2");
    joint.a = first.body, joint.b = second.body, joint.in_a = first.frame, joint.in_b = second.frame;
    if (!weld) joint.in_a.R.setIdentity(), joint.in_b.R.setIdentity();
  } else {
    xml_.required_word(node, "body1");
    joint.a = body_in(node, "body1"), joint.b = body_in(node, "body2");
    Frame relative = pose(joint.a).inverse() * pose(joint.b);  // of b seen from a, in the pose of the file
    if (weld) {
      const auto given = xml_.numbers(node, "relpose", 7, 7);
      if (given && std::any_of(given->begin() + 3, given->end(), [](double x) { return x != 0; }))
        relative = {quaternion({given->begin() + 3, given->end()}, node), Eigen::Vector3d(given->data())};
      joint.in_a = relative;
    } else if (std::string_view(node.name()) == "weld") {
      joint.in_b = shifted(xml_.vector(node, "anchor").value_or(Eigen::Vector3d::Zero()));
      joint.in_a = shifted(relative * joint.in_b.p);
    } else {
      joint.in_a = shifted(xml_.vector(node, "anchor").value_or(Eigen::Vector3d::Zero()));
      joint.in_b = shifted(relative.inverse() * joint.in_a.p);
    }
  }
  if (joint.a == joint.b) xml_.fail(node, "a loop connects two bodies");
  robot_.joints.push_back(joint);
}

// y - y0 = a0 + a1 (x - x0) + … + a4 (x - x0)^4, with the reference values x0 and y0; by powers of x.
void MjcfReader::add_relation(pugi::xml_node node, const std::string& name) {
  std::vector<double> a = xml_.numbers(node, "polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
  a.resize(5, 0);
  RobotRelation relation;
  relation.name = name;
  const int y = scalar_joint_in(node, "joint1");
  relation.terms.push_back({y, 1});
  relation.constant = -a[0] - robot_.joints[y].start;
  if (xml_.word(node, "joint2")) {
    const int x = scalar_joint_in(node, "joint2");
    add_polynomial(a, robot_.joints[x].start, x, relation);
    robot_.loops.push_back(fmt::format("{}: relates {} and {}", name, robot_.joints[y].name, robot_.joints[x].name));
  } else {
    robot_.loops.push_back(fmt::format("{}: holds {}", name, robot_.joints[y].name));
  }
  robot_.relations.push_back(std::move(relation));
}

void MjcfReader::add_polynomial(const std::vector<double>& a, double x0, int joint, RobotRelation& relation) {
  static constexpr double binomial[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};
  for (int power = 0; power < 5; ++power) {
    double factor = 0;
    for (int k = std::max(power, 1); k < 5; ++k)
      factor += a[static_cast<std::size_t>(k)] * binomial[k][power] * std::pow(-x0, k - power);
    if (power == 0)
      relation.constant -= factor;
    else if (factor != 0)
      relation.terms.push_back({joint, -factor, power});
  }
}

void MjcfReader::add_tendon_relation(pugi::xml_node node, const std::string& name) {
  std::vector<double> a = xml_.numbers(node, "polycoef", 1, 5).value_or(std::vector<double>{0, 1, 0, 0, 0});
  a.resize(5, 0);
  const bool linear = a[2] == 0 && a[3] == 0 && a[4] == 0;
  RobotRelation relation;
  relation.name = name;
  const std::string first = xml_.required_word(node, "tendon1"), second = xml_.word(node, "tendon2").value_or("");
  const auto add = [&](const std::string& tendon, double factor) {
    const auto found = std::ranges::find(robot_.tendons, tendon, &RobotTendon::name);
    if (found == robot_.tendons.end()) return false;
    // The tendon's length as a sum over joints, each from its start: factors in the relation, starts in its constant.
    for (const auto& term : found->terms) {
      relation.terms.push_back({term.joint, factor * term.factor});
      relation.constant -= factor * term.factor * robot_.joints[term.joint].start;
    }
    return true;
  };
  // L1 = a0 + a1 L2; higher powers are no linear relation.
  if (!linear || !add(first, 1) || (!second.empty() && !add(second, -a[1]))) {
    robot_.leave_out(fmt::format("LOOP NOT KEPT: {}: {}: only linear relations of fixed tendons are",
                                 xml_.place_of(node), element_in_words(node)));
    return;
  }
  relation.constant -= a[0];
  robot_.loops.push_back(fmt::format("{}: relates {} joints", name, relation.terms.size()));
  robot_.relations.push_back(std::move(relation));
}

}  // namespace armature::internal
