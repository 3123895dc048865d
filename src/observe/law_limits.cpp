#include "observe/law_limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/derivative.hpp"
#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

bool is_of_states(const WatchedFormula& formula, const Equations& e) {
  const auto is_state = [&](std::int32_t leaf) {
    const auto has = [&](const std::vector<Expression>& list) {
      return std::ranges::count(list, leaf, &Expression::id) > 0;
    };
    const auto is_discrete = [&](const Discrete& discrete) { return discrete.leaf.id() == leaf; };
    return (*e.graph)[leaf].op == Op::outcome || leaf == e.t.id() || has(e.q) || has(e.v) || has(e.z) || has(e.p) ||
           std::ranges::any_of(e.discrete, is_discrete);
  };
  return !formula.value.is_constant() && std::ranges::all_of(leaves_of(formula.value), is_state);
}

}  // namespace

std::vector<const WatchedFormula*> limited_laws(const Equations& equations) {
  std::vector<const WatchedFormula*> laws;
  for (const WatchedFormula& formula : equations.watched)
    if (!formula.without_value.empty() && is_of_states(formula, equations)) laws.push_back(&formula);
  return laws;
}

LawLimits::LawLimits(Dynamics& dynamics) : dynamics_(&dynamics), laws_(limited_laws(dynamics.system().equations())) {
  if (laws_.empty()) return;
  std::vector<Expression> formulas;
  for (const WatchedFormula* law : laws_) formulas.push_back(law->value);
  values_ = Evaluator(dynamics.system().make_program(formulas));
  value_.resize(laws_.size());
  passed_at_.assign(laws_.size(), never);
}

void LawLimits::look(double t, const Eigen::VectorXd& x) {
  if (laws_.empty()) return;
  dynamics_->evaluator().set_outcomes(dynamics_->weights());
  dynamics_->evaluator().set(t, x.data());
  values_(dynamics_->evaluator().inputs(), value_.data());
  for (std::size_t k = 0; k < laws_.size(); ++k)
    if (std::isnan(value_[k])) passed_at_[k] = std::min(passed_at_[k], t);
}

void LawLimits::report(Outcome& outcome) const {
  for (std::size_t k = 0; k < laws_.size(); ++k)
    if (passed_at_[k] != never)
      outcome.findings.push_back(finding<FindingCode::law>("element"_a = laws_[k]->name,
                                                           "limit"_a = laws_[k]->without_value, "t"_a = passed_at_[k]));
}

}  // namespace armature::internal
