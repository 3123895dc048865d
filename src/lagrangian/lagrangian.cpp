#include "lagrangian/lagrangian.hpp"

#include "expression/units.hpp"
#include "mechanics/build.hpp"
#include "mechanics/constraint_rows.hpp"
#include "mechanics/coordinate_forces.hpp"
#include "mechanics/start_conditions.hpp"
#include "model/formula_units.hpp"

namespace armature::internal {

namespace {

// d/dx of an expression, x a leaf.
Expression partial(Expression y, Expression x) { return Derivative({{x.id(), 1.0}})(y); }

Coordinate::Kind kind_of(const LagrangianSection::Coordinate& coordinate) {
  return coordinate.is_angle    ? Coordinate::Kind::angle
         : coordinate.is_length ? Coordinate::Kind::length
                                : Coordinate::Kind::other;
}

}  // namespace

Lagrangian::Lagrangian(const Model& model, Equations& equations)
    : builder_(model, equations), eq_(equations), section_(model.lagrangian) {}

void Lagrangian::add_coordinates() {
  for (const LagrangianSection::Coordinate& coordinate : section_.coordinates) {
    NamedCoordinate named = builder_.add_coordinate(coordinate.name, kind_of(coordinate), coordinate.name);
    named.unit = coordinate.unit;
    eq_.positions.back().unit = coordinate.unit;
    eq_.velocities.back().unit = coordinate.unit + "/s";
    builder_.name_coordinate(named);
  }
}

void Lagrangian::add_energies() {
  builder_.guarded("lagrangian.kinetic", [&] { T_ = builder_.scalar(section_.kinetic); });
  builder_.guarded("lagrangian.potential", [&] { V_ = builder_.scalar(section_.potential); });
  builder_.guarded("lagrangian.dissipation", [&] { D_ = builder_.scalar(section_.dissipation); });
  for (const Expression& v : eq_.v)
    if (depends_on(V_, v))
      builder_.fail(section_.potential.where, "lagrangian.potential",
                    "must not depend on a rate, but it depends on " + builder_.graph().inputs()[v.node().a]);
  builder_.throw_if_failed();
}

void Lagrangian::add_row_of(const LagrangianSection::Constraint& constraint, const FormulaUnits& units) {
  const Value zero = builder_.value(constraint.zero);
  const char* suffix[] = {"x", "y", "z"};
  for (const Expression& part : zero.parts)
    for (const Expression& v : eq_.v)
      if (depends_on(part, v))
        throw FormulaError(constraint.zero.where,
                           "constraints are conditions on positions, but this depends on the rate " +
                               builder_.graph().inputs()[v.node().a]);
  if (zero.parts.size() > 3) throw FormulaError(constraint.zero.where, "a vector has 2 or 3 components");
  // rows in meters tell how large the machine is
  const std::string unit = zero.dimension == length_dimension ? "m" : "";
  const std::string force_unit = force_along(units.inferred(constraint.zero)).text();
  for (std::size_t i = 0; i < zero.parts.size(); ++i) {
    const NewRow row{constraint.name, zero.is_scalar() ? "" : suffix[i], zero.is_scalar() ? "its value" : suffix[i],
                     unit, zero.parts[i]};
    if (ConstraintRow* added = add_row(builder_, constraint.where, row)) added->force_unit = force_unit;
  }
}

void Lagrangian::add_constraints() {
  const FormulaUnits units(builder_.model());
  for (const auto& constraint : section_.constraints)
    builder_.guarded("lagrangian.constraints." + constraint.name, [&] { add_row_of(constraint, units); });
  add_prescribed(builder_);
}

// A force F on what moves as x does the work F.x' : Q = (dx'/dv)' F.
void Lagrangian::add_force(const LagrangianSection::Force& force) {
  builder_.graph().set_comparison_label("force on " + force.on);
  const Value x = *builder_.look_up(force.on), F = builder_.value(force.is);
  if (x.parts.size() != F.parts.size())
    throw FormulaError(force.is.where, "'" + force.on +
                                           (x.is_scalar() ? "' is a number, so the force on it must be a number"
                                                          : "' is a vector, so the force on it must be a vector"));
  for (std::size_t i = 0; i < x.parts.size(); ++i) {
    const Expression rate = builder_.rate_of(x.parts[i]);
    builder_.apply(F.parts[i], rate);
    eq_.applied_power += F.parts[i] * rate;
  }
}

void Lagrangian::add_forces() {
  for (const auto& force : section_.forces)
    builder_.guarded("lagrangian.forces." + force.on, [&] { add_force(force); });
  add_force_elements(builder_);
}

void Lagrangian::finish() {
  builder_.throw_if_failed();
  const int nv = static_cast<int>(eq_.v.size());
  std::vector<Expression> momentum, hessian(nv * nv, 0.0);
  for (const Expression& v : eq_.v) momentum.push_back(partial(T_, v));
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j <= i; ++j) hessian[i * nv + j] = hessian[j * nv + i] = partial(momentum[i], eq_.v[j]);
  LeafMap at_rest;  // the Hessian of a quadratic form has no rates in it, but its expression may
  for (const Expression& v : eq_.v) at_rest[v.id()] = 0.0;
  Substitution without_rates(at_rest);
  eq_.M = ExpressionMatrix(nv, nv);
  for (int i = 0; i < nv; ++i)
    for (int j = 0; j < nv; ++j) eq_.M.add(i, j, without_rates(hessian[i * nv + j]));

  eq_.f.assign(nv, 0.0);
  for (int i = 0; i < nv; ++i)
    eq_.f[i] =
        partial(T_, eq_.q[i]) - builder_.time_derivative(momentum[i]) - partial(V_, eq_.q[i]) - partial(D_, eq_.v[i]);
  for (const auto& [i, force] : builder_.forces().applied()) eq_.f[i] += force;
  eq_.kinetic += T_;
  for (const auto& [place, inertia] : builder_.forces().inertia()) {
    eq_.M.add(place.first, place.second, inertia);
    eq_.kinetic += 0.5 * (inertia * eq_.v[place.first] * eq_.v[place.second]);
  }
  eq_.potential += V_;
  for (const Expression& v : eq_.v) eq_.dissipation += v * partial(D_, v);
  eq_.elimination_order = fill_reducing_order(eq_.M);
  check_kinetic(hessian);
}

void Lagrangian::check_kinetic(const std::vector<Expression>& hessian) {
  const std::string fault = fault_of_kinetic(builder_.model(), eq_, T_, hessian);
  if (!fault.empty()) builder_.fail(section_.kinetic.where, "lagrangian.kinetic", fault);
  builder_.throw_if_failed();
}

std::shared_ptr<Equations> build_lagrangian(const Model& model, const std::vector<std::string>& free_parameters,
                                            const ElementAdder& add_elements) {
  auto equations = begin_equations(model, free_parameters);
  Lagrangian lagrangian(model, *equations);
  lagrangian.add_coordinates();
  lagrangian.add_energies();
  lagrangian.add_constraints();
  if (add_elements) add_elements(lagrangian.builder());
  lagrangian.add_forces();
  add_start(lagrangian.builder());
  lagrangian.finish();
  complete_equations(lagrangian.builder());
  return equations;
}

}  // namespace armature::internal
