#include "system/feedback.hpp"

#include <cmath>

#include "expression/derivative.hpp"
#include "system/composite_solve.hpp"
#include "system/flow.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

// But for round-off of constants as large as size.
bool nearly_equal(Expression x, Expression y, double size) {
  const Expression gap = x - y;
  return x == y || (gap.is_constant() && std::abs(gap.value()) <= 1e-9 * size);
}

// f must be (rest) + C' effort, or the effort found would not be the one that acts.
void require_full_effect(const Model& model, const Equations& e, const Feedback& feedback) {
  for (const auto& output : feedback.outputs) {
    const List C = gradient(output.rate, e.v);
    Derivative along({{output.acts.id(), 1.0}});
    for (std::size_t k = 0; k < e.v.size(); ++k)
      if (!nearly_equal(along(e.f[k]), C[k], largest_constant(C)))
        throw ModelError(model.file, {{feedback.where, "controllers." + feedback.name,
                                       "'" + output.name +
                                           "' must act unchanged as a torque or force on its coordinate: use it as "
                                           "'torque' of a motor there, or as an effort"}});
  }
}

List efforts(const Equations& e, const Feedback& feedback) {
  // f without the efforts that are sought
  LeafMap none;
  for (const auto& output : feedback.outputs) none[output.acts.id()] = 0.0;
  Substitution without(none);
  Derivative along_flow(flow_of_positions(e));
  // rows of Phi, then of C, and their right sides; at rest nothing accelerates
  ExpressionMatrix rows(0, static_cast<int>(e.v.size()));
  auto add_row = [&](Expression rate) {
    ExpressionMatrix::Row row;
    const List slopes = gradient(rate, e.v);
    for (std::size_t k = 0; k < slopes.size(); ++k)
      if (!slopes[k].is(0)) row.push_back({static_cast<int>(k), slopes[k]});
    rows.add_row(std::move(row));
  };
  List b, f;
  std::vector<int> groups;
  for (const ConstraintRow& row : e.rows) {
    const Expression rate = along_flow(row.phi);
    add_row(rate);
    b.push_back(feedback.at_rest ? Expression(0.0) : -along_flow(rate));
  }
  for (const auto& output : feedback.outputs) {
    add_row(output.rate);
    b.push_back(feedback.at_rest ? Expression(0.0) : without(output.acceleration) - along_flow(output.rate));
  }
  for (int r = 0; r < rows.rows(); ++r) groups.push_back(r);
  // at rest the potential alone is balanced
  if (feedback.at_rest) {
    for (const Expression& slope : gradient(along_flow(e.potential), e.v)) f.push_back(-slope);
  } else {
    for (const Expression& x : e.f) f.push_back(without(x));
  }
  // the multipliers of C are the efforts, with the other sign
  const auto solution = CompositeSolve(e.M, e.elimination_order, rows, groups).solve({f, b});
  List result;
  for (std::size_t r = e.rows.size(); r < solution.lambda.size(); ++r) result.push_back(-solution.lambda[r]);
  return result;
}

void replace(Equations& e, const LeafMap& values) {
  Substitution substituted(values);
  auto each = [&](Expression& x) { x = substituted(x); };
  for (Expression& x : e.f) each(x);
  for (Expression& x : e.zdot) each(x);
  for (Quantity& quantity : e.quantities) each(quantity.value);
  for (Discrete& value : e.discrete) each(value.next);
  for (EventFunction& event : e.events) each(event.value);
  for (WatchedFormula& formula : e.watched) each(formula.value);
  for (Reaction& reaction : e.reactions)
    for (Expression& x : reaction.wrench) each(x);
  for (Feedback& feedback : e.feedback)
    for (auto& output : feedback.outputs) each(output.acceleration);
  for (Expression* x : {&e.potential, &e.elastic, &e.magnetic, &e.dissipation, &e.friction, &e.joule, &e.applied_power,
                        &e.electrical, &e.mismatch})
    each(*x);
  if (e.tree) {
    for (Expression& x : e.tree->applied) each(x);
    for (Wrench& wrench : e.tree->wrenches)
      for (int i = 0; i < 3; ++i) each(wrench.n[i]), each(wrench.f[i]);
  }
  for (std::size_t k = 0; k < e.graph->modes().size(); ++k)
    e.graph->set_root(static_cast<int>(k), substituted(e.graph->modes()[k].root));
}

}  // namespace

void resolve_feedback(const Model& model, Equations& equations) {
  for (bool at_rest : {true, false})  // computed torque may build on gravity compensation
    for (std::size_t k = 0; k < equations.feedback.size(); ++k) {
      const Feedback feedback = equations.feedback[k];
      if (feedback.at_rest != at_rest) continue;
      if (!at_rest) require_full_effect(model, equations, feedback);
      const List values = efforts(equations, feedback);
      LeafMap map;
      for (std::size_t i = 0; i < values.size(); ++i) map[feedback.outputs[i].leaf.id()] = values[i];
      replace(equations, map);
    }
}

}  // namespace armature::internal
