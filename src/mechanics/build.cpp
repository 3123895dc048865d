#include "mechanics/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mechanics/energy_ledger.hpp"
#include "mechanics/mechanism.hpp"
#include "mechanics/quantities.hpp"
#include "mechanics/reactions.hpp"
#include "mechanics/solution_leaves.hpp"
#include "mechanics/start_conditions.hpp"

namespace armature::internal {

namespace {

void add_free_parameters(const Model& model, const std::vector<std::string>& names, Equations& equations) {
  for (const Parameter& parameter : model.parameters)
    if (std::find(names.begin(), names.end(), parameter.name) != names.end()) {
      equations.p_name.push_back(parameter.name);
      equations.p_value.push_back(parameter.value);
      equations.p.push_back(equations.graph->input(parameter.name));
    }
  for (const HostInput& input : model.inputs) {
    equations.p_name.push_back(input.name);
    equations.p_value.push_back(input.value);
    equations.p.push_back(equations.graph->input(input.name));
  }
}

void add_references(Equations& equations) {
  for (const AngleReference& reference : equations.references) {
    equations.others.push_back({"reference of " + reference.name, Coordinate::Kind::reference, "rad", ""});
    equations.z.push_back(reference.leaf);
    equations.zdot.push_back(reference.rate);
  }
}

}  // namespace

std::shared_ptr<Equations> begin_equations(const Model& model, const std::vector<std::string>& free_parameters) {
  auto equations = std::make_shared<Equations>();
  equations->t = equations->graph->input("t");
  add_free_parameters(model, free_parameters, *equations);
  return equations;
}

void complete_equations(EquationsBuilder& builder) {
  Equations& equations = builder.equations();
  add_energy_ledger(equations);
  add_references(equations);
  add_quantities(builder);
  builder.throw_if_failed();
  complete_solution_leaves(equations);
}

std::shared_ptr<Equations> build_equations(const Model& model, const std::vector<std::string>& free_parameters,
                                           const ElementAdder& add_elements) {
  auto equations = begin_equations(model, free_parameters);
  Mechanism mechanism(model, *equations);
  mechanism.place_joints();
  mechanism.close_loops();
  if (add_elements) add_elements(mechanism.builder());
  mechanism.add_forces();
  add_start(mechanism.builder());
  mechanism.finish();
  complete_equations(mechanism.builder());
  add_reactions(model, *equations, add_elements);
  return equations;
}

}  // namespace armature::internal
