#include "simulate_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <sstream>

#include "dynamics/formulation.hpp"
#include "errors.hpp"
#include "expression/number_text.hpp"
#include "integrate/integrator.hpp"
#include "model_arguments.hpp"
#include "prepare/tolerance.hpp"

namespace armature::internal::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

double gain(const std::string& text, const std::string& word) {
  const std::optional<double> value = read_number(text);
  if (!value || !(*value >= 0)) throw UsageError(fmt::format("--stabilization {}: '{}' is not a gain", word, text));
  return *value;
}

// One word of --stabilization; `baumgarte:ALPHA:BETA` carries its gains.
void apply_stabilization(const std::string& word, SimulateOptions& options) {
  const auto parts = split(word, ':');
  const std::string& name = parts.at(0);
  require_known(name, {"none", "projection", "baumgarte", "post_adjust"}, "stabilization");
  if (name == "baumgarte") {
    if (parts.size() != 3)
      throw UsageError("--stabilization baumgarte: expected baumgarte:ALPHA:BETA, in 1/s and 1/s^2");
    options.alpha = gain(parts[1], word);
    options.beta = gain(parts[2], word);
  } else if (parts.size() > 1) {
    throw UsageError(fmt::format("--stabilization {}: '{}' takes no gains here", word, name));
  }
  if (name == "projection") options.projection = true;
  if (name == "post_adjust") options.post_adjust = SimulateOptions::PostAdjust{};
}

void replace_stabilization(const std::string& text, SimulateOptions& options) {
  options.projection = false;
  options.alpha = options.beta = std::nullopt;
  options.post_adjust.reset();
  const auto words = split(text, ',');
  if (words.empty()) throw UsageError("--stabilization: expected none or a list of methods");
  for (const std::string& word : words) {
    if (word == "none" && words.size() > 1)
      throw UsageError("--stabilization: 'none' cannot be combined with other methods");
    apply_stabilization(word, options);
  }
}

// As in the file: steps of one size need a size, and the others have no use for one.
void require_fitting_step(bool given, bool one_step, const SimulateOptions& options) {
  const step::Method& method = method_of(options.integrator);
  const bool fixed = !method.controlled, pair = method.controlled && method.tableau;
  if (fixed && !options.step) throw UsageError(fmt::format("{} needs a fixed step: give --step", options.integrator));
  if (!fixed && given && !(one_step && pair))
    throw UsageError(fmt::format("--step: {} chooses its own steps; --max-step bounds them", options.integrator));
}

}  // namespace

void SimulateArguments::add_to(CLI::App& verb) {
  const std::string group = "Simulation (replaces the options in the file)";
  const auto number = [&](const char* name, std::optional<double>& value, const char* text, const char* unit) {
    verb.add_option(name, value, text)->type_name(unit)->check(positive)->group(group);
  };
  const auto word = [&](const char* name, std::optional<std::string>& value, const char* text) {
    verb.add_option(name, value, text)->type_name("NAME")->group(group);
  };
  number("--end", end, "end time", "SECONDS");
  number("--record", record, "time between recorded rows", "SECONDS");
  word("--integrator", integrator, fmt::format("{}", fmt::join(integrator_names(), ", ")).c_str());
  number("--step", step, "step of a fixed-step integrator", "SECONDS");
  number("--max-step", max_step, "largest step of an error-controlled integrator", "SECONDS");
  number("--rtol", rtol, "relative tolerance", "TOL");
  number("--atol", atol, "absolute tolerance of every coordinate", "TOL");
  word("--formulation", formulation, fmt::format("{}", fmt::join(formulation_names(), ", ")).c_str());
  word("--stabilization", stabilization, "none, or a list of projection, post_adjust, baumgarte:ALPHA:BETA");
  verb.add_flag("--accept-drift", accept_drift,
                "without projection, let constraints that open be a warning and no failure")
      ->group(group);
}

std::vector<std::pair<std::string, std::string>> SimulateArguments::given() const {
  std::vector<std::pair<std::string, std::string>> list;
  const auto add = [&](const char* option, const auto& value) {
    if (value) list.emplace_back(option, fmt::format("{}", *value));
  };
  add("--end", end), add("--record", record), add("--integrator", integrator), add("--step", step);
  add("--max-step", max_step), add("--rtol", rtol), add("--atol", atol);
  add("--formulation", formulation), add("--stabilization", stabilization);
  return list;
}

void SimulateArguments::require_once(const Settings& set) const {
  for (const auto& [option, value] : given()) {
    std::string key = "simulate." + option.substr(2);
    std::ranges::replace(key, '-', '_');
    const auto same = std::ranges::find(set, key, &Settings::value_type::first);
    if (same != set.end())
      throw UsageError(fmt::format("{} {}: '{}' already has the value {} from --set; give it once", option, value, key,
                                   same->second));
  }
}

void SimulateArguments::apply(SimulateOptions& options, const Settings& set, bool one_step) const {
  require_once(set);
  if (end) options.end = *end;
  if (step) options.step = step;
  if (rtol && (*rtol < least_rtol || *rtol > largest_rtol))
    throw UsageError(fmt::format("--rtol {:g}: must be between {:g} and {:g}", *rtol, least_rtol, largest_rtol));
  if (rtol) options.rtol = rtol;
  if (atol) options.atol = atol;
  if (record) options.record = record;
  if (max_step) options.max_step = max_step;
  if (integrator) {
    require_known(*integrator, integrator_names(), "integrator");
    options.integrator = *integrator;
  }
  require_fitting_step(step.has_value(), one_step, options);
  if (formulation) {
    require_known(*formulation, formulation_names(), "formulation");
    options.formulation = *formulation;
  }
  if (stabilization) replace_stabilization(*stabilization, options);
  if (accept_drift && options.projection)
    throw UsageError(
        "--accept-drift: projection leaves no drift to accept; give --stabilization none, or another "
        "without it");
  options.accept_drift = options.accept_drift || accept_drift;
}

}  // namespace armature::internal::cli
