#include "mechanics/friction_load.hpp"

#include <algorithm>

#include "mechanics/builder.hpp"

namespace armature::internal {

namespace {

Expression load_leaf(EquationsBuilder& builder, FrictionLoad load) {
  Equations& equations = builder.equations();
  const auto known = find_named(equations.loads, load.name);
  if (known != equations.loads.end()) return known->leaf;
  load.leaf = builder.graph().input("load of " + load.name);
  equations.loads.push_back(std::move(load));
  equations.solution_in_formulas = true;
  return equations.loads.back().leaf;
}

}  // namespace

Expression add_joint_load(EquationsBuilder& builder, const std::string& name, Location where, const std::string& joint,
                          FrictionLoad::Terms terms_of) {
  return load_leaf(builder, {name, where, joint, {}, std::move(terms_of)});
}

Expression add_load(EquationsBuilder& builder, const std::string& name, Location where, std::vector<LoadTerm> terms) {
  return load_leaf(builder, {name, where, "", {}, {}, std::move(terms)});
}

Expression add_contact_load(EquationsBuilder& builder, const std::string& name, Location where, Expression softness,
                            const std::function<LoadTerm(Expression leaf)>& term) {
  const Expression leaf = load_leaf(builder, {name, where, "", {}, {}, {}, softness});
  if (!builder.second_build())
    std::ranges::find(builder.equations().loads, name, &FrictionLoad::name)->terms = {term(leaf)};
  return leaf;
}

}  // namespace armature::internal
