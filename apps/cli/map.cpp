// armature map FILE --over … --classify …: outcomes of the motion over a grid of parameters and start values.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "motion_failures.hpp"
#include "run_command.hpp"
#include "study/lattice.hpp"
#include "study/motion_warnings.hpp"
#include "study/study_cells.hpp"
#include "study_report.hpp"
#include "study_warnings.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* map_examples =
    "Examples:\n"
    "  armature map models/press.yaml --over phi0=0:2*pi:61 --over w0=-3:3:61 \\\n"
    "      --classify 'never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped'\n"
    "  armature map models/press.yaml --over phi.v=0:3:31 --classify 'turns: turns(phi) >= 1; rests' --refine 10\n"
    "  mpirun -n 2 armature map models/press.yaml --over phi.v=0:3:31 --classify 'turns: turns(phi) >= 1; rests'\n"
    "\nEach motion belongs to the first class whose condition holds; the last class needs none. Conditions are "
    "formulas\n"
    "over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), integral(x), turns(x), "
    "first(condition),\n"
    "last(condition). A motion ends as soon as its class is decided. Ctrl-C keeps what is done for --resume.";

struct MapArguments {
  StudyArguments study;
  std::string classify;
  int refine = 0;
};

// numbers a cell gives: class (-1: none), time at which it was decided, status, why it failed, what is to be warned of
constexpr int cell_width = 5;

CellJob cells_at(const Points& points, const Study& study, const Classes& classes, int lanes) {
  const MotionNumbers numbers = [](const StudyRun& run, MotionStatus status, std::span<double> result) {
    result[0] = status == MotionStatus::finished ? run.motion_class() : -1;
    result[1] = status == MotionStatus::no_start ? 0 : run.t();
    result[2] = static_cast<double>(status);
    result[3] = status == MotionStatus::finished ? 0 : reason_number(run.sentence());
    result[4] = status == MotionStatus::finished ? warning_bits(run.findings()) : 0;
  };
  return study_cells(study, &classes, points, cell_width, numbers, lanes);
}

// The map as far as it is known.
struct Map {
  Lattice lattice;
  std::vector<double> cells;  // `cell_width` numbers a node
  bool complete = false;

  double cell(long node, int number) const { return cells[static_cast<std::size_t>(node * cell_width + number)]; }
  std::vector<double> column(int number) const {
    std::vector<double> values;
    for (long k = 0; k < lattice.nodes(); ++k) values.push_back(cell(k, number));
    return values;
  }
};

Map compute(const std::vector<Axis>& axes, const MapArguments& arguments, const Study& study, const Classes& classes,
            CellSession& session) {
  Map map{Lattice(axes, arguments.refine), {}, false};
  for (long first = 0; first < map.lattice.nodes();) {
    const Points points = map.lattice.points(first);
    const int level = map.lattice.level(first);
    const CellTable table = session.run(cells_at(points, study, classes, arguments.study.lanes), first,
                                        level == 0 ? "map" : fmt::format("level {}", level));
    map.cells.insert(map.cells.end(), table.values.begin(), table.values.end());
    if (table.missing() > 0) return map;
    first += table.count();
    std::vector<int> found;
    for (long k = 0; k < table.count(); ++k) found.push_back(static_cast<int>(table.row(k)[0]));
    map.lattice.classify(found);
  }
  map.complete = true;
  return map;
}

std::string class_name(const Classes& classes, int number) {
  return number < 0 ? "failed" : classes.names()[static_cast<std::size_t>(number)];
}

void write_cells(const Map& map, const std::vector<std::string>& names, const Classes& classes,
                 const std::filesystem::path& folder) {
  std::vector<std::string> header = names;
  for (const char* name : {"level", "number", "t [s]", "class", "warnings"}) header.emplace_back(name);
  CsvTable table(header);
  const Points points = map.lattice.points(0);
  for (long k = 0; k < points.count(); ++k) {
    for (int d = 0; d < points.dimensions; ++d) table.add(points[k][d]);
    table.add(map.lattice.level(k)).add(map.cell(k, 0)).add(map.cell(k, 1));
    table.add(class_name(classes, static_cast<int>(map.cell(k, 0))));
    table.add(warning_words(map.cell(k, 4))).end_row();
  }
  table.write(folder / "cells.csv");
}

// Where two neighbours differ: the place half-way, and how far both are from it.
void write_borders(const Map& map, const std::vector<std::string>& names, const Classes& classes,
                   const std::filesystem::path& folder) {
  std::vector<std::string> header = names;
  for (const char* name : {"along", "within", "below", "above"}) header.emplace_back(name);
  CsvTable table(header);
  const Points points = map.lattice.points(0);
  for (const auto& [a, b, axis, gap] : map.lattice.borders()) {
    for (int d = 0; d < points.dimensions; ++d) table.add(0.5 * (points[a][d] + points[b][d]));
    table.add(names[static_cast<std::size_t>(axis)]).add(0.5 * gap);
    table.add(class_name(classes, static_cast<int>(map.cell(a, 0))));
    table.add(class_name(classes, static_cast<int>(map.cell(b, 0)))).end_row();
  }
  table.write(folder / "borders.csv");
}

// The map as a picture: each node is drawn at the size of its level.
StudyDocument picture(const Map& map, const Model& model, const std::vector<Axis>& axes, const Classes& classes) {
  const Points points = map.lattice.points(0);
  StudyDocument document{.verb = "map"};
  for (std::size_t d = 0; d < axes.size(); ++d) {
    document.variables.push_back(study_variable(model, axes[d].name));
    for (long k = 0; k < points.count(); ++k) document.variables[d].values.push_back(points[k][d]);
  }
  StudyResult found{.name = "class", .scale = StudyResult::Scale::classes, .classes = classes.names()};
  StudyResult decided{.name = "decided at", .unit = "s"};
  for (long k = 0; k < points.count(); ++k) {
    document.level.push_back(map.lattice.level(k));
    found.values.push_back(map.cell(k, 0));
    decided.values.push_back(map.cell(k, 0) < 0 ? std::nan("") : map.cell(k, 1));
  }
  document.results = {found, decided};
  document.levels = grid_levels(axes, *std::ranges::max_element(document.level));
  return document;
}

void write_hdf5(const Map& map, const Json& description, const std::filesystem::path& folder) {
  Hdf5File file(folder / "results.h5");
  const Points points = map.lattice.points(0);
  std::vector<double> classes, times, levels;
  for (long k = 0; k < points.count(); ++k) {
    classes.push_back(map.cell(k, 0));
    times.push_back(map.cell(k, 1));
    levels.push_back(map.lattice.level(k));
  }
  write_description(file, description);
  file.write("points", points.values, points.dimensions);
  file.write("class", classes);
  file.write("t", times);
  file.write("level", levels);
  file.write("warnings", map.column(4));
  file.close();
}

// Cells of the grid itself by class; those of the refinement would count boundaries.
Json counts(const Map& map, const Classes& classes) {
  std::vector<long> count(classes.names().size() + 1);
  for (long k = 0; k < map.lattice.nodes(); ++k)
    if (map.lattice.level(k) == 0) ++count[static_cast<std::size_t>(map.cell(k, 0) + 1)];
  Json json = Json::object();
  for (std::size_t k = 0; k < classes.names().size(); ++k) json[classes.names()[k]] = count[k + 1];
  if (count[0] > 0) json["failed"] = count[0];
  return json;
}

MotionFailures failures_of(const Map& map, const Study& study, const Classes& classes,
                           const std::vector<std::string>& names) {
  return {study, &classes, map.lattice.points(0), map.column(3), names};
}

std::string sentence(const Json& counts) {
  std::string text;
  for (const auto& [name, count] : counts.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.get<long>(), name);
  return text;
}

// What one process of the team does at the end.
int finish(const Map& map, const MapArguments& arguments, const Model& model, const Study& study,
           const Classes& classes, const std::vector<Axis>& axes, CellSession& session) {
  const std::vector<std::string> names = names_of(axes);
  const Json found = counts(map, classes);
  const MotionFailures failures = failures_of(map, study, classes, names);
  const StudyWarnings warnings(study, &classes, map.lattice.points(0), map.column(4), names);
  const Json result{{"status", failures.all() ? "failed" : "finished"},
                    {"sentence", sentence(found) + warnings.phrase()},
                    {"classes", classes.names()},
                    {"counts", found},
                    {"cells", map.lattice.nodes()},
                    {"failed", failures.count()},
                    {"command", command_pattern(arguments.study, model, names)},
                    {"failures", failures.to_json()},
                    {"warned", warnings.count()},
                    {"warnings", warnings.to_json()}};
  bool report = false;
  const bool said = session.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_cells(map, names, classes, folder);
    write_borders(map, names, classes, folder);
    write_hdf5(map, description, folder);
    report = write_study_report(folder, arguments.study, model, result, [&] {
      StudyDocument document = picture(map, model, axes, classes);
      warnings.add_to(document);
      return document;
    });
  });
  const int code = failures.all() ? failed : ok;
  if (said) return code;
  fmt::print("{}\n{}\n", result["sentence"].get<std::string>(), session.how());
  fmt::print(stderr, "{}{}", failures.text(), warnings.text());
  fmt::print("results: {}/cells.csv, borders.csv, results.h5 and {}\n", session.path(),
             report ? "result.json; report.html shows them" : "result.json");
  return code;
}

int map(const MapArguments& arguments) {
  const Model model = arguments.study.read();
  const std::vector<Axis> axes = arguments.study.axes(model, true);
  if (axes.empty()) throw UsageError("map: expected at least one --over NAME=FROM:TO:COUNT");
  const std::vector<std::string> names = names_of(axes);
  const Varied varied = in_option("--over", [&] { return vary(model, names); });
  MotionFormulas formulas(varied.model, varied.parameters);
  const Classes classes = in_option("--classify", [&] { return Classes(arguments.classify, formulas); });
  const Study study(varied, formulas);
  check_variables(arguments.study, study, names, values_on(axes));

  const Json job{{"over", axes_json(axes)}, {"classify", arguments.classify}, {"refine", arguments.refine}};
  CellSession session(arguments.study, "map", model, study.prepared(), job, cell_width);
  const Map map = compute(axes, arguments, study, classes, session);
  if (!map.complete) return session.stopped(map.lattice.nodes());
  return session.writes() ? finish(map, arguments, model, study, classes, axes, session) : ok;
}

}  // namespace

Verb add_map(CLI::App& app) {
  auto arguments = std::make_shared<MapArguments>();
  CLI::App* verb = app.add_subcommand("map", "classify the motion over a grid of parameters and start values");
  verb->footer(map_examples);
  arguments->study.add_to(*verb,
                          "vary a parameter, a start value (NAME of a coordinate) or a start speed (NAME.v): "
                          "FROM:TO:COUNT; may be repeated");
  arguments->study.add_lanes_to(*verb);
  verb->add_option("--classify", arguments->classify, "classes: 'NAME: CONDITION; …; NAME'")
      ->type_name("CLASSES")
      ->required();
  verb->add_option("--refine", arguments->refine, "halve the boxes at a boundary so many times")
      ->type_name("N")
      ->check(CLI::Range(0, 30));
  return [arguments] { return map(*arguments); };
}

}  // namespace armature::internal::cli
