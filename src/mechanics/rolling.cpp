#include "mechanics/rolling.hpp"

#include <fmt/format.h>

#include "mechanics/bodies.hpp"
#include "mechanics/constraint_rows.hpp"
#include "mechanics/contact_geometry.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

void add_pair(EquationsBuilder& builder, const RollingConstraint& rolling, const ContactPair& pair) {
  const std::string owner = rolling.name;
  if (pair.tangents.empty())
    throw FormulaError(rolling.where, "in space one of the two surfaces that roll is a plane or a cylinder");
  add_row(builder, rolling.where, {owner, "gap" + pair.suffix, "the gap", "m", pair.gap, {1.0}});
  for (std::size_t k = 0; k < pair.slip_rates.size(); ++k) {
    const std::string which = pair.slip_rates.size() > 1 ? std::to_string(k + 1) : "";
    add_velocity_row(builder, rolling.where, {owner, "slip" + pair.suffix + which, "sliding", "m", 0.0},
                     pair.slip_rates[k]);
  }
}

void add_knife_edge(EquationsBuilder& builder, const RollingConstraint& edge) {
  Bodies& bodies = builder.bodies_with(edge.a.body, edge.a.where);
  const BodyPlace a = bodies.place_at(edge.a), b = bodies.place_at(edge.b);
  const int frame = bodies.tree().common_ancestor(a.link, b.link);
  const Pose blade = bodies.tree().pose(a.link, frame) * a.pose;
  const Vec3 across = builder.vector(edge.across);
  builder.require_positive(norm(across), edge.across.where, "has no direction: its length is zero");
  const Vec3 n = blade.R * without_round_off(1.0 / norm(across) * across);
  const Vec3 velocity =
      material_velocity(builder, a.link, frame, blade.p) - material_velocity(builder, b.link, frame, blade.p);
  add_velocity_row(builder, edge.where, {edge.name, "", "across the edge", "m", 0.0}, dot(n, velocity));
}

}  // namespace

void add_rolling(EquationsBuilder& builder) {
  for (const RollingConstraint& rolling : builder.model().rolling)
    builder.guarded("constraints." + rolling.name, [&] {
      if (rolling.surfaces.empty()) return add_knife_edge(builder, rolling);
      for (const ContactPair& pair : contact_pairs(builder, rolling.surfaces[0], rolling.surfaces[1]))
        add_pair(builder, rolling, pair);
    });
}

void refuse_velocity_rows(const Equations& equations, const std::string& what) {
  for (const ConstraintRow& row : equations.rows)
    if (row.rate)
      throw RequestError(
          fmt::format("{}: '{}' holds velocities alone, and no position follows from it; {} is not available for "
                      "machines that roll "
                      "or slide on edges",
                      what, row.owner, what));
}

}  // namespace armature::internal
