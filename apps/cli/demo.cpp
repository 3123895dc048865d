// armature demo [NAME]: one of the shipped machines, simulated and described in three sentences.

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "execute.hpp"
#include "gallery/gallery.hpp"
#include "model_arguments.hpp"
#include "program_file.hpp"
#include "record/results_folder.hpp"
#include "report/page.hpp"
#include "run/simulate.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* demo_examples =
    "Examples:\n"
    "  armature demo                     list the machines\n"
    "  armature demo delta               simulate the Delta robot\n"
    "  armature demo press -o press      write the results to the folder press";

struct Demo {
  const char* name;       // of a file in models/
  const char* title;      // in the list
  const char* is;         // the first sentence
  const char* shows;      // the second sentence
  const char *set, *to;   // a setting for which the run needs no warning, or null
  const char* next;       // a command for this model: verb and options
  const char* next_does;  // what it does
};

constexpr std::array demos{
    Demo{"delta", "a Delta robot picks up a part and places it",
         "A Delta robot: three motors move a platform through three pairs of rods, which keep it level.",
         "It carries a part from one place to another and back, and computed torque makes it follow its path.", nullptr,
         nullptr, "view", "opens a live page where you change its parameters and watch the motion update"},
    Demo{"rrr", "a planar 3RRR robot passes singular poses of its platform",
         "A planar parallel robot: three motors at constant voltage move a platform through three legs.",
         "In five seconds it passes 25 poses in which the motors do not hold the platform, and never stops at one.",
         nullptr, nullptr, "singularities", "finds these poses and describes each in words"},
    Demo{"crane", "a crane moves, and its load swings",
         "An overhead crane: a geared DC motor moves the trolley, and the load hangs from it.",
         "The current peaks after three milliseconds, and then the load swings while the trolley travels.",
         "simulate.integrator", "auto", "equations", "prints its equations of motion"},
    Demo{"press", "a press whose slider sticks and slips again",
         "A press: a crank and a rod move a slider against the resistance of the workpiece.",
         "Whether the crank makes full turns depends on how it starts; dry resistance can hold the slider.", nullptr,
         nullptr, "check", "lists joints, degrees of freedom and redundant constraints"},
    Demo{"stewart", "a Stewart platform rocks on six springs",
         "A Stewart platform: six legs with springs, universal joints below and ball joints above.",
         "It rocks for ten seconds, and the sum of its kinetic and potential energy stays constant.", nullptr, nullptr,
         "run --verify", "repeats the run with other methods and counts the digits that agree"},
    Demo{"five_bar", "a five-bar robot with flexible links",
         "A five-bar robot whose outer links are beams: they bend while motors turn the cranks to a new angle.",
         "The report draws the bent links, and the plots show their deflections.", "elements", "2",
         "modes --set elements=2", "finds the vibrations of the robot with its flexible links"},
};

struct DemoArguments {
  std::string name, output;
};

fs::path models_folder() {
  const auto root = gallery::find_root("", this_program());
  if (!root)
    throw UsageError(
        "cannot find the shipped models: there is no folder with gallery/ and models/ above this program, and no "
        "share/armature next to it");
  return *root / "models";
}

int list_demos() {
  fmt::print("Machines to try:\n");
  for (const Demo& demo : demos) fmt::print("  armature demo {:<10} {}\n", demo.name, demo.title);
  fmt::print("\nTheir model files, and more, are in {}\n", models_folder().string());
  return ok;
}

const Demo& demo_of(const std::string& name) {
  std::vector<std::string> names;
  for (const Demo& demo : demos) {
    if (demo.name == name) return demo;
    names.emplace_back(demo.name);
  }
  require_known(name, names, "machine");
  throw UsageError(name);  // not reached: the name is not known
}

// The third sentence: what the run found.
std::string found(const Outcome& outcome) {
  const RunStatistics& statistics = outcome.statistics;
  std::string text = fmt::format("Armature computed {:g} s of motion in {:.2g} s", outcome.last.t, statistics.seconds);
  if (statistics.constraints > 0)
    text += fmt::format(" and kept the loops closed to {:.0e}", statistics.position_error);
  return text + ".";
}

std::string shown_path(const fs::path& file) {
  std::error_code error;
  const fs::path near = fs::relative(file, fs::current_path(error), error);
  return error || near.empty() || near.string().starts_with("..") ? file.string() : near.string();
}

int simulate_demo(const DemoArguments& arguments) {
  const Demo& demo = demo_of(arguments.name);
  const fs::path file = models_folder() / (std::string(demo.name) + ".yaml");
  Settings settings;
  if (demo.set) settings.emplace_back(demo.set, demo.to);
  const Model model = read_model(file.string(), settings);
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) throw ComputationError(prepared.failure);
  const std::string folder = arguments.output.empty() ? fmt::format("results/demo_{}", demo.name) : arguments.output;
  Job job{model, settings, prepared, folder};
  const PageRun computed{prepared};
  job.brief = true, job.computed = &computed;
  Outcome outcome;
  const int code = execute(job, [&](const Prepared& run, Recorder& recorder, const Progress& progress,
                                    const Warn& warn) { return outcome = simulate(run, recorder, progress, warn); });
  if (code != ok) return code;
  fmt::print("{}\n{}\n{}\n\n", fitted(demo.is), fitted(demo.shows), fitted(found(outcome)));
  fmt::print("{} {}/{}\n", embedded_page(Page::report).empty() ? "results:" : "report: ", folder,
             embedded_page(Page::report).empty() ? "trajectory.csv" : "report.html  (open it in a browser)");
  const std::string next = demo.next;
  const std::size_t blank = next.find(' ');
  fmt::print("next:    armature {} {}{}\n         {}\n", next.substr(0, blank), shown_path(file),
             blank == std::string::npos ? "" : next.substr(blank), demo.next_does);
  return ok;
}

}  // namespace

Verb add_demo(CLI::App& app) {
  auto arguments = std::make_shared<DemoArguments>();
  CLI::App* verb = app.add_subcommand("demo", "simulate one of the shipped machines and explain it");
  verb->footer(demo_examples);
  verb->add_option("NAME", arguments->name, "the machine; if it is left out, all are listed");
  verb->add_option("-o,--output", arguments->output, "results folder (default: results/demo_NAME)")->type_name("DIR");
  return [arguments] { return arguments->name.empty() ? list_demos() : simulate_demo(*arguments); };
}

}  // namespace armature::internal::cli
