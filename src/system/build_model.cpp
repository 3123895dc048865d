#include "system/build_model.hpp"

#include <algorithm>

#include "control/controllers.hpp"
#include "drive/drives.hpp"
#include "lagrangian/lagrangian.hpp"
#include "mechanics/auxiliary_states.hpp"
#include "mechanics/build.hpp"
#include "mechanics/solution_leaves.hpp"
#include "model/formula_units.hpp"
#include "system/constraint_inertia.hpp"
#include "system/determinants.hpp"
#include "system/feedback.hpp"
#include "system/table_stops.hpp"

namespace armature::internal {

namespace {

// Functions whose zeros a run locates; recorded too.
void add_events(EquationsBuilder& builder) {
  if (builder.model().record.events.empty()) return;
  const FormulaUnits units(builder.model());
  for (const auto& [name, formula] : builder.model().record.events)
    builder.guarded("record.events." + name, [&, &name = name, &formula = formula] {
      const Expression value = builder.scalar(formula);
      builder.equations().events.push_back({name, value});
      builder.equations().quantities.push_back({name, units.unit_of(formula), value});
    });
}

void add_elements(EquationsBuilder& builder) {
  add_auxiliary_states(builder);
  add_controllers(builder);
  add_drives(builder);
  builder.act_when_named();
  add_events(builder);
}

// Forces may depend on accelerations and reactions (friction_loads.hpp), inertia and energy may not. Elements refuse what they know to
// be a loop; this is the net below them.
void refuse_loops_left(const Model& model, const Equations& equations) {
  try {
    for (const Expression& x : {equations.kinetic, equations.potential}) refuse_algebraic_loop(equations, x);
    for (int i = 0; i < equations.M.rows() && equations.solution_in_formulas; ++i)
      for (const auto& [j, entry] : equations.M.row(i)) refuse_algebraic_loop(equations, entry);
  } catch (const FormulaError& error) {
    throw ModelError(model, {{error.where, "", error.what()}});
  }
}

void add_hand_forces(Equations& e) {
  for (std::size_t i = 0; i < e.v.size(); ++i)
    if (const auto found = std::ranges::find(e.p_name, hand_force(i)); found != e.p_name.end())
      e.f[i] += e.p[static_cast<std::size_t>(found - e.p_name.begin())];
}

std::shared_ptr<Equations> build(const Model& model, const std::vector<std::string>& free_parameters, bool plain) {
  auto equations = model.lagrangian.given ? build_lagrangian(model, free_parameters, add_elements)
                                          : build_equations(model, free_parameters, add_elements);
  if (!model.lagrangian.given && !plain) add_constraint_inertia(*equations);
  add_determinants(model, *equations);
  resolve_feedback(model, *equations);
  refuse_loops_left(model, *equations);
  add_hand_forces(*equations);
  add_table_stops(*equations);
  return equations;
}

}  // namespace

std::string hand_force(std::size_t velocity) { return "hand." + std::to_string(velocity); }

std::shared_ptr<Equations> build_model(const Model& model, const std::vector<std::string>& free_parameters) {
  return build(model, free_parameters, false);
}

std::shared_ptr<Equations> build_plain_model(const Model& model, const std::vector<std::string>& free_parameters) {
  return build(model, free_parameters, true);
}

}  // namespace armature::internal
