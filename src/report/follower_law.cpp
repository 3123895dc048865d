#include "report/follower_law.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "report/formula_joints.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

// The formula with leaves of its own in place of two joints.
struct LoweredLaw {
  std::array<Expression, 2> leaves;
  Expression value;
};

Value lowered(const Formula& formula, const Model& model, EquationsBuilder& builder,
              const std::vector<std::string>& names, const LoweredLaw& law) {
  Scope scope;
  scope.look_up = [&](const std::string& name) -> std::optional<Value> {
    for (std::size_t k = 0; k < 2; ++k)
      if (name == names[k]) return Value(law.leaves[k]);
    const auto definition = std::ranges::find(model.definitions, name, &std::pair<std::string, Formula>::first);
    if (definition != model.definitions.end()) return lowered(definition->second, model, builder, names, law);
    return builder.look_up(name);
  };
  return lower(formula, scope);
}

// Its factor, where the formula is linear in a leaf.
std::optional<double> linear_factor(const Expression& value, const Expression& leaf, const Equations& e) {
  const Expression factor = Derivative(LeafMap{{leaf.id(), Expression(1.0)}})(value);
  if (!is_fixed(factor, e)) return std::nullopt;
  double number = factor.is_constant() ? factor.value() : 0;
  if (!factor.is_constant())
    Evaluator(std::make_shared<const Program>(e.p, std::span(&factor, 1)))(e.p_value.data(), &number);
  return number;
}

}  // namespace

std::optional<FollowerLaw> FollowerLaw::find(const Formula& zero, const Model& model, const Scene& scene,
                                             EquationsBuilder& builder) {
  const FormulaJoints named = joints_in(zero, model);
  if (named.uses_time || named.coordinates.size() != 2) return std::nullopt;
  const std::vector<std::string> names(named.coordinates.begin(), named.coordinates.end());
  std::array<int, 2> joints;
  for (std::size_t k = 0; k < 2; ++k) {
    const auto found = std::ranges::find(scene.joints, names[k], &SceneJoint::name);
    if (found == scene.joints.end()) return std::nullopt;
    joints[k] = static_cast<int>(found - scene.joints.begin());
  }
  const Equations& e = builder.equations();
  Graph& graph = builder.graph();
  const std::size_t known = graph.comparisons().size();
  LoweredLaw law;
  for (std::size_t k = 0; k < 2; ++k) law.leaves[k] = graph.input("leading or following " + names[k]);
  std::optional<FollowerLaw> found;
  try {
    const Value value = lowered(zero, model, builder, names, law);
    if (value.is_scalar()) law.value = value.parts[0];
    const std::array factors = {linear_factor(law.value, law.leaves[0], e), linear_factor(law.value, law.leaves[1], e)};
    const std::size_t follows = factors[0] ? 0 : 1;
    if (value.is_scalar() && factors[0].has_value() != factors[1].has_value() && *factors[follows] != 0) {
      found.emplace();
      found->leader = joints[1 - follows], found->follower = joints[follows], found->factor_ = *factors[follows];
      std::vector<Expression> inputs{law.leaves[1 - follows]}, outputs;
      inputs.insert(inputs.end(), e.p.begin(), e.p.end());
      Substitution at_zero(LeafMap{{law.leaves[follows].id(), Expression(0.0)}});
      outputs.push_back(at_zero(law.value));
      for (std::size_t k = known; k < graph.comparisons().size(); ++k) {
        inputs.push_back(graph.outcome(static_cast<int>(k)));
        outputs.push_back(at_zero(graph.comparisons()[k].root));
        found->comparisons_.push_back(graph.comparisons()[k]);
      }
      found->evaluate_ = Evaluator(std::make_shared<const Program>(inputs, outputs));
      found->in_.assign(inputs.size(), 0.0), found->out_.assign(outputs.size(), 0.0);
      std::ranges::copy(e.p_value, found->in_.begin() + 1);
    }
  } catch (const FormulaError&) {
    found.reset();
  } catch (const std::logic_error&) {  // it depends on more than the leader
    found.reset();
  }
  graph.forget_comparisons(known);
  return found;
}

// Outcomes are those of their roots, found as often as comparisons can be nested.
double FollowerLaw::operator()(double leading) {
  in_[0] = leading;
  for (std::size_t pass = 0; pass <= comparisons_.size(); ++pass) {
    evaluate_(in_.data(), out_.data());
    for (std::size_t k = 0; k < comparisons_.size(); ++k)
      in_[in_.size() - comparisons_.size() + k] = comparisons_[k].outcome(out_[1 + k]);
  }
  return -out_[0] / factor_;
}

}  // namespace armature::internal
