#include "sensitivity/jump_equations.hpp"

#include <cmath>

#include "expression/derivative.hpp"
#include "mechanics/energy_ledger.hpp"
#include "system/flow.hpp"

namespace armature::internal::jump_equations {

List comparison_roots(const Equations& e) {
  List roots;
  for (const Graph::Comparison& comparison : e.graph->comparisons()) roots.push_back(comparison.root);
  return roots;
}

List next_values(const Equations& e) {
  List next;
  for (const Discrete& value : e.discrete) next.push_back(value.next);
  return next;
}

double edge_of(const Graph::Comparison& comparison, double root) {
  return comparison.kind == Graph::ComparisonKind::floor ? std::round(root) : 0;
}

int impact_work_state(const Equations& e) { return ImpactWork(e).state().value_or(-1); }

ImpulseBalance impulse_balance(const Equations& e) {
  List u, zero;
  for (std::size_t i = 0; i < e.v.size(); ++i) u.push_back(e.graph->input("u"));
  // The impulse M (v - u) between the velocities u before and v after the jump …
  for (std::size_t i = 0; i < e.v.size(); ++i) {
    Expression sum = 0.0;
    for (const auto& [j, entry] : e.M.row(static_cast<int>(i)))
      sum += entry * (e.v[static_cast<std::size_t>(j)] - u[static_cast<std::size_t>(j)]);
    zero.push_back(sum);
  }
  // … is that of the constraints, whose rates are zero after it.
  Derivative along_flow(flow_of_states(e));
  List phidot;
  for (std::size_t row = 0; row < e.rows.size(); ++row) {
    phidot.push_back(along_flow(e.rows[row].phi));
    for (std::size_t i = 0; i < e.v.size(); ++i)
      zero[i] += Derivative({{e.v[i].id(), 1.0}})(phidot[row]) * e.lambda[row];
  }
  zero.insert(zero.end(), phidot.begin(), phidot.end());
  u.insert(u.end(), e.lambda.begin(), e.lambda.end());
  return {zero, u};
}

Expression stored_energy(const Equations& e) { return e.kinetic + e.potential + e.magnetic; }

}  // namespace armature::internal::jump_equations
