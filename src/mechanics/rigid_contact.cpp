#include <algorithm>

#include "expression/derivative.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/friction_load.hpp"
#include "mechanics/solution_leaves.hpp"

namespace armature::internal {

namespace {

constexpr const char* softness_name = "contacts.softness";

int index_of(const Equations& equations, const std::string& name) {
  return static_cast<int>(std::ranges::find(equations.discrete, name, &Discrete::name) - equations.discrete.begin());
}

Expression part_with_time(const Equations& equations, Expression gap) {
  return gap.is_constant() ? Expression(0.0) : Derivative({{equations.t.id(), 1.0}})(gap);
}

Expression rate_of_positions(EquationsBuilder& builder, const ContactLaw& law) {
  const Expression rate = builder.rate_of(law.gap);
  if (has_acceleration(builder.equations(), rate))
    throw FormulaError(law.where, "the gap depends on a velocity; it may depend on positions and t");
  return rate;
}

void add_normal_force(EquationsBuilder& builder, const ContactLaw& law, Expression softness, RigidContact& contact) {
  const Expression closed = builder.add_event_value(law.name + ".closed", 0);
  contact.force = add_contact_load(builder, law.name, law.where, softness, [&](Expression N) {
    return LoadTerm{closed, {N - builder.rate_of(contact.rate)}, true};
  });
  builder.apply(contact.force, contact.rate);
  // what moves the gap with t does work
  Equations& equations = builder.equations();
  equations.applied_power += contact.force * part_with_time(equations, law.gap);
}

void add_tangential_force(EquationsBuilder& builder, const ContactLaw& law, Expression softness, RigidContact& contact) {
  const Expression sticks = builder.add_event_value(law.name + ".sticks", 0),
                   direction = builder.add_event_value(law.name + ".direction", 1);
  const Expression limit = law.friction * direction * contact.force;
  contact.tangential_force =
      add_contact_load(builder, law.name + ".friction", law.where, softness, [&](Expression T) {
        return LoadTerm{sticks, {T - builder.rate_of(law.sliding)}, true};
      });
  if (!builder.second_build()) builder.equations().loads.back().terms.push_back({sticks - 1.0, {limit}, true});
  builder.apply(contact.tangential_force, law.sliding);
  builder.equations().friction -= contact.tangential_force * law.sliding;
}

}  // namespace

RigidContact add_rigid_contact(EquationsBuilder& builder, const ContactLaw& law) {
  RigidContact contact{law.name, law.label, law.unit, law.where, law.gap, rate_of_positions(builder, law), law.sliding,
                       law.restitution, law.friction, law.tangential_restitution, 0.0, 0.0};
  if (contact.rate.is_constant())
    throw FormulaError(law.where, "the gap of a rigid contact must change with the motion, but this one is constant");
  Equations& equations = builder.equations();
  const Expression softness = builder.add_event_value(softness_name, 0);
  add_normal_force(builder, law, softness, contact);
  if (contact.has_friction()) add_tangential_force(builder, law, softness, contact);
  if (builder.second_build()) return contact;
  equations.contact_softness = index_of(equations, softness_name);
  contact.closed = index_of(equations, law.name + ".closed");
  if (contact.has_friction()) {
    contact.sticks = index_of(equations, law.name + ".sticks");
    contact.direction = index_of(equations, law.name + ".direction");
  }
  equations.contacts.push_back(contact);
  return contact;
}

}  // namespace armature::internal
