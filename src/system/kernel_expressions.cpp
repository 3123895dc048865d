#include "system/kernel_expressions.hpp"

#include <initializer_list>
#include <limits>

#include "expression/derivative.hpp"
#include "system/flow.hpp"

namespace armature::internal::kernel_expressions {

namespace {

using List = std::vector<Expression>;

List joined(std::initializer_list<List> lists) {
  List all;
  for (const List& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// One member of every contact.
List of_contacts(const Equations& e, Expression RigidContact::*member) {
  List list;
  for (const RigidContact& contact : e.contacts) list.push_back(contact.*member);
  return list;
}

// N of each contact, then mu N - |T|.
List forces_of_contacts(const Equations& e) {
  List list = of_contacts(e, &RigidContact::force);
  for (const RigidContact& contact : e.contacts)
    list.push_back(contact.has_friction() ? contact.friction * contact.force -
                                                sqrt(square(contact.tangential_force) + square(contact.second_force))
                                          : Expression(0.0));
  return list;
}

// Where some discrete values are zero; -1: there is none.
List without(const Equations& e, const std::vector<int>& values, List list) {
  LeafMap zero;
  for (const int value : values)
    if (value >= 0) zero[e.discrete[static_cast<std::size_t>(value)].leaf.id()] = 0.0;
  Substitution at(zero);
  for (Expression& x : list) x = at(x);
  return list;
}

// Where all contacts are open.
List opened(const Equations& e, List list) {
  std::vector<int> modes;
  for (const RigidContact& contact : e.contacts) modes.insert(modes.end(), {contact.closed, contact.sticks});
  return without(e, modes, std::move(list));
}

// Where none sticks, and their forces are determined.
List sliding(const Equations& e, List list) {
  std::vector<int> modes{e.contact_softness};
  for (const RigidContact& contact : e.contacts) modes.push_back(contact.sticks);
  return without(e, modes, std::move(list));
}

// The time derivative of each, without accelerations.
List biases_of(const Equations& e, const List& rates) {
  Derivative along(flow_of_states(e));
  List list;
  for (const Expression& rate : rates) list.push_back(rate.is_constant() ? Expression(0.0) : along(rate));
  return list;
}

List rows_of(const Equations& e, const List& rates) {
  std::vector<Derivative> along;
  for (const Expression& v : e.v) along.emplace_back(LeafMap{{v.id(), 1.0}});
  List list;
  for (const Expression& rate : rates)
    for (Derivative& derivative : along) list.push_back(rate.is_constant() ? Expression(0.0) : derivative(rate));
  return list;
}

}  // namespace

// --- of the traced solve

List acceleration(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  return m.with_pivots(joined({m.motion(m.acceleration()), forces_of_contacts(source.e)}));
}

List acceleration_open(const KernelSource& source) { return opened(source.e, acceleration(source)); }

List acceleration_sliding(const KernelSource& source) { return sliding(source.e, acceleration(source)); }

// Baumgarte: Phi vdot = gamma - alpha phidot - beta phi
List acceleration_baumgarte(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  List b = m.gamma();
  for (std::size_t r = 0; r < b.size(); ++r) b[r] -= m.alpha() * m.phidot()[r] + m.beta() * m.phi()[r];
  return m.with_pivots(joined({m.motion(m.under_forces(b), true), forces_of_contacts(source.e)}));
}

List correct_position(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  return m.with_pivots(joined({m.step(m.phi()), m.phi()}));
}

List correct_velocity(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  return m.with_pivots(joined({m.step(m.phidot()), m.phidot()}));
}

List correct_velocity_and_errors(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  return m.with_pivots(
      joined({m.step(m.phidot()), m.position_normal(m.position_error()), m.normal(m.velocity_error()), m.phidot()}));
}

List correct_motion(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  const TracedMotion::Correction& c = m.correction();
  return m.with_pivots(joined({c.dq, c.dv, {c.work}, m.phi(), m.phidot()}));
}

List step_end(const KernelSource& source) {
  const TracedMotion& m = *source.traced;
  const TracedMotion::Correction& c = m.correction();
  return m.with_pivots(joined({m.motion(m.acceleration()),
                               forces_of_contacts(source.e),
                               c.dq,
                               c.dv,
                               m.tangent_position_error(),
                               m.tangent_velocity_error(),
                               {c.work},
                               m.phi(),
                               m.phidot()}));
}

// M dv + Phi' mu = G', Phi dv = 0 for each row G of the contacts.
List contact_response(const KernelSource& source) {
  const Equations& e = source.e;
  const TracedMotion& m = *source.traced;
  List list;
  for (const auto member : {&RigidContact::rate, &RigidContact::sliding, &RigidContact::second})
    for (const RigidContact& contact : e.contacts) {
      const List along = rows_of(e, {contact.*member}), none(e.v.size(), 0.0);
      const bool is_zero = (contact.*member).is_constant();
      const List response = is_zero ? none : m.solve(along, List(m.phi().size(), 0.0)).vdot;
      list.insert(list.end(), response.begin(), response.end());
    }
  return m.with_pivots(std::move(list));
}

// --- of every model

List roots(const KernelSource& source) {
  List list;
  for (const Graph::Comparison& comparison : source.e.graph->comparisons()) list.push_back(comparison.root);
  return list;
}

// d(root)/dt = root_t + root_q qdot + root_v vdot + root_z zdot
List root_rates(const KernelSource& source) {
  const Equations& e = source.e;
  LeafMap flow{{e.t.id(), 1.0}};
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  for (std::size_t i = 0; i < e.v.size(); ++i) flow[e.v[i].id()] = e.a[i];
  for (std::size_t i = 0; i < e.z.size(); ++i) flow[e.z[i].id()] = e.zdot[i];
  Derivative along(flow);
  List list;
  for (const Expression& root : roots(source)) list.push_back(along(root));
  return list;
}

List discrete(const KernelSource& source) {
  List list;
  for (const Discrete& value : source.e.discrete) list.push_back(value.next);
  return list;
}

List events(const KernelSource& source) {
  List list;
  for (const EventFunction& event : source.e.events) list.push_back(event.value);
  return list;
}

List next_stop(const KernelSource& source) {
  Expression first = std::numeric_limits<double>::max();
  for (const Expression& stop : source.e.stops) first = kept_below(stop, first);
  return joined({{first}, source.e.lookups});
}

List contact_gaps(const KernelSource& source) {
  return joined({of_contacts(source.e, &RigidContact::gap), of_contacts(source.e, &RigidContact::ahead)});
}

List contact_motion(const KernelSource& source) {
  return joined({contact_gaps(source), of_contacts(source.e, &RigidContact::rate)});
}

List contact_forces(const KernelSource& source) { return forces_of_contacts(source.e); }

List contact_rows(const KernelSource& source) {
  const Equations& e = source.e;
  const List rates = of_contacts(e, &RigidContact::rate), slidings = of_contacts(e, &RigidContact::sliding),
             seconds = of_contacts(e, &RigidContact::second);
  return joined({of_contacts(e, &RigidContact::gap), rates, slidings, seconds, biases_of(e, rates),
                 biases_of(e, slidings), biases_of(e, seconds), of_contacts(e, &RigidContact::restitution),
                 of_contacts(e, &RigidContact::friction), of_contacts(e, &RigidContact::tangential_restitution),
                 rows_of(e, rates), rows_of(e, slidings), rows_of(e, seconds)});
}

List observables(const KernelSource& source) {
  const Equations& e = source.e;
  List list;
  for (const Quantity& quantity : e.quantities) list.push_back(quantity.value);
  for (const Expression& part : {source.kinetic, e.potential, e.elastic, e.magnetic}) list.push_back(part);
  return list;
}

List energy(const KernelSource& source) { return {source.kinetic + source.e.potential + source.e.magnetic}; }

List reactions(const KernelSource& source) {
  List list;
  for (const Reaction& reaction : source.e.reactions)
    list.insert(list.end(), reaction.wrench.begin(), reaction.wrench.end());
  return list;
}

}  // namespace armature::internal::kernel_expressions
