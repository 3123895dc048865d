#include "system/flow.hpp"

namespace armature::internal {

namespace {

void add_flow(const std::vector<Expression>& states, const std::vector<Expression>& rates, LeafMap& flow) {
  for (std::size_t i = 0; i < states.size(); ++i) flow[states[i].id()] = rates[i];
}

}  // namespace

LeafMap flow_of_positions(const Equations& e) {
  LeafMap flow{{e.t.id(), 1.0}};
  add_flow(e.q, e.qdot, flow);
  return flow;
}

LeafMap flow_of_auxiliary_states(const Equations& e) {
  LeafMap flow{{e.t.id(), 1.0}};
  add_flow(e.z, e.zdot, flow);
  return flow;
}

std::vector<Expression> gradient(Expression x, const std::vector<Expression>& leaves) {
  std::vector<Expression> row;
  for (const Expression& leaf : leaves) row.push_back(Derivative({{leaf.id(), 1.0}})(x));
  return row;
}

LeafMap flow_of_states(const Equations& e) {
  LeafMap flow = flow_of_positions(e);
  add_flow(e.z, e.zdot, flow);
  return flow;
}

}  // namespace armature::internal
