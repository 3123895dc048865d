#include "mechanics/tree_dynamics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mechanics/articulated_tree.hpp"
#include "model/limits.hpp"

namespace armature::internal {

namespace {

// 1/2 v' M v. In a long chain every velocity meets every other in M; there M v comes from the recursion of Newton and
// Euler, at rest and without gravity, whose length grows with that of the chain.
Expression energy_of(const Tree& tree, const ExpressionMatrix& M, const GeneralizedForces& forces,
                     const std::vector<Expression>& v) {
  Expression twice = 0.0;
  if (tree.depth() <= long_chain) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      Expression row = 0.5 * (M(static_cast<int>(i), static_cast<int>(i)) * v[i]);
      for (const auto& [j, entry] : M.row(static_cast<int>(i)))
        if (j < static_cast<int>(i)) row += entry * v[j];
      twice += 2.0 * (row * v[i]);
    }
    return 0.5 * twice;
  }
  const std::vector<Expression> at_rest(v.size(), 0.0);
  const std::vector<Expression> momentum = tree.without_loads().inverse_dynamics(at_rest, v, {});
  for (std::size_t i = 0; i < v.size(); ++i) twice += momentum[i] * v[i];
  for (const auto& [place, inertia] : forces.inertia()) twice += inertia * v[place.first] * v[place.second];
  return 0.5 * twice;
}

// Each velocity meets those of all links between its own and the ground.
void require_room(const std::string& file, const Tree& tree) {
  std::vector<long> above(static_cast<std::size_t>(tree.size()));
  long entries = 0;
  for (int i = 0; i < tree.size(); ++i) {
    const auto own = static_cast<long>(tree[i].freedoms.size());
    const long up = tree[i].parent < 0 ? 0 : above[static_cast<std::size_t>(tree[i].parent)];
    entries += own * up + own * (own + 1) / 2;
    above[static_cast<std::size_t>(i)] = up + own;
  }
  if (entries > limits::mass_matrix_entries)
    throw ModelError(file,
                     {{{},
                       "joints",
                       fmt::format("the mass matrix has {} entries, more than the limit of {}: the chains of joints "
                                   "are too long, with up to {} degrees of freedom in series",
                                   entries, limits::mass_matrix_entries, *std::ranges::max_element(above))}});
}

// Velocities that move no link first, then those of the tree, leaves first.
std::vector<int> order_of_elimination(const Tree& tree, int nv) {
  std::vector<int> order = tree.leaves_first();
  const std::set<int> in_tree(order.begin(), order.end());
  for (int i = 0; i < nv; ++i)
    if (!in_tree.contains(i)) order.insert(order.begin(), i);
  return order;
}

void add_totals(Equations& e, const Tree& tree, const GeneralizedForces& forces) {
  for (int i = 0; i < tree.size(); ++i) {
    const MassProperties& link = tree[i].mass;
    e.total_mass += link.mass;
    e.total_inertia += 0.5 * (link.inertia(0, 0) + link.inertia(1, 1) + link.inertia(2, 2));
  }
  for (const auto& [place, inertia] : forces.inertia()) {
    if (place.first != place.second || place.first >= static_cast<int>(e.velocities.size())) continue;
    const bool is_length = e.velocities[static_cast<std::size_t>(place.first)].kind == Coordinate::Kind::length;
    (is_length ? e.total_mass : e.total_inertia) += inertia;
  }
}

}  // namespace

void add_tree_dynamics(EquationsBuilder& builder, const Tree& tree, BodyMasses& masses, const Vec3& gravity) {
  Equations& e = builder.equations();
  const GeneralizedForces& forces = builder.forces();
  require_room(builder.model().file, tree);
  const int nv = builder.velocities().count();
  std::vector<Expression> v = e.v;
  v.resize(nv, 0.0);  // virtual displacements stand still
  const std::vector<Expression> at_rest(nv, 0.0);

  // M and f by the recursions on the tree, and what elements add on rates
  const auto bias = tree.inverse_dynamics(v, at_rest, gravity);
  e.M = tree.mass_matrix(nv);
  for (const auto& [place, inertia] : forces.inertia()) e.M.add(place.first, place.second, inertia);
  e.f.clear();
  for (int i = 0; i < nv; ++i) e.f.push_back(-bias[i]);
  for (const auto& [i, force] : forces.applied()) e.f[i] += force;
  e.elimination_order = order_of_elimination(tree, nv);

  e.kinetic = energy_of(tree, e.M, forces, v);
  e.potential -= dot(gravity, tree.moment());
  masses.check_missing();

  // the same tree for the articulated-body recursion
  if (builder.second_build()) return;
  const Tree links = masses.without_missing(tree);
  e.tree = articulated_tree(links, {forces.applied(), forces.inertia()}, v, gravity);
  add_totals(e, links, forces);
}

}  // namespace armature::internal
