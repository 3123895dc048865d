#include "study_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "model/scope.hpp"

namespace armature::cli {
namespace {

// Parts between colons.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (char c : text) c == ':' ? parts.emplace_back() : parts.back() += c, void();
  return parts;
}

double number(const std::string& text, const Model& model) {
  return evaluate_constant(parse_formula(text, {0, 1}), model);
}

int count_of(const std::string& option, const std::string& text, const Model& model) {
  const double count = number(text, model);
  if (!(count >= 1 && count <= 1e6 && count == std::floor(count)))
    throw UsageError(fmt::format("{}: '{}' is not a number of values", option, text));
  return static_cast<int>(count);
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

void throw_usage(const std::string& option, const FormulaError& error) {
  throw UsageError(fmt::format("{}: {}", option, error.what()));
}

void StudyArguments::add_to(CLI::App& verb, const std::string& over_help) {
  model.add_to(verb);
  verb.add_option("--over", over, over_help)
      ->type_name("NAME=RANGE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_option("-o,--output", output, "folder of the results; results/<model name>_<verb> if not given")
      ->type_name("DIR");
  verb.add_option("--threads", threads, "threads of this process; one a core if not given")
      ->type_name("N")
      ->check(positive);
  auto* resumes = verb.add_flag("--resume", resume, "go on where an interrupted command stopped");
  verb.add_flag("--restart", restart, "drop what an interrupted command has left")->excludes(resumes);
  verb.add_flag("--no-report", no_report, "write no report.html");
  simulate.add_to(verb);
}

void StudyArguments::add_lanes_to(CLI::App& verb) {
  verb.add_option("--lanes", lanes, "motions at once in a thread, 1 to 8; the results are the same")
      ->type_name("N")
      ->check(CLI::Range(1, lane_count))
      ->capture_default_str();
}

Model StudyArguments::read(const Settings& more) const {
  ModelArguments all = model;
  for (const auto& [name, formula] : more) all.set.push_back(name + "=" + formula);
  Model result = all.read();
  simulate.apply(result.simulate);
  return result;
}

std::vector<Axis> StudyArguments::axes(const Model& model, bool counted) const {
  std::vector<Axis> axes;
  for (const std::string& text : over) {
    const std::string option = "--over " + text;
    const auto [name, range] = split_assignment(text, "--over");
    const std::vector<std::string> parts = split(range);
    if (parts.size() != (counted ? 3 : 2))
      throw UsageError(fmt::format("{}: expected {}", option, counted ? "NAME=FROM:TO:COUNT" : "NAME=FROM:TO"));
    Axis axis{name, 0, 0, 0};
    in_option(option, [&] {
      axis.from = number(parts[0], model);
      axis.to = number(parts[1], model);
      if (counted) axis.count = count_of(option, parts[2], model);
    });
    if (!counted && !(axis.from < axis.to)) throw UsageError(fmt::format("{}: the range is empty", option));
    axes.push_back(axis);
  }
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
      for (double share : {0.382, 0.618}) values[d].push_back(axis.from + share * (axis.to - axis.from));
  }
  return values;
}

std::vector<std::vector<double>> values_in(const Points& points) {
  std::vector<std::vector<double>> values(static_cast<std::size_t>(points.dimensions));
  for (long k = 0; k < points.count(); ++k)
    for (std::size_t d = 0; d < values.size(); ++d) values[d].push_back(points[k][d]);
  return values;
}

void check_variables(const StudyArguments& arguments, const Study& study, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& values) {
  const Model plain = arguments.read();
  std::vector<double> point;
  Settings settings;
  std::string place;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto own = std::ranges::find(plain.parameters, names[k], &Parameter::name);
    const bool parameter = own != plain.parameters.end();
    point.push_back(parameter ? other_than(own->value, values[k]) : values[k][values[k].size() / 2]);
    if (parameter) settings.emplace_back(names[k], fmt::format("{}", point[k]));
    place += fmt::format("{}{} = {:.6g}", place.empty() ? "" : ", ", names[k], point[k]);
  }
  try {
    const std::string complaint = study.differs_from(vary(arguments.read(settings), names).model, point);
    if (!complaint.empty()) throw UsageError("--over: " + complaint);
  } catch (const ModelError& error) {
    throw UsageError(fmt::format("--over: the model cannot be built with {}: {}", place, error.what()));
  }
}

}  // namespace armature::cli
