#include "study_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "expression/units.hpp"
#include "model/counted.hpp"
#include "model/scope.hpp"
#include "result_arguments.hpp"
#include "study/dimensions.hpp"
#include "study/law_text.hpp"
#include "study/varied_table.hpp"
#include "terminal.hpp"
#include "trust.hpp"

namespace armature::internal::cli {
namespace {

// Parts between colons.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) c == ':' ? parts.emplace_back() : parts.back() += c, void();
  return parts;
}

int count_of(const std::string& option, const std::string& text, const Model& model) {
  const double count = constant_in(text, model, dimensionless);
  if (count > 1e6) throw UsageError(fmt::format("{}: '{}' is more than the limit of 1000000 points", option, text));
  if (!(count >= 1 && count <= 1e6 && count == std::floor(count)))
    throw UsageError(fmt::format("{}: '{}' is not a count", option, text));
  return static_cast<int>(count);
}

}  // namespace

void StudyArguments::add_to(CLI::App& verb, const std::string& range_help) {
  model.add_to(verb);
  verb.add_option("--over", over,
                  "vary a parameter, an input, an initial value (NAME of a coordinate) or an initial rate (NAME.v): " +
                      range_help)
      ->type_name("NAME=RANGE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  SessionArguments::add_to(verb);
  add_no_verify_to(verb, no_verify);
  simulate.add_to(verb);
}

void StudyArguments::add_lanes_to(CLI::App& verb) {
  verb.add_option("--lanes", lanes, "motions per thread at a time, 1 to 8; does not change the results")
      ->type_name("N")
      ->check(whole_between(1, lane_count))
      ->capture_default_str();
}

void StudyArguments::add_inverse_to(CLI::App& verb) {
  verb.add_flag(
      "--inverse", inverse,
      "use the prescribed motion of 'armature inverse' instead of a run; compiles the model again for every point");
}

Model StudyArguments::read(const Settings& more) const {
  Model result = model.read(more);
  simulate.apply(result.simulate, model.settings());
  refuse_fmus(result);
  return result;
}

namespace {

// A parameter that the file gives without a unit has the dimension of its uses: bounds with units must fit them.
void check_units(const StudyArguments& arguments, const Model& model, const std::string& name,
                 const std::vector<std::string>& bounds, const std::string& option) {
  for (const std::string& bound : bounds) {
    const Formula formula = parse_formula(bound, {0, 1});
    if (!lower(formula, parameter_scope(model)).dimension) continue;
    try {
      arguments.read({{name, bound}});
    } catch (const ModelError& error) {
      throw UsageError(fmt::format("{}: {}", option, error.what()));
    }
  }
}

}  // namespace

std::vector<Axis> StudyArguments::axes(const Model& model, bool counted, bool random) const {
  std::vector<Axis> axes;
  const char* expected = counted ? "NAME=FROM:TO:COUNT" : "NAME=FROM:TO";
  if (over.empty()) throw UsageError(fmt::format("--over {} is missing: give at least one variable", expected));
  for (const std::string& text : over) {
    const std::string option = "--over " + text;
    if (text.find('=') == std::string::npos || text.starts_with('='))
      throw UsageError(fmt::format("{}: expected {}", option, expected));
    const auto [name, range] = split_assignment(text, "--over");
    const Settings set = this->model.settings();
    if (const auto same = std::ranges::find(set, name, &Settings::value_type::first); same != set.end())
      throw UsageError(
          fmt::format("{}: '{}' already has the value {} from --set; give one of them", option, name, same->second));
    if (is_law(range)) {
      if (!random)
        throw UsageError(
            fmt::format("{}: a distribution needs random points; give --latin or --sobol to sweep", option));
      in_option(option.substr(2), [&, &name = name, &range = range] {
        axes.push_back(read_law(option, name, range, model, dimension_of_varied(name, model)));
      });
      continue;
    }
    const std::vector<std::string> parts = split(range);
    if (parts.size() != (counted ? 3 : 2)) throw UsageError(fmt::format("{}: expected {}", option, expected));
    const std::vector<std::string> names = counted ? std::vector<std::string>{name} : element_names(model, name);
    Axis axis{name, 0, 0, 0};
    in_option(option.substr(2), [&, &first = names.front()] {
      const auto dimension = dimension_of_varied(first, model);
      axis.from = constant_in(parts[0], model, dimension);
      axis.to = constant_in(parts[1], model, dimension);
      if (!dimension && !table_point(model, first)) check_units(*this, model, first, {parts[0], parts[1]}, option);
      if (counted) axis.count = count_of(option, parts[2], model);
    });
    if (!counted && !(axis.from < axis.to)) throw UsageError(fmt::format("{}: the range is empty", option));
    if (axis.count > 1 && axis.from == axis.to)
      throw UsageError(fmt::format("{}: all {} values are the same", option, axis.count));
    for (const std::string& element : names) {
      axes.push_back(axis);
      axes.back().name = element;
    }
  }
  return axes;
}

}  // namespace armature::internal::cli
