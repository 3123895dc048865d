#include "gallery/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>

#include "expression/number_text.hpp"
#include "gallery/numbers.hpp"
#include "read/reader.hpp"
#include "record/record_error.hpp"
#include "report/heat_map.hpp"
#include "report/pose_drawing.hpp"
#include "report/run_figure.hpp"

namespace armature::internal::gallery {
namespace {

namespace fs = std::filesystem;

const Experiment& experiment_of(const Entry& entry, const std::string& name) {
  return *std::ranges::find(entry.experiments, name, &Experiment::name);
}

std::string label_of(const Picture& picture, std::size_t k) {
  return k < picture.labels.size() ? picture.labels[k] : picture.of[k];
}

double number(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<plot::Point> points_of(const Json& list, double x_scale = 1, double y_scale = 1) {
  std::vector<plot::Point> points;
  for (const Json& point : list) points.push_back({x_scale * number(point[0]), y_scale * number(point[1])});
  return points;
}

// One experiment's answers, by name.
class Sources {
 public:
  Sources(const Entry& entry, const ExperimentResults& results) : entry_(entry), results_(results) {}
  const ExperimentResult& operator()(const std::string& name) const { return result_of(entry_, name, results_); }

 private:
  const Entry& entry_;
  const ExperimentResults& results_;
};

plot::Drawing curves(const Picture& picture, const Sources& sources) {
  std::vector<fs::path> runs;
  for (const std::string& name : picture.of) runs.push_back(sources(name).folder);
  plot::RunFigureOptions options;
  options.channels = picture.channels;
  options.x = picture.x, options.logarithmic = picture.logarithmic;
  options.title = picture.title, options.from = picture.from, options.to = picture.to;
  options.names = picture.labels;
  plot::Figure figure = figure_of_runs(runs, options);
  figure.panel_height = figure.panels.size() > 2 ? 92 : 130;
  return drawing_of(figure);
}

// An error of tune over the gains, with the least one marked and the region of stability outlined.
plot::Drawing heat(const Picture& picture, const Sources& sources) {
  const Json& said = sources(picture.of.at(0)).said;
  const Json& grid = said.at("grids").at(0);
  const std::string error = picture.channels.empty() ? "e" : picture.channels.front();
  plot::HeatMap map;
  map.title = picture.title, map.logarithmic = picture.logarithmic;
  map.x_label = "alpha (1/s)", map.y_label = "beta (1/s\u00b2)", map.value_label = error;
  map.x = grid.at("alpha").get<std::vector<double>>(), map.y = grid.at("beta").get<std::vector<double>>();
  for (const Json& row : grid.at(error))
    for (const Json& value : row) map.values.push_back(number(value));
  std::size_t least = 0;
  for (std::size_t k = 0; k < map.values.size(); ++k)
    if (map.values[k] < map.values[least] || std::isnan(map.values[least])) least = k;
  const plot::Point at{map.x[least % map.x.size()], map.y[least / map.x.size()]};
  map.marks.push_back({at, fmt::format("least: {:g}, {:g}", at.x, at.y)});
  if (said.contains("stability_region")) {
    const double h = said.at("step");
    map.outlines.push_back(points_of(said.at("stability_region").at("boundary"), 1 / h, 1 / (h * h)));
  }
  return drawing_of(map);
}

// cells.csv of map: two variables, level, number, t, class.
plot::Drawing classes(const Picture& picture, const Sources& sources) {
  const ExperimentResult& result = sources(picture.of.at(0));
  std::ifstream in(result.folder / "cells.csv");
  std::string line;
  std::getline(in, line);
  std::istringstream header(line);
  plot::HeatMap map;
  std::getline(header, map.x_label, ',');
  std::getline(header, map.y_label, ',');
  std::map<std::pair<double, double>, double> cells;  // by y and x
  std::set<double> xs, ys;
  while (std::getline(in, line)) {
    std::vector<double> fields;
    std::istringstream row(line);
    for (std::string field; fields.size() < 4 && std::getline(row, field, ',');)
      fields.push_back(read_number(field).value_or(std::nan("")));
    if (fields.size() < 4 || fields[2] != 0) continue;
    const double x = fields[0], y = fields[1], number = fields[3];
    cells[{y, x}] = number, xs.insert(x), ys.insert(y);
  }
  if (picture.labels.size() == 2) map.x_label = picture.labels[0], map.y_label = picture.labels[1];
  if (cells.empty()) throw RecordError("the map holds no cells over two variables");
  map.x.assign(xs.begin(), xs.end()), map.y.assign(ys.begin(), ys.end());
  for (const auto& [place, number] : cells) map.values.push_back(number);
  map.classes = result.said.at("classes").get<std::vector<std::string>>();
  map.title = picture.title;
  return drawing_of(map);
}

// Boundaries of the regions of stability, one curve a method.
plot::Drawing regions(const Picture& picture, const Sources& sources) {
  plot::Figure figure;
  figure.title = picture.title;
  figure.x_label = "alpha \u00b7 step";
  figure.panel_height = 240;
  figure.panels.push_back({"beta \u00b7 step\u00b2", false, {}});
  for (std::size_t k = 0; k < picture.of.size(); ++k) {
    plot::Curve curve{label_of(picture, k), {}, {}, static_cast<int>(k), 0};
    auto boundary = points_of(sources(picture.of[k]).said.at("stability_region").at("boundary"));
    if (!boundary.empty()) boundary.push_back(boundary.front());
    for (const plot::Point& point : boundary) curve.x.push_back(point.x), curve.y.push_back(point.y);
    figure.panels[0].curves.push_back(std::move(curve));
  }
  return drawing_of(figure);
}

Settings settings_of(const Experiment& experiment) {
  Settings settings;
  for (std::size_t k = 0; k + 1 < experiment.command.size(); ++k) {
    if (experiment.command[k] != "--set") continue;
    const std::string& text = experiment.command[k + 1];
    settings.emplace_back(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
  }
  return settings;
}

plot::Drawing poses(const Picture& picture, const Sources& sources, const Entry& entry, const fs::path& root) {
  const Experiment& experiment = experiment_of(entry, picture.of.at(0));
  plot::PoseOptions options;
  options.times = picture.at;
  options.bend = picture.bend.value_or(1);
  options.title = picture.title;
  options.traces = picture.channels;
  const Model model = read_model((root / experiment.command.at(1)).string(), settings_of(experiment));
  return drawing_of_poses(model, plot::MotionRows(sources(picture.of[0]).folder), options);
}

plot::Drawing draw(const Picture& picture, const Entry& entry, const Sources& sources, const fs::path& root) {
  switch (picture.kind) {
    case Picture::Kind::curves: return curves(picture, sources);
    case Picture::Kind::heat: return heat(picture, sources);
    case Picture::Kind::classes: return classes(picture, sources);
    case Picture::Kind::regions: return regions(picture, sources);
    case Picture::Kind::poses: return poses(picture, sources, entry, root);
  }
  return {};
}

}  // namespace

std::vector<DrawnPicture> draw_pictures(const Entry& entry, JudgedItem& item, const ExperimentResults& results,
                                        const fs::path& root, const fs::path& folder) {
  std::vector<DrawnPicture> drawn;
  const Sources sources(entry, results);
  fs::create_directories(folder / "pictures");
  for (std::size_t k = 0; k < item.item->pictures.size(); ++k) {
    const Picture& picture = item.item->pictures[k];
    const fs::path file = fs::path("pictures") / fmt::format("{}_{}_{}.svg", entry.name, item.item->name, k + 1);
    try {
      write_drawing(draw(picture, entry, sources, root), folder / file, 100);
      drawn.push_back(
          {file, picture.title, picture.kind == Picture::Kind::heat || picture.kind == Picture::Kind::classes});
    } catch (const std::exception& error) {
      item.problems.push_back(
          fmt::format("{}:{}: the picture cannot be drawn: {}", entry.file.string(), picture.where.line, error.what()));
    }
  }
  item.verdict = verdict_of(item);
  return drawn;
}

}  // namespace armature::internal::gallery
