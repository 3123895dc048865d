#include "study/variables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/inputs.hpp"
#include "study/memory_limit.hpp"

namespace armature::internal {

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

void require_axes(const std::vector<Axis>& axes, bool counted, const std::string& study) {
  if (axes.empty()) throw RequestError("over", fmt::format("{} needs at least one variable with its range", study));
  std::vector<long> counts;
  for (const Axis& axis : axes) {
    counts.push_back(axis.count);
    const bool empty = counted ? axis.count < 1 || (axis.count > 1 && axis.from == axis.to) : !(axis.from < axis.to);
    if (empty) throw RequestError("over " + axis.name, "the range is empty");
    if (!std::isfinite(axis.to - axis.from))
      throw RequestError("over " + axis.name,
                         "the range is too wide: the difference of its ends is not a finite number");
  }
  if (counted) require_memory(counts, bytes_of_a_cell(axes.size()), "over");
}

void throw_request(const std::string& option, const FormulaError& error) { throw RequestError(option, error.what()); }

namespace {

// From a bit before the middle on, the first that is not `own`; if there is none, `own`.
double other_than(double own, const std::vector<double>& values) {
  const std::size_t first = values.size() * 382 / 1000;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double value = values[(first + k) % values.size()];
    if (std::abs(value - own) > 1e-6 * std::abs(own)) return value;  // more than the round-off of a grid
  }
  return values[first];
}

bool is_parameter(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name) != model.parameters.end();
}

std::string point_words(const std::vector<std::string>& names, const std::vector<double>& point) {
  std::string place;
  for (std::size_t k = 0; k < names.size(); ++k)
    place += fmt::format("{}{} = {:.6g}", place.empty() ? "" : ", ", names[k], point[k]);
  return place;
}

// Of the elements of one list that follow one another the first stands for all.
bool stands_for_itself(const std::vector<std::string>& names, std::size_t k) {
  const std::size_t open = names[k].find('[');
  return k == 0 || open == std::string::npos || names[k - 1].substr(0, open + 1) != names[k].substr(0, open + 1);
}

// What f gives. A ModelError of the model at a point becomes a RequestError.
template <class F>
auto built_at(const std::vector<std::string>& names, const std::vector<double>& point, F f) {
  try {
    return f();
  } catch (const ModelError& error) {
    throw RequestError("over",
                       fmt::format("the model cannot be built with {}: {}", point_words(names, point), error.what()));
  }
}

// Values at which a file may change its meaning: both ends, and zero.
std::vector<double> special_values(const std::vector<double>& values) {
  const auto [least, most] = std::ranges::minmax_element(values);
  std::vector<double> special{*least, *most};
  if (*least < 0 && *most > 0 && std::ranges::count(values, 0.0) > 0) special.push_back(0);
  return special;
}

}  // namespace

ReadAgain::ReadAgain(const Model& model, const Settings& settings)
    : model_(model), settings_(settings), as_read_(read_again(model, settings).simulate) {}

Model ReadAgain::at(const std::vector<std::string>& names, const std::vector<double>& point) const {
  Settings all = settings_;
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_parameter(model_, names[k])) all.emplace_back(names[k], fmt::format("{}", point[k]));
  Model there = built_at(names, point, [&] { return read_again(model_, all); });
  keep_changed(there.simulate);
  return there;
}

void ReadAgain::keep_changed(SimulateOptions& options) const {
  const auto keep = [&](auto SimulateOptions::*option) {
    if (as_read_.*option != model_.simulate.*option) options.*option = model_.simulate.*option;
  };
  keep(&SimulateOptions::end), keep(&SimulateOptions::step), keep(&SimulateOptions::max_step);
  keep(&SimulateOptions::rtol), keep(&SimulateOptions::atol), keep(&SimulateOptions::record);
  keep(&SimulateOptions::integrator), keep(&SimulateOptions::formulation), keep(&SimulateOptions::projection);
  keep(&SimulateOptions::alpha), keep(&SimulateOptions::beta), keep(&SimulateOptions::accept_drift);
  options.post_adjust = model_.simulate.post_adjust;
}

std::vector<ComparedPoint> points_to_compare(const Model& model, const std::vector<std::string>& names,
                                             const std::vector<std::vector<double>>& values) {
  const std::vector<Parameter> parameters = with_inputs_as_parameters(model).parameters;
  std::vector<double> inside;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto own = std::ranges::find(parameters, names[k], &Parameter::name);
    inside.push_back(own != parameters.end() ? other_than(own->value, values[k]) : values[k][values[k].size() / 2]);
  }
  std::vector<ComparedPoint> points{{inside}};
  for (std::size_t k = 0; k < names.size(); ++k)
    for (const double value : is_parameter(model, names[k]) && stands_for_itself(names, k) ? special_values(values[k])
                                                                                           : std::vector<double>{}) {
      points.push_back({inside, k});
      points.back().values[k] = value;
    }
  return points;
}

// At special values the file must be as legal as in between (no negative mass), and mean the same model.
void check_variables(Study& study, const Model& model, const Settings& settings, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& values) {
  if (model.text.empty()) return;
  const ReadAgain again(model, settings);
  const std::vector<ComparedPoint> points = points_to_compare(model, names, values);
  for (const auto& [point, special] : points) {
    if (!special) continue;
    const Model there = vary(again.at(names, point), names, true).model;
    if (built_at(names, point, [&, &point = point] { return study.degenerates_at(there, point); }))
      throw RequestError(
          "over",
          fmt::format(
              "with {} = {:g} the file describes another model, with other equations; leave this value out and run it "
              "separately",
              names[*special], point[*special]));
  }
  const std::vector<double>& inside = points.front().values;
  const Model there = again.at(names, inside);
  const std::string complaint =
      built_at(names, inside, [&] { return study.differs_from(vary(there, names, true).model, inside); });
  if (!complaint.empty()) throw RequestError("over", complaint);
  study.set_ranges({formula_checks(model, settings), model, vary(model, names, true).parameters});
}

}  // namespace armature::internal
