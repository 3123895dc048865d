#include "mechanics/constraint_rows.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics/solution_leaves.hpp"
#include "mechanics/vanishing_row.hpp"
#include "model/formula_units.hpp"

namespace armature::internal {

namespace {

// A row that folded to a constant says nothing about the motion; unless the constant is not zero: then nothing can move.
constexpr double closed = 1e-9;  // of what the row is a difference of

std::string apart(double gap, const std::string& unit) {
  char text[64];
  std::snprintf(text, sizeof text,
                unit == "m"    ? "%.4g mm"
                : unit.empty() ? "%.4g"
                               : "%.4g %s",
                unit == "m" ? gap * 1e3 : gap, unit.c_str());
  return text;
}

// The first velocity or auxiliary state that a constraint depends on, in words.
std::string rate_in(EquationsBuilder& builder, Expression phi) {
  const Graph& graph = builder.graph();
  const std::vector<std::int32_t> leaves = leaves_of(phi);
  const auto name = [&](std::int32_t leaf) { return "'" + graph.inputs()[graph[leaf].a]; };
  for (std::int32_t leaf : leaves)
    if (builder.velocities().number_of(leaf) >= 0) return name(leaf) + "', a velocity";
  if (has_acceleration(builder.equations(), phi)) return "an acceleration";
  if (has_constraint_force(builder.equations(), phi)) return "a reaction or a multiplier";
  for (const Expression& z : builder.equations().z)
    if (std::ranges::binary_search(leaves, z.id())) return name(z.id()) + "', which is not a position";
  return "";
}

// Of a vector by its axes, of a longer list by number.
std::string part_name(std::size_t i, std::size_t count) {
  return count <= 3 ? std::string(1, static_cast<char>('x' + i)) : std::to_string(i + 1);
}

}  // namespace

ConstraintRow* add_row(EquationsBuilder& builder, Location where, const NewRow& row) {
  Equations& equations = builder.equations();
  const std::string name = row.suffix.empty() ? row.owner : row.owner + "." + row.suffix;
  if (const std::string rate = rate_in(builder, row.phi); !rate.empty())
    throw FormulaError(where, "must depend on positions and t only, but it depends on " + rate);
  if (!row.phi.is_constant()) {
    equations.rows.push_back({name, row.owner, row.direction, row.unit, false, row.phi});
    return &equations.rows.back();
  }
  if (std::abs(row.phi.value()) > closed * size_at_random_poses(row.terms, equations).value_or(1))
    builder.fail(where, row.owner,
                 "cannot be satisfied: its two sides stay " + apart(row.phi.value(), row.unit) + " apart in " +
                     row.direction + " whatever the pose");
  else
    equations.vanished.push_back({name, row.owner, row.direction});
  return nullptr;
}

ConstraintRow* add_velocity_row(EquationsBuilder& builder, Location where, const NewRow& row, Expression rate) {
  Equations& equations = builder.equations();
  const std::string name = row.suffix.empty() ? row.owner : row.owner + "." + row.suffix;
  if (rate.is_constant()) {
    equations.vanished.push_back({name, row.owner, row.direction});
    return nullptr;
  }
  if (has_acceleration(equations, rate) || has_constraint_force(equations, rate))
    throw FormulaError(where, "must depend on positions and velocities only");
  equations.rows.push_back({name, row.owner, row.direction, row.unit, false, 0.0});
  equations.rows.back().rate = rate;
  return &equations.rows.back();
}

void add_prescribed(EquationsBuilder& builder) {
  if (builder.model().prescribed.empty()) return;
  const FormulaUnits units(builder.model());
  for (const PrescribedConstraint& constraint : builder.model().prescribed) {
    // one of the command line has no place in the file
    const std::string key = constraint.where.line > 0 ? "constraints." + constraint.name : constraint.name;
    builder.guarded(key, [&] {
      const Value zero = builder.value(constraint.zero);
      for (std::size_t i = 0; i < zero.parts.size(); ++i) {
        const std::string part = part_name(i, zero.parts.size());
        const NewRow row{constraint.name, zero.is_scalar() ? "" : part, zero.is_scalar() ? "its value" : part, "",
                         zero.parts[i]};
        if (ConstraintRow* added = add_row(builder, constraint.where, row)) {
          added->effort = constraint.kind == "prescribed";
          added->force_unit = force_along(units.inferred(constraint.zero)).text();
        }
      }
    });
  }
}

}  // namespace armature::internal
