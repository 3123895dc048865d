// Reactions of joints by virtual displacements. The mechanism is built a second time with six virtual displacements at the
// joint, b against a. The force that holds them at zero is what the joint passes on:
//   wrench = M_virtual a - f_virtual + Phi_virtual' lambda,
// for any element and any loop, in the tree or cut, with no code of their own.
#include "mechanics/mechanism.hpp"

namespace armature {

void add_reactions(const Model& model, Equations& equations, const ElementAdder& add_elements) {
  if (model.record.reactions.empty()) return;
  Graph& graph = *equations.graph;
  const std::size_t nv = equations.v.size(), modes = graph.modes().size();
  const std::size_t extra = 6 * model.record.reactions.size();

  Equations held = equations;  // the same leaves; M, f and rows are built again
  held.rows.clear(), held.vanished.clear(), held.keep.clear(), held.near.clear();
  Mechanism mechanism(model, held, model.record.reactions);
  mechanism.place_joints();
  mechanism.close_loops();
  if (add_elements) add_elements(mechanism);
  mechanism.add_forces();
  mechanism.finish();
  mechanism.throw_if_failed();

  // at zero displacement and velocity; comparisons of the second build are those of the first
  LeafMap to_zero;
  for (const Expression& leaf : mechanism.virtual_leaves_) to_zero[leaf.id()] = 0.0;
  Substitution zero_displacement(to_zero);
  for (std::size_t k = modes; k < graph.modes().size(); ++k)
    to_zero[graph.mode(static_cast<int>(k)).id()] = step(zero_displacement(graph.modes()[k].root));
  graph.forget_modes(modes);
  Substitution at_zero(to_zero);

  std::map<std::string, Expression> lambda;
  for (std::size_t r = 0; r < equations.rows.size(); ++r) lambda[equations.rows[r].name] = equations.lambda[r];
  const std::size_t n = nv + extra;
  for (const std::string& joint : model.record.reactions) {
    Reaction reaction{joint, {}};
    for (int i = 0; i < 6; ++i) {
      const std::size_t k = nv + mechanism.virtual_index(joint) + i;
      Expression sum = -held.f[k];
      for (std::size_t j = 0; j < nv; ++j) sum += held.M[k * n + j] * equations.a[j];
      Derivative along({{mechanism.virtual_leaves_[k - nv].id(), 1.0}});
      for (const ConstraintRow& row : held.rows)
        if (lambda.contains(row.name)) sum += along(row.phi) * lambda.at(row.name);
      reaction.wrench[i] = at_zero(sum);
    }
    equations.reactions.push_back(reaction);
  }
}

}  // namespace armature
