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

bool depends_on_velocities(const Equations& equations, Expression x) {
  if (x.is_constant()) return false;
  const std::vector<std::int32_t> leaves = leaves_of(x);
  const auto among = [&](const Expression& leaf) { return std::ranges::binary_search(leaves, leaf.id()); };
  if (std::ranges::any_of(equations.v, among)) return true;
  for (std::size_t k = 0; k < equations.graph->comparisons().size(); ++k) {
    const Expression root = equations.graph->comparisons()[k].root;
    if (among(equations.graph->outcome(static_cast<int>(k))) && depends_on_velocities(equations, root)) return true;
  }
  return false;
}

// s of v = 0, of a sliding velocity that is linear in v.
Expression part_without_velocities(const Equations& equations, Expression sliding) {
  LeafMap standing;
  for (const Expression& v : equations.v) standing.emplace(v.id(), 0.0);
  return Substitution(std::move(standing))(sliding);
}

void refuse_not_linear(const Equations& equations, const ContactLaw& law) {
  bool moves = false;
  for (const Expression& v : equations.v) {
    const Expression slope = Derivative({{v.id(), 1.0}})(law.sliding);
    if (depends_on_velocities(equations, slope))
      throw FormulaError(law.where, "sliding must be linear in velocities, such as tip.x' - belt_speed");
    moves = moves || !slope.is(0);
  }
  if (!moves) throw FormulaError(law.where, "sliding must be a velocity, such as tip.x'");
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
  // the surface that t moves does work: N (gap' - gap_t) on the machine, and gap' = 0 while it pushes
  Equations& equations = builder.equations();
  equations.applied_power -= contact.force * part_with_time(equations, law.gap);
}

// T along one tangent; sliding: s along it, direction: of the unit vector of s.
Expression add_friction(EquationsBuilder& builder, const ContactLaw& law, const std::string& name, Expression sliding,
                        Expression sticks, Expression limit, Expression softness) {
  const Expression force = add_contact_load(builder, name, law.where, softness, [&](Expression T) {
    return LoadTerm{sticks, {T - builder.rate_of(sliding)}, true};
  });
  if (!builder.second_build()) builder.equations().loads.back().terms.push_back({sticks - 1.0, {limit}, true});
  builder.apply(force, sliding);
  Equations& equations = builder.equations();
  equations.friction -= force * sliding;
  equations.applied_power -= force * part_without_velocities(equations, sliding);  // a belt that t moves
  return force;
}

void add_tangential_force(EquationsBuilder& builder, const ContactLaw& law, Expression softness,
                          RigidContact& contact) {
  const Expression sticks = builder.add_event_value(law.name + ".sticks", 0),
                   direction = builder.add_event_value(law.name + ".direction", 1), most = law.friction * contact.force;
  contact.ahead = law.sliding;
  if (law.second.is_constant()) {
    contact.tangential_force =
        add_friction(builder, law, law.name + ".friction", law.sliding, sticks, most * direction, softness);
    return;
  }
  // s/|s|, by a direction held and what is across it
  const Expression across = builder.add_event_value(law.name + ".across", 0),
                   slow = builder.add_event_value(law.name + ".slow", 1);
  const Expression a = direction * law.sliding + across * law.second, b = direction * law.second - across * law.sliding;
  const Expression r = 0.5 * (a + sqrt(a * a + square(2.0 * slow))), per_length = 1.0 / sqrt(r * r + b * b);
  const Expression first = (r * direction - b * across) * per_length,
                   second = (r * across + b * direction) * per_length;
  contact.ahead = a;
  contact.tangential_force =
      add_friction(builder, law, law.name + ".friction", law.sliding, sticks, most * first, softness);
  contact.second_force =
      add_friction(builder, law, law.name + ".friction2", law.second, sticks, most * second, softness);
}

}  // namespace

RigidContact add_rigid_contact(EquationsBuilder& builder, const ContactLaw& law) {
  RigidContact contact{
      law.name,    law.label,  law.unit, law.where,       law.gap,      rate_of_positions(builder, law),
      law.sliding, law.second, 0.0,      law.restitution, law.friction, law.tangential_restitution,
      0.0,         0.0,        0.0};
  if (contact.rate.is_constant())
    throw FormulaError(law.where, "the gap of a rigid contact must change with the motion, but this one is constant");
  // All rigid contacts share one softness, zero where their forces are determined.
  Equations& equations = builder.equations();
  const Expression softness = builder.add_event_value(softness_name, 0);
  add_normal_force(builder, law, softness, contact);
  if (contact.has_friction()) refuse_not_linear(equations, law), add_tangential_force(builder, law, softness, contact);
  // A second build has the same values; the first one notes where they are.
  if (builder.second_build()) return contact;
  equations.contact_softness = index_of(equations, softness_name);
  contact.closed = index_of(equations, law.name + ".closed");
  if (contact.has_friction()) {
    contact.sticks = index_of(equations, law.name + ".sticks");
    contact.direction = index_of(equations, law.name + ".direction");
  }
  if (!law.second.is_constant()) {
    contact.across = index_of(equations, law.name + ".across");
    contact.slow = index_of(equations, law.name + ".slow");
  }
  equations.contacts.push_back(contact);
  return contact;
}

}  // namespace armature::internal
