#include "study/value_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/scope.hpp"

namespace armature::internal {

namespace {

// Parameters that are not varied may follow from those that are: formulas, like definitions.
Model with_parameters_as_definitions(const Model& model, const std::vector<std::string>& varied) {
  Model open = model;
  open.parameters.clear();
  for (const Parameter& parameter : model.parameters)
    if (std::ranges::find(varied, parameter.name) == varied.end())
      open.definitions.emplace_back(parameter.name, parameter.formula);
  return open;
}

// A number that is one, or a formula of the leaves alone; nothing else can be said beforehand.
std::optional<Expression> lowered(const Formula& formula, const Scope& scope) {
  try {
    return lower_scalar(formula, scope, std::nullopt);
  } catch (const FormulaError&) {
    return std::nullopt;
  }
}

}  // namespace

ValueRanges::ValueRanges(const std::vector<FormulaCheck>& checks, const Model& model,
                         const std::vector<std::string>& varied) {
  Graph graph;
  std::vector<Expression> leaves, values;
  for (const std::string& name : varied) leaves.push_back(graph.input(name));
  const auto find = [&](const std::string& name) -> std::optional<Value> {
    for (std::size_t k = 0; k < varied.size(); ++k)
      if (varied[k] == name && std::ranges::count(model.parameters, name, &Parameter::name) > 0)
        return Value(leaves[k]);
    return std::nullopt;
  };
  const Model open = with_parameters_as_definitions(model, varied);
  const Scope scope = model_scope(open, find, [](Expression) { return Expression(0.0); });
  for (const FormulaCheck& check : checks) {
    if (check.spec.range == ValueRange::any || check.spec.holds != Holds::number) continue;
    const std::optional<Expression> value = lowered(check.formula, scope);
    if (!value || value->is_constant()) continue;
    values.push_back(*value);
    ranged_.push_back(
        {check.spec.range,
         fmt::format("{}: {}", place_in_words(model.file, check.formula.where, model.used_files), check.path)});
  }
  if (!values.empty()) program_ = std::make_shared<const Program>(leaves, values);
}

std::string ValueRanges::violation(std::span<const double> values) const {
  if (!program_) return {};
  std::vector<double> out(ranged_.size());
  Evaluator evaluate(program_);
  evaluate(values.data(), out.data());
  for (std::size_t k = 0; k < out.size(); ++k)
    if (const std::string what = range_violation(out[k], ranged_[k].range); !what.empty())
      return fmt::format("{}: {}", ranged_[k].place, what);
  return {};
}

}  // namespace armature::internal
