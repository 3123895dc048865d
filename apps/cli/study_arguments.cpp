#include "study_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "expression/units.hpp"
#include "model/scope.hpp"
#include "room.hpp"
#include "study/dimensions.hpp"

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
  if (!(count >= 1 && count <= 1e6 && count == std::floor(count)))
    throw UsageError(fmt::format("{}: '{}' is not a number of values", option, text));
  return static_cast<int>(count);
}

void require_room_for(const std::vector<Axis>& axes) {
  std::vector<long> counts;
  for (const Axis& axis : axes) counts.push_back(axis.count);
  require_room(counts, bytes_of_a_cell(axes.size()), "--over");
}

// From a bit before the middle on, the first that is not `own`; if there is none, `own`.
double other_than(double own, const std::vector<double>& values) {
  const std::size_t first = values.size() * 382 / 1000;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = values[(first + k) % values.size()];
    if (std::abs(value - own) > 1e-6 * std::abs(own)) return value;  // more than the round-off of a grid
  }
  return values[first];
}

}  // namespace

double constant_in(const std::string& text, const Model& model, std::optional<Dimension> dimension) {
  const Formula formula = parse_formula(text, {0, 1});
  const double value = evaluate_constant(formula, model);
  if (dimension) lower_scalar(formula, parameter_scope(model), dimension);
  return value;
}

void throw_usage(const std::string& option, const FormulaError& error) {
  throw UsageError(fmt::format("{}: {}", option, error.what()));
}

void StudyArguments::add_to(CLI::App& verb, const std::string& over_help) {
  model.add_to(verb);
  verb.add_option("--over", over, over_help)
      ->type_name("NAME=RANGE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  SessionArguments::add_to(verb);
  simulate.add_to(verb);
}

void StudyArguments::add_lanes_to(CLI::App& verb) {
  verb.add_option("--lanes", lanes, "motions at once in a thread, 1 to 8; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, lane_count))
      ->capture_default_str();
}

Model StudyArguments::read(const Settings& more) const {
  Model result = model.read(more);
  simulate.apply(result.simulate, model.settings());
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

std::vector<Axis> StudyArguments::axes(const Model& model, bool counted) const {
  std::vector<Axis> axes;
  for (const std::string& text : over) {
    const std::string option = "--over " + text;
    const char* expected = counted ? "NAME=FROM:TO:COUNT" : "NAME=FROM:TO";
    if (text.find('=') == std::string::npos || text.starts_with('='))
      throw UsageError(fmt::format("{}: expected {}", option, expected));
    const auto [name, range] = split_assignment(text, "--over");
    const Settings set = this->model.settings();
    if (const auto same = std::ranges::find(set, name, &Settings::value_type::first); same != set.end())
      throw UsageError(
          fmt::format("{}: '{}' already has the value {} from --set; give one of them", option, name, same->second));
    const std::vector<std::string> parts = split(range);
    if (parts.size() != (counted ? 3 : 2)) throw UsageError(fmt::format("{}: expected {}", option, expected));
    Axis axis{name, 0, 0, 0};
    in_option(option, [&] {
      const auto dimension = dimension_of_varied(name, model);
      axis.from = constant_in(parts[0], model, dimension);
      axis.to = constant_in(parts[1], model, dimension);
      if (!dimension) check_units(*this, model, name, {parts[0], parts[1]}, option);
      if (counted) axis.count = count_of(option, parts[2], model);
    });
    if (!counted && !(axis.from < axis.to)) throw UsageError(fmt::format("{}: the range is empty", option));
    if (axis.count > 1 && axis.from == axis.to)
      throw UsageError(fmt::format("{}: all {} values are the same", option, axis.count));
    axes.push_back(axis);
  }
  if (counted && !axes.empty()) require_room_for(axes);
  return axes;
}

std::vector<std::string> names_of(const std::vector<Axis>& axes) {
  std::vector<std::string> names;
  for (const Axis& axis : axes) names.push_back(axis.name);
  return names;
}

std::vector<std::vector<double>> values_on(const std::vector<Axis>& axes) {
  std::vector<std::vector<double>> values(axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const Axis& axis = axes[d];
    for (int k = 0; k < axis.count; ++k) values[d].push_back(axis.at(k));
    if (axis.count == 0)
      for (double share : {0.0, 0.382, 0.618, 1.0}) values[d].push_back(axis.from + share * (axis.to - axis.from));
  }
  return values;
}

std::vector<std::vector<double>> values_in(const Points& points) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(points.dimensions));
  for (long k = 0; k < points.count(); ++k)
    for (std::size_t d = 0; d < values.size(); ++d) values[d].push_back(points[k][d]);
  return values;
}

namespace {

bool is_parameter(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end();
}

std::string place_of(const std::vector<std::string>& names, const std::vector<double>& point) {
  std::string place;
  for (std::size_t k = 0; k < names.size(); ++k)
    place += fmt::format("{}{} = {:.6g}", place.empty() ? "" : ", ", names[k], point[k]);
  return place;
}

// What f gives. A ModelError of the model at a point becomes a UsageError.
template <class F>
auto built_at(const std::vector<std::string>& names, const std::vector<double>& point, F f) {
  try {
    return f();
  } catch (const ModelError& error) {
    throw UsageError(
        fmt::format("--over: the model cannot be built with {}: {}", place_of(names, point), error.what()));
  }
}

// The model read with the parameters of a point. Throws UsageError where the file could not have them.
Model read_at(const StudyArguments& arguments, const Model& plain, const std::vector<std::string>& names,
              const std::vector<double>& point) {
  Settings settings;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_parameter(plain, names[k])) settings.emplace_back(names[k], fmt::format("{}", point[k]));
  return built_at(names, point, [&] { return arguments.read(settings); });
}

// Values at which a file may change its meaning: both ends, and zero.
std::vector<double> special_values(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  std::vector<double> special{*least, *most};
  if (*least < 0 && *most > 0 && std::ranges::count(values, 0.0) > 0) special.push_back(0);
  return special;
}

// There the file must be as legal as in between (no negative mass), and mean the same model.
void check_special_values(const StudyArguments& arguments, const Study& study, const Model& plain,
                          const std::vector<std::string>& names, const std::vector<std::vector<double>>& values,
                          const std::vector<double>& inside) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (!is_parameter(plain, names[k])) continue;
    for (const double value : special_values(values[k])) {
      std::vector<double> point = inside;
      point[k] = value;
      const Model there = vary(read_at(arguments, plain, names, point), names).model;
      if (built_at(names, point, [&] { return study.degenerates_at(there, point); }))
        throw UsageError(
            fmt::format("--over: with {0} = {1:g} the file means another model, with fewer states; leave this value "
                        "out, and run it by itself with --set {0}={1:g}",
                        names[k], value));
    }
  }
}

}  // namespace

void check_variables(const StudyArguments& arguments, const Study& study, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& values) {
  const Model plain = arguments.read();
  std::vector<double> point;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto own = std::ranges::find(plain.parameters, names[k], &Parameter::name);
    point.push_back(own != plain.parameters.end() ? other_than(own->value, values[k])
                                                  : values[k][values[k].size() / 2]);
  }
  check_special_values(arguments, study, plain, names, values, point);
  const Model there = read_at(arguments, plain, names, point);
  const std::string complaint =
      built_at(names, point, [&] { return study.differs_from(vary(there, names).model, point); });
  if (!complaint.empty()) throw UsageError("--over: " + complaint);
}

}  // namespace armature::internal::cli
