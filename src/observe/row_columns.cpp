#include "observe/row_columns.hpp"

namespace armature::internal {

namespace {

std::vector<Channel> state_channels(const Equations& e) {
  std::vector<Channel> list;
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates)
      if (coordinate.kind != Coordinate::Kind::reference) list.push_back({coordinate.name, coordinate.unit});
  return list;
}

std::vector<Channel> quantity_channels(const Equations& e) {
  std::vector<Channel> list;
  for (const Quantity& quantity : e.quantities) list.push_back({quantity.name, quantity.unit});
  return list;
}

std::vector<Channel> effort_channels(const Equations& e) {
  std::vector<Channel> list;
  for (const ConstraintRow& row : e.rows)
    if (row.effort) list.push_back({row.name, row.force_unit});
  return list;
}

std::vector<Channel> multiplier_channels(const Equations& e) {
  std::vector<Channel> list;
  for (const ConstraintRow& row : e.rows)
    list.push_back({"lambda." + row.name, row.unit == "m" ? "N" : row.unit == "rad" ? "N m" : row.force_unit});
  return list;
}

}  // namespace

std::vector<Channel> reaction_channels(const Equations& e) {
  std::vector<Channel> list;
  for (const Reaction& reaction : e.reactions)
    for (const char* part : {"fx", "fy", "fz", "mx", "my", "mz"})
      list.push_back({reaction.joint + "." + part, part[0] == 'f' ? "N" : "N m"});
  return list;
}

std::vector<RowColumns> row_columns(const System& system, const RowContent& content) {
  const Equations& e = system.equations();
  const bool constrained = system.layout().m > 0;
  std::vector<RowColumns> list = {
      {RowPart::time, {{"t", "s"}}}, {RowPart::state, state_channels(e)}, {RowPart::quantities, quantity_channels(e)}};
  const auto add = [&](bool known, RowPart part, std::vector<Channel> channels) {
    if (known) list.push_back({part, std::move(channels)});
  };
  add(content.forces, RowPart::efforts, effort_channels(e));
  add(content.forces, RowPart::multipliers, multiplier_channels(e));
  add(content.forces, RowPart::reactions, reaction_channels(e));
  add(true, RowPart::kinetic, {{"energy.kinetic", "J"}});
  add(true, RowPart::potential, {{"energy.potential", "J"}});
  add(!e.elastic.is(0), RowPart::elastic, {{"energy.elastic", "J"}});
  add(!e.magnetic.is(0), RowPart::magnetic, {{"energy.magnetic", "J"}});
  add(content.energy_error, RowPart::energy_error, {{"energy.error", "J"}});
  add(constrained, RowPart::position_error, {{"constraint.position", ""}});
  add(constrained, RowPart::velocity_error, {{"constraint.velocity", ""}});
  add(constrained && content.forces, RowPart::rank, {{"rank", ""}});
  add(constrained && content.forces, RowPart::smallest_pivot, {{"smallest_pivot", ""}});
  add(constrained && content.singular_values, RowPart::smallest_singular_value, {{"smallest_singular_value", ""}});
  return list;
}

}  // namespace armature::internal
