#include "system/substitute.hpp"

#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

void substitute(Equations& e, const LeafMap& values) {
  Substitution substituted(values);
  auto each = [&](Expression& x) { x = substituted(x); };
  for (Expression& x : e.f) each(x);
  for (Expression& x : e.zdot) each(x);
  for (Quantity& quantity : e.quantities) each(quantity.value);
  for (Discrete& value : e.discrete) each(value.next);
  for (EventFunction& event : e.events) each(event.value);
  for (WatchedFormula& formula : e.watched) each(formula.value);
  for (Feedback& feedback : e.feedback)
    for (auto& output : feedback.outputs) each(output.acceleration);
  for (Expression* x : {&e.potential, &e.elastic, &e.magnetic, &e.dissipation, &e.friction, &e.joule, &e.applied_power,
                        &e.electrical, &e.mismatch})
    each(*x);
  for (RigidContact& contact : e.contacts)
    for (Expression* x : {&contact.force, &contact.tangential_force, &contact.second_force}) each(*x);
  if (e.tree) {
    for (Expression& x : e.tree->applied) each(x);
    for (Wrench& wrench : e.tree->wrenches)
      for (int i = 0; i < 3; ++i) each(wrench.n[i]), each(wrench.f[i]);
  }
  for (std::size_t k = 0; k < e.graph->comparisons().size(); ++k)
    e.graph->set_root(static_cast<int>(k), substituted(e.graph->comparisons()[k].root));
}

}  // namespace armature::internal
