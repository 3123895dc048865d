// The same machine with other names for all its parts, in an order of letters that has nothing to do with that before.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "model/model.hpp"
#include "support/model_formulas.hpp"

namespace armature::internal {

class RenamedModel {
 public:
  RenamedModel(const Model& model, unsigned seed) : model_(model) {
    collect();
    std::vector<std::string> fresh;
    for (std::size_t i = 0; i < names_.size() + points_.size(); ++i) fresh.push_back(fmt::format("n{}", i));
    std::mt19937 generator(seed);
    std::shuffle(fresh.begin(), fresh.end(), generator);
    for (auto* names : {&names_, &points_})
      for (auto& [old, name] : *names) name = fresh.back(), fresh.pop_back();
  }

  // "platform.P1.x", "theta1'"
  std::string renamed(const std::string& name) const {
    const std::string owner = name.substr(0, name.find_first_of(".'"));
    const auto found = names_.find(owner);
    if (found == names_.end()) return name;
    return found->second + renamed_part(owner, name.substr(owner.size()));
  }

  Model run() const {
    Model model = model_;
    rename_names(model);
    for_each_formula(model, [&](Formula& formula) {
      if (formula.given()) formula.root = renamed(formula.root);
    });
    return model;
  }

 private:
  using Tree = std::shared_ptr<const Syntax>;

  void add(const auto& list) {
    for (const auto& item : list) names_[item.name];
  }
  void add_firsts(const auto& list) {
    for (const auto& [name, second] : list) names_[name];
  }
  void collect() {
    add(model_.parameters), add(model_.bodies), add(model_.points), add(model_.joints), add(model_.distances);
    add(model_.prescribed), add(model_.forces), add(model_.drives), add(model_.controllers);
    add(model_.record.determinants);
    add(model_.lagrangian.coordinates), add(model_.lagrangian.constraints);
    add_firsts(model_.definitions), add_firsts(model_.tables), add_firsts(model_.record.quantities);
    add_firsts(model_.record.events);
    for (const Body& body : model_.bodies)
      for (const NamedPoint& point : body.points) points_[body.name + "." + point.name];
    for (const Controller& controller : model_.controllers) feedback_[controller.name] = !controller.on.empty();
  }

  // ".P1.x" of a body, ".theta1" of a controller that gives efforts on coordinates
  std::string renamed_part(const std::string& owner, const std::string& rest) const {
    if (rest.empty() || rest[0] != '.') return rest;
    const std::string part = rest.substr(1, rest.find_first_of(".'", 1) - 1), after = rest.substr(1 + part.size());
    if (const auto point = points_.find(owner + "." + part); point != points_.end()) return "." + point->second + after;
    const auto controller = feedback_.find(owner);
    return controller != feedback_.end() && controller->second ? "." + renamed(rest.substr(1)) : rest;
  }

  Tree renamed(const Tree& tree) const {
    auto copy = std::make_shared<Syntax>(*tree);
    if (tree->kind == Syntax::Kind::name || tree->kind == Syntax::Kind::call) copy->name = renamed(tree->name);
    for (Tree& child : copy->children) child = renamed(child);
    return copy;
  }

  void rename(std::string& name) const { name = renamed(name); }
  void rename_items(auto& list) const {
    for (auto& item : list) rename(item.name);
  }
  void rename_firsts(auto& list) const {
    for (auto& [name, second] : list) rename(name);
  }
  void rename_pairs(auto& list) const {
    rename_items(list);
    for (auto& item : list) rename(item.a.body), rename(item.b.body);
  }
  void rename_on(auto& list) const {
    for (auto& item : list) rename(item.on);
  }

  void rename_names(Model& model) const {
    for (Body& body : model.bodies)
      for (NamedPoint& point : body.points) point.name = points_.at(body.name + "." + point.name);
    rename_items(model.parameters), rename_items(model.bodies), rename_items(model.points);
    rename_pairs(model.joints), rename_pairs(model.distances);
    rename_items(model.prescribed), rename_items(model.forces), rename_items(model.controllers);
    for (ForceElement& element : model.forces) {
      for (Attachment& place : element.places) rename(place.body);
      for (std::string& on : element.on) rename(on);
    }
    rename_items(model.drives), rename_on(model.drives);
    for (Drive& drive : model.drives) rename(drive.rotor.carried_by);
    for (Controller& controller : model.controllers)
      for (std::string& on : controller.on) rename(on);
    rename_items(model.lagrangian.coordinates), rename_items(model.lagrangian.constraints);
    rename_on(model.lagrangian.forces);
    rename_firsts(model.definitions), rename_tables(model);
    rename_wishes(model);
  }

  void rename_tables(Model& model) const {
    model.tables.clear();
    for (const auto& [name, table] : model_.tables) model.tables[renamed(name)] = table;
  }

  // What a run is asked for: where to start, what to record.
  void rename_wishes(Model& model) const {
    for (auto* entries : {&model.start.keep, &model.start.near, &model.start.speed_keep, &model.start.speed_near})
      rename_items(*entries);
    rename_items(model.motion);
    for (std::string& name : model.actuators) rename(name);
    for (std::string& name : model.simulate.independent) rename(name);
    for (std::string& joint : model.record.reactions) rename(joint);
    rename_firsts(model.record.quantities), rename_firsts(model.record.events);
    for (RecordOptions::Determinant& determinant : model.record.determinants) {
      rename(determinant.name);
      for (std::string& name : determinant.coordinates) rename(name);
    }
  }

  const Model model_;
  std::map<std::string, std::string> names_, points_;  // points by "body.point"
  std::map<std::string, bool> feedback_;               // controllers: whether they give efforts on coordinates
};

}  // namespace armature::internal
