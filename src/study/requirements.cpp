#include "study/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "expression/derivative.hpp"

namespace armature::internal {

namespace {

std::set<std::int32_t> constant_parameters(const Model& model, const Equations& e) {
  std::set<std::int32_t> parameters;
  for (std::size_t i = 0; i < e.p.size(); ++i)
    if (std::ranges::count(model.inputs, e.p_name[i], &HostInput::name) == 0) parameters.insert(e.p[i].id());
  return parameters;
}

}  // namespace

Requirements::Requirements(const Model& model, const Equations& equations)
    : file_(model.file), used_(model.used_files), list_(equations.requirements) {
  const std::set<std::int32_t> parameters = constant_parameters(model, equations);
  std::erase_if(list_, [&](const Requirement& each) {
    return !std::ranges::all_of(leaves_of(each.value), [&](std::int32_t leaf) { return parameters.contains(leaf); });
  });
  std::ranges::stable_partition(list_, [](const Requirement& each) { return !each.has_otherwise; });
  std::vector<Expression> values;
  for (const Requirement& each : list_) values.push_back(each.value);
  if (!values.empty()) program_ = std::make_shared<const Program>(equations.p, values);
}

std::string Requirements::place(const Requirement& each) const {
  return fmt::format("{}: {}", place_in_words(file_, each.where, used_), each.key);
}

const Requirement* Requirements::violated(std::span<const double> parameters) const {
  if (!program_) return nullptr;
  std::vector<double> values(list_.size());
  Evaluator evaluate(program_);
  evaluate(parameters.data(), values.data());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!list_[k].holds(values[k])) return &list_[k];
  return nullptr;
}

std::string Requirements::violation(std::span<const double> parameters) const {
  const Requirement* each = violated(parameters);
  if (!each) return {};
  const char* advice = each->has_otherwise ? " than the rest of the study; run this value separately" : "";
  return fmt::format("{}: {}{}", place(*each), each->sentence, advice);
}

bool Requirements::has_otherwise(std::span<const double> parameters) const {
  const Requirement* each = violated(parameters);
  return each && each->has_otherwise;
}

}  // namespace armature::internal
