#include "mechanics/auxiliary_states.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

void add_auxiliary_state(EquationsBuilder& builder, const AuxiliaryState& state) {
  const Expression leaf = builder.add_state(state.name, state.unit, "");
  builder.offer(state.name, [leaf, &state] {
    Value value(leaf);
    value.dimension = state.dimension;
    return value;
  });
  // a rate may use coordinates, signals and other states, which are all known once every name is offered
  builder.offer(state.name + "'", [&builder, &state] { return Value(builder.scalar(state.rate)); });
  builder.when_named([&builder, &state, leaf] {
    builder.guarded("states." + state.name + ".rate",
                    [&] { builder.set_rate(leaf, builder.look_up(state.name + "'")->parts[0]); });
  });
  const Expression start = builder.scalar(state.start);
  if (!is_of_parameters(start, builder.equations()))
    return builder.fail(state.where, "states." + state.name + ".start", "must be a constant");
  if (start.is(0)) return;
  const std::vector<Expression>& z = builder.equations().z;
  const auto place = std::ranges::find(z, leaf.id(), [](const Expression& each) { return each.id(); });
  builder.equations().z_initial.emplace_back(static_cast<int>(place - z.begin()), start);
}

}  // namespace

bool is_of_parameters(Expression x, const Equations& equations) {
  if (x.is_constant()) return true;
  return std::ranges::all_of(leaves_of(x), [&](std::int32_t leaf) {
    return std::ranges::any_of(equations.p, [&](const Expression& p) { return p.id() == leaf; });
  });
}

void add_auxiliary_states(EquationsBuilder& builder) {
  for (const AuxiliaryState& state : builder.model().states) add_auxiliary_state(builder, state);
}

}  // namespace armature::internal
