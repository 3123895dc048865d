#include "mechanics/build.hpp"

#include "mechanics/mechanism.hpp"

namespace armature {

namespace {

void add_free_parameters(const Model& model, const std::vector<std::string>& names, Equations& equations) {
  for (const Parameter& parameter : model.parameters)
    if (std::find(names.begin(), names.end(), parameter.name) != names.end()) {
      equations.p_name.push_back(parameter.name);
      equations.p_value.push_back(parameter.value);
      equations.p.push_back(equations.graph->input(parameter.name));
    }
}

void add_quantities(const Model& model, Mechanism& mechanism, Equations& equations) {
  auto add = [&](const std::string& name, const std::string& unit, const Value& value) {
    const char* suffix[] = {".x", ".y", ".z"};
    for (std::size_t i = 0; i < value.parts.size(); ++i)
      equations.quantities.push_back({value.is_scalar() ? name : name + suffix[i], unit, value.parts[i]});
  };
  auto add_position = [&](const std::string& name) { add(name, "m", *mechanism.look_up(name)); };
  for (const Discrete& angle : equations.discrete) add(angle.name, "rad", mechanism.find_coordinate(angle.name)->value);
  for (const Body& body : model.bodies)
    for (const NamedPoint& point : body.points) add_position(body.name + "." + point.name);
  for (const auto& [name, formula] : model.definitions)
    mechanism.guarded("define." + name, [&] { add(name, "", *mechanism.look_up(name)); });
  for (const auto& [name, formula] : model.record.quantities)
    mechanism.guarded("record." + name, [&] { add(name, "", mechanism.value(formula)); });
}

// Energy bookkeeping as states: what applied forces did and what dampers and friction took, since the start.
void add_work(Equations& equations) {
  auto add = [&](const std::string& name, Expression power) {
    if (power.is(0)) return;
    equations.others.push_back({name, Coordinate::Kind::other, "J", ""});
    equations.z.push_back(equations.graph->input(name));
    equations.zdot.push_back(power);
  };
  add("work.applied", equations.applied_power);
  add("work.lost", equations.dissipation);
}

std::vector<std::string> notes_on(const Equations& equations) {
  std::vector<std::string> notes;
  for (const std::string& joint : equations.cut_joints) notes.push_back("joint " + joint + " closes a loop (it is cut)");
  return notes;
}

}  // namespace

std::shared_ptr<Equations> build_equations(const Model& model, const std::vector<std::string>& free_parameters) {
  auto equations = std::make_shared<Equations>();
  Graph& graph = *equations->graph;
  equations->t = graph.input("t");
  add_free_parameters(model, free_parameters, *equations);

  Mechanism mechanism(model, *equations);
  mechanism.place_joints();
  mechanism.close_loops();
  mechanism.add_forces();
  mechanism.add_start();
  mechanism.finish();
  add_work(*equations);
  add_quantities(model, mechanism, *equations);
  mechanism.throw_if_failed();

  for (const Expression& v : equations->v) equations->a.push_back(graph.input("acceleration of " + graph.inputs()[v.node().a]));
  for (const ConstraintRow& row : equations->rows) equations->lambda.push_back(graph.input("lambda of " + row.name));
  add_reactions(model, *equations);
  equations->notes = notes_on(*equations);
  return equations;
}

}  // namespace armature
