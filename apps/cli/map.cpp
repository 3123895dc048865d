// armature map FILE --over … --classify …: outcomes of the motion over a grid of parameters and start values.

#include <fmt/format.h>

#include <memory>

#include "report/study_picture.hpp"
#include "run_command.hpp"
#include "study/map.hpp"
#include "study/study_files.hpp"
#include "study/variables.hpp"
#include "study_report.hpp"
#include "study_terminal.hpp"
#include "terminal.hpp"
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
  MapOptions map;
};

// What one process of the team does at the end.
int finish(const MapResult& map, const MapArguments& arguments, const Model& model, StudyTerminal& terminal) {
  const Json result = to_json(map, command_pattern(arguments.study, model, names_of(map.over)));
  bool report = false;
  const bool said = terminal.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_files(map, description, folder);
    report = write_study_report(folder, arguments.study, model, result, [&] { return map_picture(map, model); });
  });
  const int code = map.failures.all() ? failed : ok;
  if (said) return code;
  fmt::print("{}\n", fitted(map.sentence));
  print_note(terminal.how());
  print_diagnostics(map.failures, map.warnings);
  fmt::print("results: {}/cells.csv, borders.csv, results.h5 and {}\n", terminal.path(),
             report ? "result.json; report.html shows them" : "result.json");
  return code;
}

int map(MapArguments arguments) {
  const Model model = arguments.study.read();
  arguments.map.over = arguments.study.axes(model, true);
  arguments.map.lanes = arguments.study.lanes;
  StudyTerminal terminal(arguments.study, "map", {});
  const MapResult map = map_motions(model, arguments.map, terminal.session());
  if (!map.complete) return terminal.stopped(map.points.count());
  return terminal.session().writes() ? finish(map, arguments, model, terminal) : ok;
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
  verb->add_option("--classify", arguments->map.classify, "classes: 'NAME: CONDITION; …; NAME'")
      ->type_name("CLASSES")
      ->required();
  verb->add_option("--refine", arguments->map.refine, "halve the boxes at a boundary so many times")
      ->type_name("N")
      ->check(CLI::Range(0, 30));
  return [arguments] { return map(*arguments); };
}

}  // namespace armature::internal::cli
