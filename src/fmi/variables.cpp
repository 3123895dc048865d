#include "fmi/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Kind = FmuVariable::Kind;

// Whether a formula is a number, units included, and refers to no other parameter.
bool is_number(const Syntax& syntax, const std::vector<Parameter>& parameters) {
  if (syntax.kind == Syntax::Kind::element) return false;
  if (syntax.kind == Syntax::Kind::name)
    return std::ranges::find(parameters, syntax.name, &Parameter::name) == parameters.end();
  return std::ranges::all_of(syntax.children, [&](const auto& part) { return is_number(*part, parameters); });
}

// A parameter that follows from others cannot be set: the host sets those.
FmuVariable parameter_variable(const Model& model, int k) {
  const Parameter& parameter = model.parameters[static_cast<std::size_t>(k)];
  const std::string unit = parameter.dimension ? to_string(*parameter.dimension) : "";
  const bool is_free = parameter.formula.given() && is_number(*parameter.formula.root, model.parameters);
  FmuVariable variable{Kind::parameter, k, parameter.name, unit, is_free ? "parameter" : "calculatedParameter",
                       "tunable"};
  variable.initial = is_free ? "exact" : "calculated";
  if (is_free) variable.start = parameter.value;
  return variable;
}

// Positions and velocities follow from the start values and the constraints, other states are free.
FmuVariable state_variable(const Coordinate& coordinate, int k, bool is_position, bool moves,
                           const Prepared& prepared) {
  const bool is_motion = is_position || moves;
  const bool is_kept_for_us = coordinate.in_ledger() || coordinate.kind == Coordinate::Kind::reference;
  FmuVariable variable{Kind::state, k, coordinate.name, coordinate.unit, is_kept_for_us ? "local" : "output",
                       "continuous"};
  if (coordinate.kind == Coordinate::Kind::reference) variable.name += ".reference";
  const bool is_settable = coordinate.kind != Coordinate::Kind::quaternion && !is_kept_for_us;
  variable.initial = !is_settable ? "calculated" : is_motion ? "approx" : "exact";
  if (is_settable) variable.start = prepared.start.x[k];
  const double nominal = prepared.options.atol[k] / prepared.options.rtol;
  if (std::isfinite(nominal)) variable.nominal = nominal;
  variable.unbounded = is_position && coordinate.kind == Coordinate::Kind::angle;
  return variable;
}

std::string rate_unit(const std::string& unit) {
  if (unit.ends_with("/s")) return unit + "^2";
  return unit.empty() ? "1/s" : unit.find('/') == std::string::npos ? unit + "/s" : "";
}

void refuse_equal_names(const std::vector<FmuVariable>& list) {
  std::set<std::string> names;
  for (const FmuVariable& variable : list)
    if (!names.insert(variable.name).second)
      throw RequestError(fmt::format(
          "two variables of the FMU would have the name '{}'; rename one of them in the model", variable.name));
}

class VariableList {
 public:
  VariableList(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels)
      : model_(model), prepared_(prepared), e_(prepared.system->equations()), channels_(channels) {}

  FmuVariables make() {
    add({Kind::time, 0, "time", "s", "independent", "continuous"});
    add_inputs();
    for (std::size_t k = 0; k < model_.parameters.size(); ++k) add(parameter_variable(model_, static_cast<int>(k)));
    add_states();
    add_rates();
    add_channels();
    add_indicators();
    refuse_equal_names(variables_.list);
    return std::move(variables_);
  }

 private:
  void add(FmuVariable variable) { variables_.list.push_back(std::move(variable)); }

  void add_inputs() {
    variables_.inputs = static_cast<int>(e_.p_name.size());
    variables_.parameters = static_cast<int>(model_.parameters.size());
    for (int k = 0; k < variables_.inputs; ++k) {
      const auto input = std::ranges::find(model_.inputs, e_.p_name[static_cast<std::size_t>(k)], &HostInput::name);
      FmuVariable variable{Kind::input, k, input->name, input->unit, "input", "continuous"};
      variable.start = prepared_.parameters[k];
      add(variable);
    }
  }

  void add_states() {
    int k = 0;
    for (const Coordinate& position : e_.positions) add(state_variable(position, k++, true, false, prepared_));
    for (const Coordinate& velocity : e_.velocities) add(state_variable(velocity, k++, false, true, prepared_));
    for (const Coordinate& other : e_.others) add(state_variable(other, k++, false, false, prepared_));
    variables_.states = k;
  }

  void add_rates() {
    const int first = variables_.first_state();
    for (int k = 0; k < variables_.states; ++k) {
      const FmuVariable& state = variables_.list[static_cast<std::size_t>(first + k)];
      FmuVariable rate{Kind::rate, k, fmt::format("der({})", state.name), rate_unit(state.unit), "local", "continuous"};
      rate.initial = "calculated";
      add(rate);
    }
  }

  // Those that are no input and no entry of x. What the file records and defines can be connected; the rest is there to be looked at.
  void add_channels() {
    std::set<std::string> known(e_.p_name.begin(), e_.p_name.end()), quantities;
    for (const auto* coordinates : {&e_.positions, &e_.velocities, &e_.others})
      for (const Coordinate& coordinate : *coordinates)
        if (coordinate.kind != Coordinate::Kind::reference) known.insert(coordinate.name);
    for (const Quantity& quantity : e_.quantities) quantities.insert(quantity.name);
    for (std::size_t k = 1; k < channels_.size(); ++k) {
      if (known.contains(channels_[k].name)) continue;
      const bool is_output = quantities.contains(channels_[k].name);
      FmuVariable variable{
          Kind::channel, static_cast<int>(k), channels_[k].name, channels_[k].unit, is_output ? "output" : "local",
          "continuous"};
      variable.initial = "calculated";
      add(variable);
    }
  }

  // One a comparison, then two a rigid contact.
  void add_indicators() {
    for (const Graph::Comparison& comparison : e_.graph->comparisons()) add_indicator(comparison.label);
    for (const RigidContact& contact : e_.contacts) {
      add_indicator(contact.label + ": gap, or force that presses");
      add_indicator(contact.label + ": sliding, or what is left of what can stick");
    }
  }
  void add_indicator(const std::string& description) {
    const int k = variables_.indicators++;
    FmuVariable variable{Kind::indicator, k, fmt::format("event_indicator[{}]", k + 1), "", "local", "continuous"};
    variable.initial = "calculated";
    variable.description = description;
    add(variable);
  }

  const Model& model_;
  const Prepared& prepared_;
  const Equations& e_;
  const std::vector<Channel>& channels_;
  FmuVariables variables_;
};

}  // namespace

FmuVariables fmu_variables(const Model& model, const Prepared& prepared, const std::vector<Channel>& channels) {
  return VariableList(model, prepared, channels).make();
}

}  // namespace armature::internal
