#include "mechanics/builder.hpp"

#include <algorithm>

#include "mechanics/bodies.hpp"
#include "mechanics/solution_leaves.hpp"

namespace armature::internal {

EquationsBuilder::EquationsBuilder(const Model& model, Equations& equations,
                                   const std::vector<std::string>& virtual_joints)
    : model_(model),
      equations_(equations),
      velocities_(equations, virtual_joints),
      time_derivative_(equations, velocities_),
      coordinates_(equations),
      names_(model, equations, coordinates_, velocities_, time_derivative_),
      forces_(velocities_, time_derivative_) {
  equations.used_files = model.used_files;
  names_.require_positive_by([this](Expression value, Location where, const std::string& sentence) {
    require_positive(value, where, sentence);
  });
}

void EquationsBuilder::act_when_named() {
  for (const auto& act : when_named_) guarded("controllers", act);
  when_named_.clear();
}

Expression EquationsBuilder::add_state(const std::string& name, const std::string& unit, const std::string& owner) {
  for (std::size_t i = 0; i < equations_.others.size(); ++i)
    if (equations_.others[i].name == name) return equations_.z[i];
  equations_.others.push_back({name, Coordinate::Kind::other, unit, owner});
  equations_.z.push_back(graph().input(name));
  equations_.zdot.push_back(0.0);
  return equations_.z.back();
}

void EquationsBuilder::set_rate(Expression state, Expression zdot) {
  for (std::size_t i = 0; i < equations_.z.size(); ++i)
    if (equations_.z[i] == state) equations_.zdot[i] = zdot;
}

Expression EquationsBuilder::add_discrete(const std::string& name, double period, double offset) {
  for (const Discrete& known : equations_.discrete)
    if (known.name == name) return known.leaf;
  equations_.discrete.push_back({name, graph().input(name), 0.0, 0, period, offset});
  return equations_.discrete.back().leaf;
}

Expression EquationsBuilder::add_event_value(const std::string& name, double initial) {
  const Expression leaf = add_discrete(name, 0, 0);
  Discrete& value = *std::ranges::find(equations_.discrete, name, &Discrete::name);
  value.next = leaf, value.initial = initial, value.set_at_events = true;
  return leaf;
}

void EquationsBuilder::set_next(Expression leaf, Expression next) {
  for (Discrete& value : equations_.discrete)
    if (value.leaf == leaf) value.next = next;
}

void EquationsBuilder::apply(Expression effort, Expression rate) {
  refuse_algebraic_loop(equations_, rate);
  forces_.apply(effort, rate);
}

void EquationsBuilder::add_inertia(Expression inertia, Expression rate) {
  for (const Expression& x : {inertia, rate}) refuse_algebraic_loop(equations_, x);
  forces_.add_inertia(inertia, rate);
}

void EquationsBuilder::set_bodies(Bodies& bodies) {
  bodies_ = &bodies;
  names_.look_further_in([&bodies](const std::string& name) { return bodies.look_up(name); });
}

Bodies& EquationsBuilder::bodies_with(const std::string& body, Location where) const {
  if (!bodies_ || !bodies_->contains(body)) throw FormulaError(where, "there is no body '" + body + "'");
  return *bodies_;
}

void EquationsBuilder::require(Requirement requirement) {
  const Expression& value = requirement.value;
  if (!value.is_constant()) {
    requirement.key = key_;
    equations_.requirements.push_back(std::move(requirement));
  } else if (!requirement.holds(value.value())) {
    throw FormulaError(requirement.where, requirement.sentence);
  }
}

void EquationsBuilder::fail(Location where, const std::string& key, const std::string& message) {
  diagnostics_.push_back({where, key, message});
}

void EquationsBuilder::throw_if_failed() const {
  if (!diagnostics_.empty()) throw ModelError(model_, diagnostics_);
}

}  // namespace armature::internal
