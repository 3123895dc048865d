// armature singularities FILE: along a motion, or over a grid of poses.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "errors.hpp"
#include "expression/interruption.hpp"
#include "lists.hpp"
#include "model/counted.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "report/singularity_picture.hpp"
#include "report_page.hpp"
#include "run/describe.hpp"
#include "simulate_arguments.hpp"
#include "singular/singular_study.hpp"
#include "study/dimensions.hpp"
#include "study_arguments.hpp"
#include "study_terminal.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* singularities_examples =
    "Examples:\n"
    "  armature singularities models/rrr_motors.yaml \\\n"
    "      --moves platform.C.x,platform.C.y,platform_angle\n"
    "  armature singularities models/slider_crank_equal.yaml --end 1\n"
    "  armature singularities models/rrr_motors.yaml --over platform.C.x=0.1:1.1:61 \\\n"
    "      --over platform.C.y=-0.2:0.9:61 --hold platform_angle=0 \\\n"
    "      --moves platform.C.x,platform.C.y,platform_angle -o workspace\n"
    "\nType I: the drives can move while the output is at rest. Type II: something can move while the drives are at "
    "rest.\n"
    "Rank drop: the loop constraints lose rank, and the mechanism gains a degree of freedom.\n"
    "The active coordinates are those of drives and efforts, unless --active names others.";

struct SingularitiesArguments {
  SessionArguments session;
  SimulateArguments simulate;
  std::vector<std::string> over, hold;  // "name=range", "name=value"
  std::string active, moves;
};

// Whether report.html was written.
bool write_picture(const std::filesystem::path& folder, const SingularitiesArguments& arguments,
                   const std::function<Json()>& document) {
  return !arguments.session.no_report && write_report(folder, Page::study, arguments.session.model.json, document);
}

void print_frame(const SingularityFrame& frame) {
  if (!frame.active.empty())
    fmt::print("active: {}{}\n", fmt::join(frame.active, ", "), frame.chosen_by_pivoting ? " (chosen)" : "");
  if (!frame.output.empty()) fmt::print("output: {}\n", fmt::join(frame.output, ", "));
  for (const std::string& note : frame.notes) print_note(note);
}

// Along a motion

// When, and until when where the motion stays singular.
std::string time_words(const SingularEvent& event) {
  std::string text = fmt::format("{:>14.9g} s", event.t);
  if (event.until > event.t) text += fmt::format(" to {:.9g} s", event.until);
  return text;
}

// What can move is one of several motions where more than one row is lost.
std::string rank_words(const SingularEvent& event, const SingularityFrame& frame) {
  return event.kind == SingularityKind::rank_drop ? fmt::format("rank {} of {}; ", event.measures.rank, frame.rank)
                                                  : "";
}

void print_motion(const SingularMotion& motion) {
  print_frame(motion.frame);
  int counts[3] = {0, 0, 0};
  for (const SingularEvent& event : motion.events) ++counts[static_cast<int>(event.kind)];
  fmt::print("{} of type I, {} of type II, {} until t = {:g} s\n", counts[0], counts[1],
             counted(counts[2], "true rank drop"), motion.t.empty() ? 0 : motion.t.back());
  for (const SingularEvent& event : motion.events)
    fmt::print("{}\n", fitted(fmt::format("{}  {:<9}  {}; {}loops: {}", time_words(event), to_string(event.kind),
                                          event.words, rank_words(event, motion.frame), fmt::join(event.loops, ", ")),
                              stdout, 18));
  if (motion.frame.loops)
    fmt::print("smallest singular value of Phi {:.4g} (rank {}) at t = {:.9g} s\n", motion.smallest.sigma,
               motion.smallest.rank, motion.t_sigma);
  else
    fmt::print("the mechanism has no loops, so Phi has no rank to lose\n");
  for (const std::string& warning : motion.outcome.warnings()) print_warning(warning);
  if (motion.outcome.status != RunStatus::finished)
    fmt::print(stderr, "{}\n", styled(Style::error, fitted(motion.outcome.sentence, stderr, 2), stderr));
}

// How the results are printed: "folder/singularities.json, …".
// The files.
std::vector<std::string> write_motion(const SingularMotion& motion, const Model& model,
                                      const SingularitiesArguments& arguments) {
  ResultsFolder folder(arguments.session.output, ResultKind::singularities);
  write_files(motion, model, folder.partial());
  const bool report =
      write_picture(folder.partial(), arguments, [&] { return to_json(motion_picture(motion), model); });
  folder.publish(ending_of(motion.outcome.status));
  return {"singularities.json", "motion.csv", "results.h5", report ? "report.html" : ""};
}

// Over a grid

// Numbers in the dimension of what they are for, which is a formula of the pose.
NumberReader reader_for(const std::string& name, const Model& model) {
  std::optional<Dimension> dimension;
  try {
    dimension = dimension_of(parse_formula(name, {}), model);
  } catch (const FormulaError&) {  // an unknown name: the machine is built with it, and refuses it with advice
  }
  return [dimension, &model](const std::string& text) { return constant_in(text, model, dimension); };
}

WorkspaceOptions map_options(const SingularitiesArguments& arguments, const Model& model) {
  WorkspaceOptions options;
  for (const std::string& text : arguments.over) {
    const auto [name, values] = split_assignment(text, "--over");
    options.over.push_back({name, range(values, "--over " + name, reader_for(name, model))});
  }
  if (options.over.size() > 2) throw UsageError("--over: a map has one or two axes; --hold fixes the rest");
  for (const std::string& text : arguments.hold) {
    const auto [name, value] = split_assignment(text, "--hold");
    options.hold.emplace_back(
        name, in_option("hold " + text, [&, &name = name, &value = value] { return reader_for(name, model)(value); }));
  }
  options.active = split_list(arguments.active), options.output = split_list(arguments.moves);
  return options;
}

void print_map(const WorkspaceMap& map) {
  print_frame(map.frame);
  fmt::print("{}\n", reach_sentence(map));
  for (const auto kind :
       {CurvePoint::Kind::type_I, CurvePoint::Kind::type_II, CurvePoint::Kind::rank_drop, CurvePoint::Kind::reach}) {
    long count = 0;
    const CurvePoint* first = nullptr;
    for (const CurvePoint& point : map.curve)
      if (point.kind == kind) first = count++ == 0 ? &point : first;
    if (!first) continue;
    std::string line = fmt::format("{} of {}", counted(count, "point"), to_string(kind));
    if (kind != CurvePoint::Kind::reach)
      line += fmt::format(", such as ({:.6g}): {}", fmt::join(first->at, ", "), first->words);
    fmt::print("{}\n", fitted(line, stdout, 2));
  }
}

// What one process of the team does at the end.
int finish(const WorkspaceMap& map, const SingularitiesArguments& arguments, const Model& model,
           StudyTerminal& terminal) {
  if (map.reached == 0) {
    terminal.session().drop();
    throw ComputationError("the loops close at no pose of the grid; change the range or the values of --hold");
  }
  bool report = false;
  const auto write = [&](const std::filesystem::path& folder, const Json& description) {
    write_files(map, description, folder);
    report = write_picture(folder, arguments, [&] { return to_json(workspace_picture(map, model), model); });
  };
  if (terminal.publish(to_json(map), write, "singularities.json")) return ok;
  print_map(map);
  print_note(terminal.how());
  print_results(terminal.path(),
                {"singularities.json", "map.csv", "curves.csv", "results.h5", report ? "report.html" : ""});
  return ok;
}

int map_poses(const SingularitiesArguments& arguments, const Model& model) {
  StudyTerminal terminal(
      arguments.session, "singularities",
      {{"over", arguments.over}, {"hold", arguments.hold}, {"active", arguments.active}, {"moves", arguments.moves}});
  const WorkspaceMap map = map_workspace(model, map_options(arguments, model), terminal.session());
  if (!map.complete) return terminal.stopped(map.closings);
  return terminal.session().writes() ? finish(map, arguments, model, terminal) : ok;
}

int follow_motion(const SingularitiesArguments& arguments, const Model& model) {
  if (arguments.session.resume || arguments.session.restart)
    throw UsageError("--resume and --restart apply to maps of poses; give --over as well");
  if (team_from_environment().rank > 0) return ok;  // one motion is not divided
  Interrupt interrupt;
  const Interruption interruption([&] { return interrupt.requested(); });
  const SingularMotion motion = singular_motion(model, split_list(arguments.active), split_list(arguments.moves),
                                                [&](double, long) { return !interrupt.requested(); });
  const std::string& output = arguments.session.output;
  std::vector<std::string> files;
  if (!output.empty()) files = write_motion(motion, model, arguments);
  if (arguments.session.model.json)
    fmt::print("{}\n", json_text(to_json(motion, model.name)));
  else
    print_motion(motion);
  if (!files.empty() && !arguments.session.model.json) print_results(output, files);
  return motion.outcome.status == RunStatus::finished ? ok : failed;
}

int singularities(const SingularitiesArguments& arguments) {
  if (arguments.over.empty() && !arguments.hold.empty())
    throw UsageError("--hold applies to poses; give --over as well");
  Model model = arguments.session.model.read();
  arguments.simulate.apply(model.simulate, arguments.session.model.settings());
  return arguments.over.empty() ? follow_motion(arguments, model) : map_poses(arguments, model);
}

}  // namespace

Verb add_singularities(CLI::App& app) {
  auto arguments = std::make_shared<SingularitiesArguments>();
  CLI::App* verb = app.add_subcommand("singularities", "find singular poses along a motion or over a grid of poses");
  verb->footer(singularities_examples);
  arguments->session.model.add_to(*verb);
  const auto list = [&](const char* name, std::vector<std::string>& values, const char* text, const char* type) {
    verb->add_option(name, values, text)
        ->type_name(type)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  list("--over", arguments->over, "map poses over a coordinate or a formula; once or twice", "NAME=FROM:TO:COUNT");
  list("--hold", arguments->hold, "hold a coordinate or a formula at a value in every pose; repeatable", "NAME=VALUE");
  verb->add_option("--active", arguments->active, "active coordinates (default: those of drives and efforts)")
      ->type_name("NAME,…");
  verb->add_option("--moves", arguments->moves, "the outputs: coordinates or recorded quantities")->type_name("NAME,…");
  arguments->session.add_to(*verb);
  arguments->simulate.add_to(*verb);
  return [arguments] { return singularities(*arguments); };
}

}  // namespace armature::internal::cli
