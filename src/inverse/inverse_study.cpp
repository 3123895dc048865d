#include "inverse/inverse_study.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "expression/derivative.hpp"
#include "mechanics/rolling.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

// Also through a comparison: if(t > 1, …).
bool moves_with_time(Expression x, const Equations& equations) {
  if (depends_on(x, equations.t)) return true;
  const auto& comparisons = equations.graph->comparisons();
  for (std::size_t k = 0; k < comparisons.size(); ++k)
    if (depends_on(comparisons[k].root, equations.t) && depends_on(x, equations.graph->outcome(static_cast<int>(k))))
      return true;
  return false;
}

// All rows would be the same.
void refuse_standstill(const Equations& equations) {
  for (const ConstraintRow& row : equations.rows)
    if (moves_with_time(row.phi, equations)) return;
  std::vector<std::string> names;
  for (const Coordinate& coordinate : equations.positions) names.push_back(coordinate.name);
  throw RequestError("move",
                     fmt::format("nothing moves; prescribe a formula in t for one of {}", fmt::join(names, ", ")));
}

}  // namespace

Prepared prepare_inverse(const Model& model, const StartChoice& start) {
  Prepared prepared = compile_inverse(model);
  refuse_velocity_rows(prepared.system->equations(), "inverse");
  require_chosen_start(prepared, start);
  return prepared;
}

Prepared prepare_kinematics(const Model& model, const StartChoice& start) {
  Prepared prepared = compile(model);
  refuse_velocity_rows(prepared.system->equations(), "kinematics");
  refuse_standstill(prepared.system->equations());
  require_chosen_start(prepared, start);
  return prepared;
}

}  // namespace armature::internal
