#include "system/feedback.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "expression/derivative.hpp"
#include "expression/program.hpp"
#include "system/composite_solve.hpp"
#include "system/flow.hpp"
#include "system/substitute.hpp"

namespace armature::internal {

namespace {

using List = std::vector<Expression>;

// With parameters that stay free, equal expressions may be written differently: they are compared at a few random inputs, but
// for round-off of the largest of them.
bool equal_at_random_inputs(const List& x, const List& y) {
  List both = x;
  both.insert(both.end(), y.begin(), y.end());
  std::map<std::int32_t, Expression> leaves;
  for (const Expression& one : both)
    if (!one.is_constant())
      for (const std::int32_t leaf : leaves_of(one)) leaves.try_emplace(leaf, one.graph(), leaf);
  List inputs;
  for (const auto& [id, leaf] : leaves) inputs.push_back(leaf);
  Evaluator evaluate(std::make_shared<Program>(inputs, both));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(0.2, 1.8);
  std::vector<double> in(inputs.size()), out(both.size());
  constexpr double same_values = 1e-9;  // of the largest, at random numbers: two formulas are one
  for (int trial = 0; trial < 3; ++trial) {
    for (double& value : in) value = number(random);
    evaluate(in.data(), out.data());
    double size = 0;
    for (std::size_t k = 0; k < y.size(); ++k) size = std::max(size, std::abs(out[x.size() + k]));
    for (std::size_t k = 0; k < x.size(); ++k)
      if (!(std::abs(out[k] - out[x.size() + k]) <= same_values * size)) return false;
  }
  return true;
}

// f must be (rest) + C' effort, or the effort found would not be the one that acts.
void require_full_effect(const Model& model, const Equations& e, const Feedback& feedback) {
  for (const auto& output : feedback.outputs) {
    const List C = gradient(output.rate, e.v);
    Derivative along({{output.acts.id(), 1.0}});
    List effects;
    for (const Expression& force : e.f) effects.push_back(along(force));
    if (effects == C || equal_at_random_inputs(effects, C)) continue;
    throw ModelError(model, {{feedback.where, "controllers." + feedback.name,
                              "'" + output.name +
                                  "' must act unchanged as a torque or force on its coordinate: use it as 'torque' "
                                  "of a motor there, or as an effort"}});
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
    const Expression rate = rate_of(row, along_flow);
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
  substitute(e, values);
  Substitution substituted(values);
  for (Reaction& reaction : e.reactions)
    for (Expression& x : reaction.wrench) x = substituted(x);
  for (ReactionSignal& signal : e.reaction_signals)
    for (Expression& x : signal.reaction.wrench) x = substituted(x);
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
