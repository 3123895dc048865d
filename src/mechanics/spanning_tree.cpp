#include "mechanics/spanning_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "model/joint_kinds.hpp"

namespace armature::internal {

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
  // Names in formulas: of definitions, constraints, forces, drives, controllers; and what motions and starts name.
  for (const auto& [name, formula] : model.definitions) used.add(formula);
  for (const auto& constraint : model.prescribed) used.add(constraint.zero);
  const auto add_all = [&](const Values& values) {
    for (const auto& [key, formula] : values) used.add(formula);
  };
  for (const ForceElement& element : model.forces) {
    for (const std::string& name : element.on) used.add_name(name);
    add_all(element.values);
  }
  for (const Drive& drive : model.drives) used.add_name(drive.on), used.add(drive.command.is);
  for (const Controller& controller : model.controllers) {
    for (const std::string& name : controller.on) used.add_name(name);
    add_all(controller.values);
  }
  for (const auto& motion : model.motion) used.add_name(motion.name);
  for (const auto* entries : {&model.start.keep, &model.start.near, &model.start.speed_keep, &model.start.speed_near})
    for (const auto& entry : *entries) used.add_name(entry.name);
  for (const auto& name : model.simulate.independent) used.add_name(name);
  return used;
}

}  // namespace

// Prim's algorithm from the ground: of the joints at the border, the most wanted one is taken next.
SpanningTree spanning_tree(const Model& model) {
  const UsedNames used = used_names(model);
  // joints of each body
  std::map<std::string, std::vector<int>> joints_of;  // by body; those that must be cut left out
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.cut.value_or(false)) continue;
    joints_of[joint.a.body].push_back(j), joints_of[joint.b.body].push_back(j);
  }
  std::map<std::string, int> depth;
  std::set<int> taken;
  SpanningTree tree;
  // the border: joints with one body in the tree and one outside
  // may be cut, not named, freedoms, depth, file order: the smallest goes first
  using Rank = std::tuple<bool, bool, int, int, int>;
  std::set<Rank> border;
  auto visit = [&](const std::string& body, int level) {
    depth[body] = level;
    for (int j : joints_of[body]) {
      const Joint& joint = model.joints[j];
      const bool wanted = used.contains(joint.name) || !joint.elements.empty();
      if (depth.contains(joint.a.body) == depth.contains(joint.b.body)) continue;
      border.insert({!joint.cut.has_value(), !wanted, words_of(joint.type).freedoms(), level + 1, j});
    }
  };
  // grow from the ground, always by the best joint of the border
  visit("ground", 0);
  while (!border.empty()) {
    const auto [may_be_cut, unnamed, freedoms, level, j] = *border.begin();
    border.erase(border.begin());
    const Joint& joint = model.joints[j];
    const bool has_a = depth.contains(joint.a.body), has_b = depth.contains(joint.b.body);
    if (has_a && has_b) continue;  // another joint reached its far body first
    taken.insert(j);
    tree.edges.push_back({j, has_b});
    visit(has_b ? joint.a.body : joint.b.body, level);
  }
  // what is left closes loops
  for (int j = 0; j < static_cast<int>(model.joints.size()); ++j)
    if (!taken.contains(j)) tree.cut.push_back(j);
  for (const Body& body : model.bodies)
    if (!depth.contains(body.name)) tree.unreached.push_back(body.name);
  return tree;
}

}  // namespace armature::internal
