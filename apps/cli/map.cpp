// armature map FILE --over … --classify …: outcomes of the motion over a grid of parameters and start values.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
    "      --classify 'none: turns(phi) < 1; on: final(phi) > at(phi, 28) + 6; stuck'\n"
    "  armature map models/press.yaml --over phi.v=0:3:31 \\\n"
    "      --classify 'turns: turns(phi) >= 1; rests' --refine 10\n"
    "  mpirun -n 2 armature map models/press.yaml --over phi.v=0:3:31 \\\n"
    "      --classify 'turns: turns(phi) >= 1; rests'\n"
    "\nA motion belongs to the first class whose condition holds; the last class needs no condition.\n"
    "Conditions are formulas over the whole motion: initial(x), final(x), at(x, T), max(x), min(x), mean(x), "
    "integral(x), turns(x), first(condition), last(condition).\n"
    "A motion ends as soon as its class is decided. After Ctrl-C, --resume continues with the remaining cells.";

struct MapArguments {
  StudyArguments study;
  std::vector<std::string> classify;  // one option, or several
  MapOptions map;
};

// Where the classes of a map of one variable meet; those of more variables are curves and surfaces, in borders.csv.
void print_borders(const MapResult& map) {
  constexpr std::size_t most = 20;
  const std::vector<std::string> sentences = map.border_sentences();
  for (std::size_t k = 0; k < std::min(most, sentences.size()); ++k) fmt::print("border at {}\n", sentences[k]);
  if (sentences.size() > most) fmt::print("and {} more in borders.csv\n", sentences.size() - most);
}

// A class that is another one when the motion is repeated is not a matter of the model alone.
void print_repeated(const MapResult& map, const StudyErrors& errors) {
  if (!errors.missing.empty() || errors.of_other_class.empty())
    return print_note(source_of(errors) + (errors.missing.empty() ? ": all belong to the same classes" : ""));
  const long first = errors.of_other_class.front();
  std::string place;
  for (std::size_t d = 0; d < map.over.size(); ++d)
    place += fmt::format("{}{} = {:.6g}", d > 0 ? ", " : "", map.over[d].name, map.points[first][d]);
  print_warning(fmt::format("{}: {} of them in another class, the first at {}", source_of(errors),
                            errors.of_other_class.size(), place));
}

// What one process of the team does at the end.
int finish(const MapResult& map, const MapArguments& arguments, const Model& model, StudyTerminal& terminal) {
  Json result = to_json(map, command_pattern(arguments.study, model, names_of(map.over)));
  std::optional<StudyErrors> errors;
  if (const auto time = terminal.time_for_errors()) {
    errors = errors_of(model, arguments.map, map, *time);
    result["errors"] = to_json(*errors, {});
  }
  bool report = false;
  const bool said = terminal.publish(result, [&](const std::filesystem::path& folder, const Json& description) {
    write_files(map, description, folder);
    report = write_study_report(folder, arguments.study, model, result,
                                [&] { return map_picture(map, arguments.map.classify, model); });
  });
  const int code = map.failures.all() ? failed : ok;
  if (said) return code;
  fmt::print("{}\n", fitted(map.sentence));
  print_borders(map);
  if (errors) print_repeated(map, *errors);
  print_note(terminal.how());
  print_shares(arguments.map.cards, map.shares, "motion");
  print_diagnostics(map.failures, map.warnings);
  print_results(terminal.path(),
                {"cells.csv", "borders.csv", "results.h5", "result.json", report ? "report.html" : ""});
  return code;
}

int map(MapArguments arguments) {
  const Model model = arguments.study.read();
  arguments.map.over = arguments.study.axes(model, true);
  arguments.map.classify = fmt::format("{}", fmt::join(arguments.classify, "; "));
  arguments.map.lanes = arguments.study.lanes;
  arguments.map.cards = arguments.study.gpu.cards();
  StudyTerminal terminal(arguments.study, "map", {});
  const MapResult map = map_motions(model, arguments.map, terminal.session());
  if (!map.complete) return terminal.stopped(map.points.count());
  return terminal.session().writes() ? finish(map, arguments, model, terminal) : ok;
}

}  // namespace

Verb add_map(CLI::App& app) {
  auto arguments = std::make_shared<MapArguments>();
  CLI::App* verb = app.add_subcommand("map", "classify motions over a grid of parameters and initial conditions");
  verb->footer(map_examples);
  arguments->study.add_to(*verb, "FROM:TO:COUNT; repeatable");
  arguments->study.add_lanes_to(*verb);
  arguments->study.gpu.add_to(*verb);
  verb->add_option("--classify", arguments->classify, "the classes: 'NAME: CONDITION; …; NAME'; repeatable")
      ->type_name("CLASSES")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->required();
  verb->add_option("--refine", arguments->map.refine, "bisect the cells at class boundaries N times")
      ->type_name("N")
      ->check(whole_between(0, 30));
  return [arguments] { return map(*arguments); };
}

}  // namespace armature::internal::cli
