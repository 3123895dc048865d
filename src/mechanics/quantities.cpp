#include "mechanics/quantities.hpp"

#include "expression/undefined_outcomes.hpp"
#include "model/formula_tree.hpp"
#include "model/formula_units.hpp"

namespace armature::internal {

void add_quantities(EquationsBuilder& builder) {
  const Model& model = builder.model();
  Equations& equations = builder.equations();
  UndefinedOutcomes defined;
  // a vector is recorded by its components
  auto add = [&](const std::string& name, const std::string& unit, const Value& value) {
    const char* axes[] = {".x", ".y", ".z"};
    const auto suffix = [&](std::size_t i) {
      return value.parts.size() <= 3 ? std::string(axes[i]) : element_name("", static_cast<long>(i) + 1);
    };
    for (std::size_t i = 0; i < value.parts.size(); ++i)
      if (value.is_scalar() || !value.parts[i].is(0) ||
          model.plane.empty())  // nothing happens along the normal of a plane
        equations.quantities.push_back({value.is_scalar() ? name : name + suffix(i), unit, defined(value.parts[i])});
  };
  auto add_position = [&](const std::string& name) { add(name, "m", *builder.look_up(name)); };
  for (const HostInput& input : model.inputs) add(input.name, input.unit, *builder.look_up(input.name));
  for (const Body& body : model.bodies)
    for (const NamedPoint& point : body.points)
      builder.guarded("bodies." + body.name + ".points." + point.name,
                      [&] { add_position(body.name + "." + point.name); });
  if (model.definitions.empty() && model.record.quantities.empty() && model.controllers.empty()) return;
  FormulaUnits units(model);
  for (Quantity& quantity : equations.quantities)
    if (quantity.unit.empty())
      quantity.unit = units.unit_of(name_formula(quantity.name, {}));  // a controller
    else
      units.know(quantity.name, quantity.unit);
  // clang 14 captures no structured bindings by reference
  for (const auto& [name, formula] : model.definitions)
    builder.guarded("define." + name, [&, &name = name, &formula = formula] {
      add(name, units.unit_of(formula), *builder.look_up(name));
    });
  for (const auto& [name, formula] : model.record.quantities)
    builder.guarded("record." + name, [&, &name = name, &formula = formula] {
      add(name, units.unit_of(formula), builder.value(formula));
    });
}

}  // namespace armature::internal
