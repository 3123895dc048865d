// armature import FILE: a robot of another format as a model file.

#include "import/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "couple/sha256.hpp"
#include "errors.hpp"
#include "inspect/check.hpp"
#include "model/file_kind.hpp"
#include "model/limits.hpp"
#include "model_arguments.hpp"
#include "record/json_text.hpp"
#include "record/whole_file.hpp"
#include "run/chosen_start.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* import_examples =
    "Examples:\n"
    "  armature import models/robots/five_bar.xml                 prints the model file\n"
    "  armature import models/robots/five_bar.xml -o five_bar.yaml\n"
    "  armature import models/robots/five_bar.urdf -o five_bar_from_urdf.yaml\n"
    "  armature run models/robots/five_bar.xml --end 1 -o moved\n"
    "\nReads URDF (<robot>), SDFormat (<sdf>) and MJCF (<mujoco>). Loops of a URDF are read from <loop>, <coupling> "
    "and\n"
    "<mimic>, and from a file of closed loops of the same name that ends in .yaml. Armature lists what it does not "
    "import.";

struct ImportArguments {
  std::string file, output, root;
  bool free_base = false, force = false, json = false;
};

std::string text_of_robot(const std::string& file) {
  const auto fail = [&](const std::string& why) { throw ModelError(file, {Diagnostic{{}, "", why}}); };
  if (const std::string why = why_no_file(file, "robot file"); !why.empty()) fail(why);
  const std::optional<std::string> text = read_file(file);
  if (!text) fail("the file cannot be read");
  if (!is_xml(*text)) fail("this is not XML: URDF, SDFormat and MJCF files begin with '<'");
  return *text;
}

// From the folder of the model to that of the robot.
std::string way_to_meshes(const ImportArguments& arguments) {
  if (arguments.output.empty()) return "";
  const fs::path robot =
      arguments.root.empty() ? fs::absolute(arguments.file).parent_path() : fs::absolute(arguments.root);
  const fs::path way =
      robot.lexically_normal().lexically_relative(fs::absolute(arguments.output).parent_path().lexically_normal());
  return way == "." || way.empty() ? "" : way.string() + "/";
}

void refuse_loops_as_output(const std::string& output, const std::string& robot) {
  if (fs::exists(output) && fs::equivalent(output, robot))
    throw UsageError(
        fmt::format("-o {}: the model would overwrite the robot that it was made from; choose another name", output));
  const std::optional<std::string> known = fs::is_regular_file(output) ? read_file(output) : std::nullopt;
  if (known && has_closed_loops(*known))
    throw UsageError(fmt::format("-o {}: this file holds the closed loops of the robot; choose another name", output));
}

// The last line of an imported model tells whether the lines above it are still those that were written.
constexpr std::string_view seal = "# checksum of the import: ";

std::string sealed(const std::string& text) { return fmt::format("{}{}{}\n", text, seal, sha256(text).substr(0, 16)); }

bool is_untouched(const std::string& text) {
  const std::size_t at = text.rfind(seal);
  return at != std::string::npos && sealed(text.substr(0, at)) == text;
}

// An imported model is made to be edited: importing again must not wipe out the edits.
void refuse_edited_output(const std::string& output) {
  const std::optional<std::string> known = fs::is_regular_file(output) ? read_file(output) : std::nullopt;
  if (known && !known->empty() && !is_untouched(*known))
    throw UsageError(
        fmt::format("-o {}: this file has changed since it was imported, or was not imported; choose another name, or "
                    "replace it with "
                    "--force",
                    output));
}

void write_model_file(const std::string& output, const std::string& text) {
  try {
    WholeFile file(output);
    file.write(sealed(text));
    file.put_in_place();
  } catch (const RecordError& error) {
    throw ComputationError(error.what());
  }
}

// "5 bodies, 6 joints, 1 loop; 2 degrees of freedom, 3 redundant constraints"
std::string count_text(const CheckReport& report) {
  const auto count = [](std::size_t n, const char* one, const char* many) {
    return fmt::format("{} {}", n, n == 1 ? one : many);
  };
  const std::size_t cut = std::ranges::count(report.joints, true, &CheckReport::JointLine::cut);
  return fmt::format(
      "{}, {}, {}; {}, {}", count(report.bodies.size(), "body", "bodies"),
      count(report.joints.size(), "joint", "joints"), count(cut, "loop", "loops"),
      count(static_cast<std::size_t>(report.degrees_of_freedom), "degree of freedom", "degrees of freedom"),
      count(report.redundant.size(), "redundant constraint", "redundant constraints"));
}

// What the model is; nothing where its loops do not close.
std::optional<CheckReport> checked(const ImportedModel& imported, const std::string& file) {
  const Model model =
      read_model_text(imported.text, file, {}, "/");  // its meshes have been looked for in the folder of the robot
  Prepared prepared = compile(model);
  assemble_start(prepared);
  if (!prepared.failure.empty()) return std::nullopt;
  return check(model, *prepared.system, prepared.start);
}

void print_not_taken(const std::vector<std::string>& list) {
  const std::size_t shown = std::min(list.size(), limits::messages);
  if (shown > 0) fmt::print("not imported:\n");
  for (std::size_t k = 0; k < shown; ++k) fmt::print("  {}\n", list[k]);
  if (list.size() > shown) fmt::print("  and {} more; --json lists them\n", list.size() - shown);
}

int import_file(const ImportArguments& arguments) {
  if (!arguments.output.empty()) {
    refuse_loops_as_output(arguments.output, arguments.file);
    if (!arguments.force) refuse_edited_output(arguments.output);
  }
  ImportOptions options;
  options.free_base = arguments.free_base;
  options.root = arguments.root;
  options.meshes = way_to_meshes(arguments);
  const ImportedModel imported = import_robot(text_of_robot(arguments.file), arguments.file, options);
  if (!arguments.output.empty()) write_model_file(arguments.output, imported.text);
  const std::optional<CheckReport> report =
      checked(imported, arguments.output.empty() ? arguments.file : arguments.output);
  if (arguments.json) {
    nlohmann::ordered_json json{{"status", "finished"},
                                {"format", imported.format},
                                {"file", arguments.output},
                                {"loops", imported.loops},
                                {"not_taken", imported.not_taken}};
    if (report) json["degrees_of_freedom"] = report->degrees_of_freedom, json["redundant"] = report->redundant.size();
    if (arguments.output.empty()) json["model"] = imported.text;
    fmt::print("{}\n", json_text(json));
    return ok;
  }
  if (arguments.output.empty()) {
    fmt::print("{}", imported.text);
    return ok;
  }
  fmt::print("{}: {}\n", arguments.output,
             report ? count_text(*report)
                    : "its loops do not close at the start; give start values and see 'armature assemble'");
  if (options.meshes.starts_with("..") && imported.text.find(options.meshes) != std::string::npos)
    fmt::print("  names meshes outside its folder: verbs that read it need --root, with a folder that holds both\n");
  for (const std::string& loop : imported.loops) fmt::print("  {}\n", loop);
  print_not_taken(imported.not_taken);
  return ok;
}

}  // namespace

Verb add_import(CLI::App& app) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* verb =
      app.add_subcommand("import", "make a model file from a robot: URDF, SDFormat or MJCF, with its loops");
  verb->footer(import_examples);
  verb->add_option("FILE", arguments->file, "robot file (XML)")->required();
  verb->add_option("-o,--output", arguments->output, "model file to write; printed if not given")->type_name("FILE");
  verb->add_option("--root", arguments->root,
                   "folder of the robot's files, to which package:// resolves (default: the folder of FILE)")
      ->type_name("DIR");
  verb->add_flag("--free", arguments->free_base, "let the base link of a URDF move freely instead of being the ground");
  verb->add_flag("--force", arguments->force, "replace the file of -o even if it was edited since it was imported");
  verb->add_flag("--json", arguments->json, "print the result as JSON on stdout");
  add_quiet(*verb);
  return [arguments] { return import_file(*arguments); };
}

}  // namespace armature::internal::cli
