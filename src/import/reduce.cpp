#include "import/reduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace armature::internal {

namespace {

bool has_mass(const RobotBody& body) { return body.mass.mass > 0 || body.mass.inertia.cwiseAbs().maxCoeff() > 0; }

bool has_elements(const RobotJoint& joint) {
  return joint.inertia != 0 || joint.damping != 0 || joint.friction != 0 || joint.stiffness != 0;
}

class Reducer {
 public:
  explicit Reducer(Robot& robot) : robot_(robot) {}

  std::vector<Frame> reduce() {
    merge_welded();
    while (drop_useless_end()) {
    }
    for (RobotJoint& joint : robot_.joints) joint.declared = joint.closes;
    place();
    join_points();
    for (const RobotJoint& joint : robot_.joints)
      if (joint.closes && !said(joint.name)) robot_.loops.push_back(fmt::format("{}: closes a loop", joint.name));
    return poses_;
  }

 private:
  bool said(const std::string& name) const {
    return std::ranges::any_of(robot_.loops, [&](const std::string& line) { return line.starts_with(name + ":"); });
  }

  int count_joints(int body) const {
    return static_cast<int>(
        std::ranges::count_if(robot_.joints, [&](const RobotJoint& j) { return j.a == body || j.b == body; }));
  }

  // Bodies without mass that are welded to others. What is merged is taken out at the end, all at once: a robot may have
  // thousands of them. A merge makes no earlier weld one that can be merged.
  void merge_welded() {
    joints_of_.assign(robot_.bodies.size(), {});
    gone_joints_.assign(robot_.joints.size(), false);
    gone_bodies_.assign(robot_.bodies.size(), false);
    for (std::size_t k = 0; k < robot_.joints.size(); ++k)
      for (const int body : {robot_.joints[k].a, robot_.joints[k].b})
        if (body != ground_body) joints_of_[body].push_back(static_cast<int>(k));
    for (const bool closing : {false, true})
      for (std::size_t k = 0; k < robot_.joints.size(); ++k) merge_at(static_cast<int>(k), closing);
    remove_gone();
  }

  void merge_at(int k, bool closing) {
    const RobotJoint& joint = robot_.joints[k];
    if (gone_joints_[k] || joint.type != JointType::fixed || joint.closes != closing || joint.a == joint.b) return;
    for (const bool second : {true, false}) {
      const int body = second ? joint.b : joint.a, other = second ? joint.a : joint.b;
      if (body == ground_body || has_mass(robot_.bodies[body])) continue;
      const Frame frame = second ? joint.in_a * joint.in_b.inverse() : joint.in_b * joint.in_a.inverse();
      return merge(k, body, other, frame);
    }
  }

  // The body lies at `frame` of the other one.
  void merge(int fixed, int body, int other, const Frame& frame) {
    const RobotJoint joint = robot_.joints[fixed];
    const RobotBody gone = robot_.bodies[body];
    if (joint.closes) say_merged(joint, body, other);
    for (const int k : joints_of_[body]) {
      RobotJoint& each = robot_.joints[k];
      if (each.a == body) each.a = other, each.in_a = frame * each.in_a;
      if (each.b == body) each.b = other, each.in_b = frame * each.in_b;
    }
    std::vector<RobotPoint>& points = other == ground_body ? robot_.points : robot_.bodies[other].points;
    if (!joint.closes) points.push_back({gone.name, frame.p});
    for (const RobotPoint& point : gone.points) points.push_back({point.name, frame * point.at});
    if (other != ground_body)
      for (RobotShape shape : gone.shapes) shape.at = frame * shape.at, robot_.bodies[other].shapes.push_back(shape);
    if (other != ground_body)
      joints_of_[other].insert(joints_of_[other].end(), joints_of_[body].begin(), joints_of_[body].end());
    gone_joints_[fixed] = gone_bodies_[body] = true;
  }

  // How many that are gone come before each.
  static std::vector<int> gone_before(const std::vector<bool>& gone) {
    std::vector<int> count{0};
    for (const bool each : gone) count.push_back(count.back() + each);
    return count;
  }

  template <class Item>
  static void erase_gone(std::vector<Item>& items, const std::vector<bool>& gone) {
    std::vector<Item> kept;
    for (std::size_t k = 0; k < items.size(); ++k)
      if (!gone[k]) kept.push_back(std::move(items[k]));
    items = std::move(kept);
  }

  void remove_gone() {
    const std::vector<int> joints = gone_before(gone_joints_), bodies = gone_before(gone_bodies_);
    erase_gone(robot_.joints, gone_joints_);
    erase_gone(robot_.bodies, gone_bodies_);
    renumber_joints([&](int& joint) { joint -= joint < 0 ? 0 : joints[joint]; });
    for (RobotJoint& joint : robot_.joints)
      for (int* body : {&joint.a, &joint.b}) *body -= *body == ground_body ? 0 : bodies[*body];
  }

  // The weld closed the loop; now the other joint of the body does, or the one of its joints that has none of a drive's parts.
  void say_merged(const RobotJoint& weld, int body, int other) {
    std::vector<int> others;
    for (std::size_t k = 0; k < robot_.joints.size(); ++k)
      if (const RobotJoint& each = robot_.joints[k];
          !gone_joints_[k] && each.name != weld.name && (each.a == body || each.b == body))
        others.push_back(static_cast<int>(k));
    if (others.empty()) return;
    RobotJoint& closing = robot_.joints[others[0]];
    closing.closes = true;
    robot_.loops.push_back(fmt::format("{}: closes a loop; the weld {} of the massless {} to {} is part of it",
                                       closing.name, weld.name, robot_.bodies[body].name, body_name(robot_, other)));
  }

  void remove_joint(int gone) {
    robot_.joints.erase(robot_.joints.begin() + gone);
    renumber_joints([&](int& joint) { joint -= joint > gone; });
  }

  void renumber_joints(const std::function<void(int&)>& renumber) {
    for (RobotRelation& relation : robot_.relations)
      for (auto& term : relation.terms) renumber(term.joint);
    for (RobotTendon& tendon : robot_.tendons)
      for (auto& term : tendon.terms) renumber(term.joint);
    for (RobotActuator& actuator : robot_.actuators) renumber(actuator.joint);
  }

  void remove_body(int gone) {
    robot_.bodies.erase(robot_.bodies.begin() + gone);
    for (RobotJoint& joint : robot_.joints) {
      joint.a -= joint.a > gone;
      joint.b -= joint.b > gone;
    }
  }

  bool is_used(int joint) const {
    const auto uses = [&](const auto& item) {
      return std::ranges::any_of(item.terms, [&](const auto& term) { return term.joint == joint; });
    };
    return std::ranges::any_of(robot_.relations, uses) || std::ranges::any_of(robot_.tendons, uses) ||
           std::ranges::find(robot_.actuators, joint, &RobotActuator::joint) != robot_.actuators.end();
  }

  // A body without mass at the end of one joint moves without resistance and moves nothing.
  bool drop_useless_end() {
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      const RobotJoint& joint = robot_.joints[k];
      if (joint.b == ground_body || has_mass(robot_.bodies[joint.b]) || count_joints(joint.b) > 1 || joint.inertia > 0)
        continue;
      const std::string name = robot_.bodies[joint.b].name;
      if (is_used(static_cast<int>(k))) {
        robot_.leave_out(
            fmt::format("{}: has no mass, and the joint {} moves nothing else; give it a mass", name, joint.name));
        return false;
      }
      robot_.leave_out(fmt::format("{} and the joint {}: it has no mass and carries nothing", name, joint.name));
      const int body = joint.b;
      remove_joint(static_cast<int>(k));
      remove_body(body);
      return true;
    }
    return false;
  }

  // Breadth first from the ground through joints that close no loop.
  void place() {
    poses_.assign(robot_.bodies.size(), {});
    placed_.assign(robot_.bodies.size(), false);
    in_tree_.assign(robot_.joints.size(), false);
    for (const bool any : {false, true}) spread(any);
    for (std::size_t body = 0; body < placed_.size(); ++body) {
      if (placed_[body]) continue;
      RobotJoint joint;
      joint.name = robot_.bodies[body].name + "_free";
      joint.type = JointType::free;
      joint.b = static_cast<int>(body);
      robot_.joints.push_back(joint);
      in_tree_.push_back(false);
      for (const bool any : {false, true}) spread(any);
    }
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) robot_.joints[k].closes = !in_tree_[k];
  }

  // any: also through joints of which the file says that they close a loop
  void spread(bool any) {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
        const RobotJoint& joint = robot_.joints[k];
        if ((joint.closes && !any) || in_tree_[k]) continue;
        const bool a = is_placed(joint.a), b = is_placed(joint.b);
        if (a == b) continue;
        const int body = a ? joint.b : joint.a;
        poses_[body] =
            a ? pose(joint.a) * joint.in_a * joint.in_b.inverse() : pose(joint.b) * joint.in_b * joint.in_a.inverse();
        placed_[body] = in_tree_[k] = more = true;
      }
    }
  }

  bool is_placed(int body) const { return body == ground_body || placed_[body]; }
  Frame pose(int body) const { return body == ground_body ? Frame{} : poses_[body]; }

  struct Pair {
    Eigen::Vector3d a, b;
  };

  // Spherical joints between the same two bodies.
  void join_points() {
    for (std::size_t k = 0; k < robot_.joints.size(); ++k) {
      if (!is_plain_ball(robot_.joints[k])) continue;
      std::vector<Pair> pairs{{robot_.joints[k].in_a.p, robot_.joints[k].in_b.p}};
      std::vector<int> members;
      for (std::size_t l = k + 1; l < robot_.joints.size(); ++l) {
        const RobotJoint& other = robot_.joints[l];
        if (!is_plain_ball(other) ||
            std::minmax(other.a, other.b) != std::minmax(robot_.joints[k].a, robot_.joints[k].b))
          continue;
        const bool same = other.a == robot_.joints[k].a;
        pairs.push_back(same ? Pair{other.in_a.p, other.in_b.p} : Pair{other.in_b.p, other.in_a.p});
        members.push_back(static_cast<int>(l));
      }
      if (!members.empty()) join(static_cast<int>(k), members, pairs);
    }
  }

  bool is_plain_ball(const RobotJoint& joint) const {
    return joint.closes && joint.type == JointType::spherical && !has_elements(joint);
  }

  void join(int first, const std::vector<int>& members, const std::vector<Pair>& pairs) {
    double scale = 0;
    for (const Pair& pair : pairs) scale = std::max(scale, (pair.a - pairs[0].a).norm());
    for (const Pair& p : pairs)
      for (const Pair& q : pairs)
        if (!(std::abs((p.a - q.a).norm() - (p.b - q.b).norm()) < 1e-9 * scale))
          return;  // the machine cannot meet both: its business
    Eigen::Vector3d along_a = (pairs[1].a - pairs[0].a).normalized(), along_b = (pairs[1].b - pairs[0].b).normalized();
    if (const Eigen::Vector3d seen = pose(robot_.joints[first].a).R * along_a; seen.sum() < 0)
      along_a = -along_a, along_b = -along_b;
    if (!(scale > 0) || !along_a.allFinite()) return;
    for (std::size_t k = 2; k < pairs.size(); ++k)
      if (along_a.cross(pairs[k].a - pairs[0].a).norm() > 1e-9 * scale)
        return;  // three points not in line: rows of a fixed joint
    RobotJoint& joint = robot_.joints[first];
    joint.type = JointType::revolute;
    joint.axis = Eigen::Vector3d::UnitZ();
    joint.in_a.R = turn_between(Eigen::Vector3d::UnitZ(), along_a);
    // zero where the bodies have the pose of the file, if their axes agree there
    const Eigen::Matrix3d here = pose(joint.b).R.transpose() * pose(joint.a).R * joint.in_a.R;
    joint.in_b.R = turn_between(here.col(2), along_b) * here;
    std::vector<std::string> names{joint.name};
    for (const int member : members) names.push_back(robot_.joints[member].name);
    robot_.loops.push_back(fmt::format("{}: closes a loop; the points {} lie on one axis: a revolute joint", joint.name,
                                       fmt::join(names, ", ")));
    for (auto member = members.rbegin(); member != members.rend(); ++member) remove_joint(*member);
  }

  Robot& robot_;
  std::vector<Frame> poses_;
  std::vector<bool> placed_, in_tree_, gone_joints_, gone_bodies_;
  std::vector<std::vector<int>> joints_of_;  // of each body
};

}  // namespace

std::vector<Frame> reduce(Robot& robot) { return Reducer(robot).reduce(); }

}  // namespace armature::internal
