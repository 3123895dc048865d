#include "report/page_start.hpp"

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

using Expressions = std::vector<Expression>;

// d/dt along qdot, at a fixed time: linear in v.
LeafMap along_positions(const Equations& e) {
  LeafMap flow;
  for (std::size_t i = 0; i < e.q.size(); ++i) flow[e.q[i].id()] = e.qdot[i];
  return flow;
}

void append_derivatives(const Equations& e, const Expressions& linear_in_v, Expressions& list) {
  std::vector<Derivative> by_velocity;
  for (const Expression& v : e.v) by_velocity.emplace_back(LeafMap{{v.id(), 1.0}});
  for (const Expression& x : linear_in_v)
    for (Derivative& derivative : by_velocity) list.push_back(derivative(x));
}

}  // namespace

PageStart page_start(const System& system) {
  const Equations& e = system.equations();
  PageStart start;
  Derivative at_fixed_time(along_positions(e));
  LeafMap flow = along_positions(e);
  flow[e.t.id()] = 1.0;
  Derivative with_time(flow);

  Expressions positions, rates, velocities;
  for (const StartCondition& condition : e.keep) positions.push_back(condition.residual);
  for (const ConstraintRow& row : e.rows) positions.push_back(row.phi);
  for (const Expression& x : positions) rates.push_back(at_fixed_time(x));
  for (const StartCondition& condition : e.speed_keep) velocities.push_back(condition.residual);
  for (const ConstraintRow& row : e.rows) velocities.push_back(with_time(row.phi));

  Expressions outputs = positions;
  append_derivatives(e, rates, outputs);
  outputs.insert(outputs.end(), velocities.begin(), velocities.end());
  append_derivatives(e, velocities, outputs);
  for (const auto& [index, value] : e.z_initial) {
    outputs.push_back(value);
    start.states.push_back(static_cast<int>(e.q.size() + e.v.size()) + index);
  }
  start.positions = static_cast<int>(positions.size()), start.velocities = static_cast<int>(velocities.size());
  start.program = system.make_program(outputs);
  return start;
}

}  // namespace armature::internal
