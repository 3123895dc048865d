#include "mechanics/energy_ledger.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "mechanics/changing_rows.hpp"

namespace armature::internal {

namespace {

// Constraints that move with t do work.
bool constraints_work(const Equations& equations) {
  return std::any_of(equations.rows.begin(), equations.rows.end(),
                     [&](const ConstraintRow& row) { return depends_on(row.phi, equations.t); });
}

}  // namespace

ImpactWork::ImpactWork(const Equations& equations) {
  const auto& others = equations.others;
  const auto found = std::ranges::find(others, impact_work, &Coordinate::name);
  if (found != others.end())
    state_ = static_cast<int>(equations.q.size() + equations.v.size()) + static_cast<int>(found - others.begin());
}

void add_energy_ledger(Equations& equations) {
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
  if (!changing_rows(equations).empty() || !equations.contacts.empty()) add_unknown(impact_work);
  add("heat.joule", Kind::heat, equations.joule);
  add("heat.viscous", Kind::heat, equations.dissipation);
  add("heat.friction", Kind::heat, equations.friction);
}

}  // namespace armature::internal
