#include "study/code_inputs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "model/request_error.hpp"
#include "study/study.hpp"
#include "study/variables.hpp"

namespace armature::internal {

namespace {

void require_parameters_once(const std::vector<std::string>& inputs, const Model& model) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.name);
  for (const std::string& input : inputs) {
    require_known(input, parameters, "parameter");
    if (std::ranges::count(inputs, input) > 1) throw RequestError("input", fmt::format("'{}' is named twice", input));
  }
}

// A parameter as the user may change it: a value near its own that the file could have, or a number of parts one more.
std::optional<Model> with_other_value(const Parameter& parameter, const ReadAgain& again, double& value) {
  const double own = parameter.value;
  for (const double other : {own == 0 ? 1e-3 : 0.99 * own, own == 0 ? 1 : 1.01 * own, own + 1, own - 1}) {
    value = other;
    try {
      return again.at({parameter.name}, {other});
    } catch (const RequestError&) {  // the file cannot have it
    }
  }
  return std::nullopt;
}

}  // namespace

void require_code_inputs(const std::vector<std::string>& inputs, const Model& model, const Settings& settings) {
  require_parameters_once(inputs, model);
  if (inputs.empty()) return;
  const Varied varied = vary(model, inputs);
  const MotionFormulas none(varied.model, varied.parameters);
  const Study study(varied, none);
  const ReadAgain again(model, settings);
  std::vector<double> own;
  for (const std::string& input : inputs)
    own.push_back(std::ranges::find(model.parameters, input, &Parameter::name)->value);
  if (study.degenerates_at(varied.model, own))
    throw RequestError(fmt::format("input {}", fmt::join(inputs, ",")),
                       "with the values in the file the model has other equations (those of an inductance of zero, for "
                       "example); give other "
                       "values with --set");
  for (std::size_t k = 0; k < own.size(); ++k) {
    std::vector<double> point = own;
    const Parameter& parameter = *std::ranges::find(model.parameters, inputs[k], &Parameter::name);
    std::optional<Model> there = with_other_value(parameter, again, point[k]);
    if (!there) continue;
    there->simulate = model.simulate;  // a step function knows nothing of an end time
    if (!study.differs_from(vary(*there, inputs).model, point).empty())
      throw RequestError("input " + inputs[k],
                         "changes more than numbers in the equations (a number of parts, an axis), so it cannot be an "
                         "input; give it a "
                         "value with --set");
  }
}

}  // namespace armature::internal
