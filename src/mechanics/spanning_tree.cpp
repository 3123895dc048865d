#include "mechanics/spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "mechanics/joint_motion.hpp"

namespace armature {

namespace {

// Every name that some formula of the file uses, with its dotted prefixes.
class UsedNames {
 public:
  void add(const Formula& formula) {
    if (formula.given()) add(*formula.root);
  }
  void add_name(std::string name) {
    for (;;) {
      names_.insert(name);
      auto dot = name.rfind('.');
      if (dot == std::string::npos) return;
      name.resize(dot);
    }
  }
  bool contains(const std::string& name) const { return names_.contains(name); }

 private:
  void add(const Syntax& syntax) {
    if (syntax.kind == Syntax::Kind::name) add_name(syntax.name);
    for (const auto& child : syntax.children) add(*child);
  }
  std::set<std::string> names_;
};

UsedNames used_names(const Model& model) {
  UsedNames used;
  for (const auto& [name, formula] : model.definitions) used.add(formula);
  for (const auto& constraint : model.prescribed) used.add(constraint.zero);
  for (const auto& spring : model.coordinate_springs) used.add_name(spring.on);
  for (const auto& effort : model.efforts) used.add_name(effort.on), used.add(effort.is);
  for (const auto& motor : model.motors)
    used.add_name(motor.on), used.add(motor.voltage), used.add(motor.current), used.add(motor.torque);
  for (const auto& controller : model.controllers) {
    for (const auto& name : controller.on) used.add_name(name);
    for (const auto* formula : {&controller.is, &controller.measure, &controller.target}) used.add(*formula);
  }
  for (const auto& motion : model.motion) used.add_name(motion.name);
  for (const auto& force : model.body_forces) used.add(force.force), used.add(force.torque);
  for (const auto* entries : {&model.start.keep, &model.start.near, &model.start.speed_keep, &model.start.speed_near})
    for (const auto& entry : *entries) used.add_name(entry.name);
  for (const auto& name : model.simulate.independent) used.add_name(name);
  return used;
}

}  // namespace

// Prim's algorithm from the ground: of the joints at the border, the most wanted one is taken next.
SpanningTree spanning_tree(const Model& model) {
  const UsedNames used = used_names(model);
  std::map<std::string, int> depth{{"ground", 0}};
  std::set<int> taken;
  SpanningTree tree;
  for (;;) {
    // may be cut, not named, freedoms, depth, file order: the smallest goes first
    using Rank = std::tuple<bool, bool, int, int, int>;
    std::optional<std::pair<Rank, SpanningTree::Edge>> best;
    for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
      const Joint& joint = model.joints[j];
      const bool has_a = depth.contains(joint.a.body), has_b = depth.contains(joint.b.body);
      if (taken.contains(j) || has_a == has_b || joint.cut.value_or(false)) continue;
      const bool wanted = used.contains(joint.name) || !joint.elements.empty();
      const int level = depth[has_a ? joint.a.body : joint.b.body] + 1;
      Rank rank{!joint.cut.has_value(), !wanted, freedom_count(joint.type), level, j};
      if (!best || rank < best->first) best = {rank, {j, has_b}};
    }
    if (!best) break;
    const auto edge = best->second;
    const Joint& joint = model.joints[edge.joint];
    depth[edge.reversed ? joint.a.body : joint.b.body] = std::get<3>(best->first);
    taken.insert(edge.joint);
    tree.edges.push_back(edge);
  }
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j)
    if (!taken.contains(j)) tree.cut.push_back(j);
  for (const Body& body : model.bodies)
    if (!depth.contains(body.name)) tree.unreached.push_back(body.name);
  return tree;
}

}  // namespace armature
