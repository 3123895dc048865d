#include "report/run_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "expression/lower.hpp"
#include "record/record_error.hpp"
#include "record/run_record.hpp"
#include "record/trajectory.hpp"

namespace armature::internal::plot {
namespace {

namespace fs = std::filesystem;

struct PlottedRun {
  std::string name;
  fs::path file;  // trajectory.csv
  std::vector<Channel> channels;
  RunRecord record;
};

PlottedRun open_run(const fs::path& folder) {
  PlottedRun run;
  const fs::path normal = folder.lexically_normal();
  run.name = (normal.has_filename() ? normal : normal.parent_path()).filename().string();
  run.record = read_run(folder);
  run.file = (fs::is_directory(folder) ? folder : folder.parent_path()) / "trajectory.csv";
  run.channels = read_channels(run.file);
  return run;
}

// * stands for any letters.
bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] != '*') return !name.empty() && name[0] == pattern[0] && matches(pattern.substr(1), name.substr(1));
  for (std::size_t skip = 0; skip <= name.size(); ++skip)
    if (matches(pattern.substr(1), name.substr(skip))) return true;
  return false;
}

int find_channel(const PlottedRun& run, const std::string& name) {
  const auto found =
      std::find_if(run.channels.begin(), run.channels.end(), [&](const auto& c) { return c.name == name; });
  return found == run.channels.end() ? -1 : static_cast<int>(found - run.channels.begin());
}

[[noreturn]] void refuse(const PlottedRun& run, const std::string& name) {
  std::vector<std::string> names;
  for (const Channel& channel : run.channels) names.push_back(channel.name);
  const auto guess = nearest_name(name, names);
  throw RecordError(fmt::format("{}: there is no channel '{}'{}", run.file.string(), name,
                                guess ? fmt::format(" (did you mean '{}'?)", *guess) : ""));
}

// Names asked for, patterns replaced by what they match in any of the runs; without any the coordinates of the first run.
std::vector<std::string> chosen_names(const std::vector<PlottedRun>& runs, const RunFigureOptions& options) {
  std::vector<std::string> names;
  std::set<std::string> seen{options.x};
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  if (options.channels.empty() && runs[0].record.start)
    for (const auto& [name, value] : runs[0].record.start->q) add(name);
  for (const std::string& pattern : options.channels) {
    const std::size_t before = names.size();
    for (const PlottedRun& run : runs)
      for (const Channel& channel : run.channels)
        if (matches(pattern, channel.name)) add(channel.name);
    if (names.size() == before && !seen.contains(pattern)) refuse(runs[0], pattern);
  }
  return names;
}

std::string quantity_of(const std::string& unit) {
  static const std::map<std::string, std::string> words = {
      {"rad", "angle"},    {"m", "length"},     {"rad/s", "angular velocity"},
      {"m/s", "velocity"}, {"A", "current"},    {"V", "voltage"},
      {"N m", "torque"},   {"N", "force"},      {"J", "energy"},
      {"W", "power"},      {"K", "temperature"}};
  const auto found = words.find(unit);
  return found == words.end() ? "" : found->second;
}

std::string with_unit(const std::string& name, const std::string& unit) {
  if (unit.empty()) return name;
  return name.empty() ? fmt::format("({})", unit) : fmt::format("{} ({})", name, unit);
}

std::string panel_label(const std::vector<std::string>& names, const std::string& unit, bool logarithmic) {
  const std::string bars = logarithmic ? "|" : "";
  if (names.size() == 1) return with_unit(bars + names[0] + bars, unit);
  return unit.empty() ? "no unit, or mixed SI units" : with_unit(quantity_of(unit), unit);
}

// Channels of one unit, in the order in which they were asked for.
struct UnitGroup {
  std::string unit;
  std::vector<std::string> names;
};

std::vector<UnitGroup> by_unit(const std::vector<PlottedRun>& runs, const std::vector<std::string>& names) {
  std::vector<UnitGroup> groups;
  for (const std::string& name : names) {
    std::string unit;
    for (const PlottedRun& run : runs)
      if (const int k = find_channel(run, name); k >= 0) unit = run.channels[static_cast<std::size_t>(k)].unit;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const UnitGroup& each) { return each.unit == unit; });
    if (group == groups.end()) group = groups.insert(groups.end(), {unit, {}});
    group->names.push_back(name);
  }
  return groups;
}

// One channel: colors tell runs apart. Several: colors tell channels apart. Dashes tell runs apart, and let one be seen that lies under another.
void add_curves(const PlottedRun& run, int run_index, bool several_runs, const std::string& x, const UnitGroup& group,
                Panel& panel) {
  std::vector<int> columns{find_channel(run, x)};
  if (columns[0] < 0) refuse(run, x);
  std::vector<std::string> names;
  for (const std::string& name : group.names)
    if (const int k = find_channel(run, name); k >= 0) columns.push_back(k), names.push_back(name);
  auto values = read_columns(run.file, columns);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto place = std::find(group.names.begin(), group.names.end(), names[i]) - group.names.begin();
    const bool one = group.names.size() == 1;
    panel.curves.push_back({several_runs ? (one ? run.name : names[i] + ", " + run.name) : names[i], values[0],
                            std::move(values[i + 1]), one ? run_index : static_cast<int>(place), run_index});
  }
}

// A figure without a curve is a mistake that its reader would look for elsewhere.
void require_something_to_draw(const Figure& figure, const RunFigureOptions& options, const PlottedRun& run) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double first = infinity, last = -infinity, drawn = 0;
  for (const Panel& panel : figure.panels)
    for (const Curve& curve : panel.curves) {
      for (std::size_t k = 0; k < curve.x.size(); ++k)
        drawn += std::isfinite(curve.x[k]) && std::isfinite(curve.y[k]) && !(panel.logarithmic && curve.y[k] == 0);
      for (double x : curve.x)
        if (std::isfinite(x)) first = std::min(first, x), last = std::max(last, x);
    }
  if (options.from.value_or(-infinity) >= last || options.to.value_or(infinity) <= first)
    throw RecordError(
        fmt::format("{}: {} goes from {:g} to {:g}; there is nothing {}", run.file.string(), options.x, first, last,
                    options.from.value_or(-infinity) >= last ? fmt::format("after --from {:g}", *options.from)
                                                             : fmt::format("before --to {:g}", *options.to)));
  if (drawn == 0)
    throw RecordError(fmt::format("{}: there is nothing to draw: the channels have no values{}", run.file.string(),
                                  options.logarithmic ? " but zero, which a logarithmic axis does not show" : ""));
}

}  // namespace

Figure figure_of_runs(const std::vector<fs::path>& folders, const RunFigureOptions& options) {
  std::vector<PlottedRun> runs;
  for (const fs::path& folder : folders) runs.push_back(open_run(folder));
  for (std::size_t k = 0; k < std::min(runs.size(), options.names.size()); ++k) runs[k].name = options.names[k];
  const int x = find_channel(runs.at(0), options.x);
  if (x < 0) refuse(runs[0], options.x);
  Figure figure;
  figure.title = options.title;
  figure.x_label = with_unit(options.x, runs[0].channels[static_cast<std::size_t>(x)].unit);
  figure.x_low = options.from, figure.x_high = options.to;
  for (const UnitGroup& group : by_unit(runs, chosen_names(runs, options))) {
    Panel panel{panel_label(group.names, group.unit, options.logarithmic), options.logarithmic, {}};
    for (std::size_t i = 0; i < runs.size(); ++i)
      add_curves(runs[i], static_cast<int>(i), runs.size() > 1, options.x, group, panel);
    figure.panels.push_back(std::move(panel));
  }
  const std::string& unit = runs[0].channels[static_cast<std::size_t>(x)].unit;
  const auto has_other_unit = [&](const UnitGroup& group) { return group.unit != unit; };
  figure.true_scale = !unit.empty() && !options.logarithmic && !options.from && !options.to && options.x != "t" &&
                      std::ranges::none_of(by_unit(runs, chosen_names(runs, options)), has_other_unit);
  if (figure.panels.empty())
    throw RecordError(
        fmt::format("{}: has no coordinates to draw; choose channels with --channels", runs[0].file.string()));
  require_something_to_draw(figure, options, runs[0]);
  if (options.events && options.x == "t")
    for (const auto& [t, what] : runs[0].record.events) figure.events.push_back(t);
  return figure;
}

}  // namespace armature::internal::plot
