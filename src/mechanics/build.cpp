#include "mechanics/build.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mechanics/changing_rows.hpp"
#include "mechanics/mechanism.hpp"

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

void add_quantities(const Model& model, EquationsBuilder& builder, Equations& equations) {
  auto add = [&](const std::string& name, const std::string& unit, const Value& value) {
    const char* suffix[] = {".x", ".y", ".z"};
    for (std::size_t i = 0; i < value.parts.size(); ++i)
      if (value.is_scalar() || !value.parts[i].is(0) ||
          model.plane.empty())  // nothing happens along the normal of a plane
        equations.quantities.push_back({value.is_scalar() ? name : name + suffix[i], unit, value.parts[i]});
  };
  auto add_position = [&](const std::string& name) { add(name, "m", *builder.look_up(name)); };
  for (const HostInput& input : model.inputs) add(input.name, input.unit, *builder.look_up(input.name));
  for (const Body& body : model.bodies)
    for (const NamedPoint& point : body.points)
      builder.guarded("bodies." + body.name + ".points." + point.name,
                      [&] { add_position(body.name + "." + point.name); });
  for (const auto& [name, formula] : model.definitions)
    builder.guarded("define." + name, [&] { add(name, "", *builder.look_up(name)); });
  for (const auto& [name, formula] : model.record.quantities)
    builder.guarded("record." + name, [&] { add(name, "", builder.value(formula)); });
}

// Constraints that move with t do work.
bool constraints_work(const Equations& equations) {
  return std::any_of(equations.rows.begin(), equations.rows.end(),
                     [&](const ConstraintRow& row) { return depends_on(row.phi, equations.t); });
}

// Energy bookkeeping as states: what came in and what was lost since the start.
void add_work(Equations& equations) {
  using Kind = Coordinate::Kind;
  auto add_entry = [&](const std::string& name, Kind kind, Expression power) {
    equations.others.push_back({name, kind, "J", ""});
    equations.z.push_back(equations.graph->input(name));
    equations.zdot.push_back(power);
    return static_cast<int>(equations.z.size()) - 1;
  };
  auto add = [&](const std::string& name, Kind kind, Expression power) {
    if (!power.is(0)) add_entry(name, kind, power);
  };
  add("work.applied", Kind::work, equations.applied_power);
  add("work.electrical", Kind::work, equations.electrical);
  add("work.mismatch", Kind::work, equations.mismatch);
  // powers that only the solve knows, and what projection does to the energy
  auto add_unknown = [&](const std::string& name) { return add_entry(name, Kind::work, 0.0); };
  if (constraints_work(equations)) equations.constraint_work = add_unknown("work.constraints");
  if (!equations.rows.empty()) equations.stabilization_work = add_unknown("work.stabilization");
  if (!changing_rows(equations).empty()) add_unknown(impact_work);
  add("heat.joule", Kind::heat, equations.joule);
  add("heat.viscous", Kind::heat, equations.dissipation);
  add("heat.friction", Kind::heat, equations.friction);
}

void add_references(Equations& equations) {
  for (const AngleReference& reference : equations.references) {
    equations.others.push_back({"reference of " + reference.name, Coordinate::Kind::reference, "rad", ""});
    equations.z.push_back(reference.leaf);
    equations.zdot.push_back(reference.rate);
  }
}

// One note for all joints that are cut: a machine with many loops would fill the screen.
std::vector<std::string> notes_on(const Equations& equations) {
  constexpr std::size_t most_names = 10;
  const std::vector<std::string>& joints = equations.cut_joints;
  if (joints.empty()) return {};
  if (joints.size() == 1) return {fmt::format("joint {} closes a loop (it is cut)", joints.front())};
  const auto end = joints.begin() + static_cast<std::ptrdiff_t>(std::min(joints.size(), most_names));
  return {fmt::format("{} joints close loops (they are cut): {}{}", joints.size(), fmt::join(joints.begin(), end, ", "),
                      joints.size() > most_names ? ", …" : "")};
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
  Graph& graph = builder.graph();
  add_work(equations);
  add_references(equations);
  add_quantities(builder.model(), builder, equations);
  builder.throw_if_failed();
  for (const Expression& v : equations.v)
    equations.a.push_back(graph.input("acceleration of " + graph.inputs()[v.node().a]));
  for (const ConstraintRow& row : equations.rows) equations.lambda.push_back(graph.input("lambda of " + row.name));
}

std::shared_ptr<Equations> build_equations(const Model& model, const std::vector<std::string>& free_parameters,
                                           const ElementAdder& add_elements) {
  auto equations = begin_equations(model, free_parameters);
  Mechanism mechanism(model, *equations);
  mechanism.place_joints();
  mechanism.close_loops();
  if (add_elements) add_elements(mechanism);
  mechanism.add_forces();
  mechanism.add_start();
  mechanism.finish();
  complete_equations(mechanism);
  add_reactions(model, *equations, add_elements);
  const std::vector<std::string> notes = notes_on(*equations);
  equations->notes.insert(equations->notes.begin(), notes.begin(), notes.end());
  return equations;
}

}  // namespace armature::internal
