// armature export FILE --c: the model as code for a real-time target; --urdf, --sdf, --mjcf: as a robot (export_robot.cpp); --fmu: for
// co-simulation and model exchange (export_fmu.cpp).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "export_fmu.hpp"
#include "export_robot.hpp"
#include "import/robot_formats.hpp"
#include "inspect/export_c.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "observe/ledger.hpp"
#include "own_file.hpp"
#include "record/json_text.hpp"
#include "record/whole_file.hpp"
#include "start_arguments.hpp"
#include "study/code_inputs.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* export_examples =
    "Examples:\n"
    "  armature export models/rrr.yaml --c       writes rrr.c, rrr.h, rrr_step.cpp\n"
    "  armature export models/rrr_motors.yaml --c --input m2 -o plant.c\n"
    "  armature export models/delta.yaml --mjcf  writes delta.xml, with its loops\n"
    "  armature export models/delta.yaml --urdf -o delta.urdf\n"
    "  armature export models/crane.yaml --fmu   writes crane.fmu\n"
    "  armature export models/crane.yaml --fmu --fmi 2.0 -o crane2.fmu\n"
    "\nThe C99 file holds the equations of motion and needs only <math.h>.\n"
    "The C++20 file holds the step of 'armature run', with the model's fixed-step method (rk4 if it has none) and "
    "stabilization; it needs no library.\n"
    "Names in the code begin with the name of the file. The step does not locate events; it reports a singular pose "
    "but does not pass it.\n"
    "An FMU carries the whole engine: it locates events and passes singular poses as 'armature run' does.";

struct ExportArguments {
  ModelArguments model;
  StartArguments start;
  std::vector<std::string> inputs;
  std::string output;
  bool c = false, fmu = false;
  std::map<std::string, bool> robot;  // by the name of its format
  std::string fmi;                    // version of the FMU
};

// None is put in place before all are written.
void write_files(const std::vector<std::string>& files, const std::vector<std::string>& texts) {
  try {
    std::deque<WholeFile> whole;
    for (std::size_t k = 0; k < files.size(); ++k) whole.emplace_back(files[k]).write(texts[k]);
    for (WholeFile& file : whole) file.put_in_place();
  } catch (const RecordError& error) {
    throw ComputationError(error.what());
  }
}

int write_robot_of(const ExportArguments& arguments, const Model& model) {
  if (!arguments.inputs.empty()) throw UsageError("--input: belongs to --c; a robot has the inputs of its actuators");
  Prepared prepared = compile(model);
  require_chosen_start(prepared, arguments.start);
  const auto chosen = std::ranges::find_if(arguments.robot, [](const auto& format) { return format.second; });
  return write_robot(model, prepared, chosen->first, arguments.output, arguments.model.json);
}

int write_fmu_of(const ExportArguments& arguments) {
  if (!arguments.inputs.empty())
    throw UsageError("--input: belongs to --c; an FMU has the inputs of the model, and its parameters can be set, too");
  if (arguments.start.branch != 0)
    throw UsageError("--branch: an FMU assembles its start itself; choose the pose with --set start.keep.NAME=VALUE");
  return write_fmu(arguments.model, arguments.fmi.empty() ? "3.0" : arguments.fmi, arguments.output);
}

int write_export(ExportArguments arguments) {
  const auto robots = std::ranges::count_if(arguments.robot, [](const auto& format) { return format.second; });
  if (arguments.c + arguments.fmu + robots != 1) {
    std::string options = "--c, --fmu";
    for (const RobotFormat& format : robot_formats())
      options += fmt::format("{} --{}", &format == &robot_formats().back() ? " or" : ",", format.name);
    throw UsageError("export: name the language: " + options);
  }
  if (!arguments.fmu && !arguments.fmi.empty()) throw UsageError("--fmi: belongs to --fmu");
  if (arguments.fmu) return write_fmu_of(arguments);
  const Model model = arguments.model.read();
  if (!arguments.c) return write_robot_of(arguments, model);
  arguments.inputs = split_list(fmt::format("{}", fmt::join(arguments.inputs, ",")));  // "a, b" as well
  require_code_inputs(arguments.inputs, model, arguments.model.settings());
  Prepared prepared = compile(model, arguments.inputs);
  require_chosen_start(prepared, arguments.start);
  const std::string stem = fs::path(arguments.model.file).stem();
  const fs::path file = arguments.output.empty() ? stem + ".c" : arguments.output;
  if (file.extension() != ".c")
    throw UsageError(fmt::format("-o {}: expected the name of a C file, which ends in .c", file.string()));
  const std::string prefix = c_identifier(file.stem());
  drop_ledger(prepared);
  const ExportedCode code = export_c(prepared, model.name, prefix);
  const std::vector<std::string> files = {file.string(), file.parent_path() / (prefix + ".h"),
                                          file.parent_path() / (prefix + "_step.cpp")};
  for (const std::string& each : files) refuse_to_replace(each, arguments.output);
  write_files(files, {code.programs, code.header, code.step});
  if (arguments.model.json)
    fmt::print("{}\n", json_text({{"status", "finished"}, {"file", files[0]}, {"files", files}, {"prefix", prefix}}));
  else
    fmt::print("{}: {} states, {} constraints; call {}_start, then {}_step\n", fmt::join(files, ", "),
               prepared.system->layout().nx(), prepared.system->options().independent_rows.size(), prefix, prefix);
  return ok;
}

}  // namespace

Verb add_export(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* verb = app.add_subcommand(
      "export",
      "write a model as C and C++ code for a real-time target, as an FMU, or as a robot (URDF, SDFormat, MJCF)");
  verb->footer(export_examples);
  arguments->model.add_to(*verb);
  arguments->start.add_to(*verb, false);
  verb->add_flag("--c", arguments->c, "write C99, with the step in C++20");
  verb->add_flag("--fmu", arguments->fmu, "write an FMU for co-simulation and model exchange");
  verb->add_option("--fmi", arguments->fmi, "version of the FMU: 2.0 or 3.0 (default: 3.0)")
      ->check(CLI::IsMember({"2.0", "3.0"}))
      ->type_name("VERSION");
  for (const RobotFormat& format : robot_formats())
    verb->add_flag(fmt::format("--{}", format.name), arguments->robot[format.name], format.help);
  verb->add_option("--input", arguments->inputs, "parameters that become inputs of the step, separated by commas")
      ->delimiter(',')
      ->type_name("NAME");
  verb->add_option("-o,--output", arguments->output,
                   "file to write; for C, the other files are written next to it (default: the model file's name)")
      ->type_name("FILE");
  return [arguments] { return write_export(*arguments); };
}

}  // namespace armature::internal::cli
