#include "model_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "expression/machine_code.hpp"
#include "import/import.hpp"
#include "model/file_kind.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "terminal.hpp"

namespace armature::internal::cli {
namespace {

namespace fs = std::filesystem;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Of a robot, what its model does not have; once.
void report_robot(const std::string& file, const std::string& root) {
  static bool reported = false;
  const std::optional<std::string> text = reported || !why_no_file(file).empty() ? std::nullopt : read_file(file);
  if (!text || !is_xml(*text)) return;
  reported = true;
  ImportOptions options;
  options.root = root;
  const std::vector<std::string> not_taken = import_robot(*text, file, options).not_taken;
  for (const std::string& what : not_taken)
    if (what.starts_with("LOOP NOT KEPT")) print_warning(what);
  if (!not_taken.empty())
    print_note(fmt::format("{} of {} not imported; 'armature import {}' lists them",
                           not_taken.size() == 1 ? "1 thing" : fmt::format("{} things", not_taken.size()), file, file));
}

// The model file whose results lie in the folder; empty: this one, or none. Two files of one name share the default folder.
std::string other_model_in(const fs::path& folder, const std::string& file) {
  for (const char* name : {"run.json", "result.json", "tune.json", "singularities.json", "identify.json"}) {
    const std::optional<std::string> text = read_file(folder / name);
    if (!text) continue;
    const nlohmann::ordered_json json = parse_json(*text);
    const auto path = nlohmann::ordered_json::json_pointer("/model/file");
    if (json.is_discarded() || !json.contains(path) || !json[path].is_string()) continue;
    const std::string other = json[path];
    std::error_code error;
    return fs::weakly_canonical(other, error) == fs::weakly_canonical(file, error) ? "" : other;
  }
  return "";
}

}  // namespace

void ModelArguments::add_to(CLI::App& verb) {
  verb.add_option("FILE", file, "model file (YAML), or a robot (URDF, SDFormat, MJCF)")->required();
  verb.add_option("--set", set,
                  "change a parameter, an input, an option (simulate.KEY) or an initial value (start.keep.NAME, "
                  "start.speed.NAME); repeatable")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_option("--root", root, "folder that holds all files that the model names; default: that of FILE")
      ->type_name("DIR");
  verb.add_flag("--json", json, "print the result as JSON on stdout");
  add_quiet(verb);
  verb.add_flag_callback(
      "--interpret", [] { allow_machine_code(false); },
      "interpret the equations instead of generating machine code: slower, identical results");
}

void add_quiet(CLI::App& verb) {
  verb.add_flag_callback("-q,--quiet", be_quiet, "print no progress and no notes: only results, warnings and errors");
}

fs::path result_folder(const std::string& output, const std::string& file, const std::string& verb) {
  if (!output.empty()) return output;
  const std::string name = folder_name(fs::path(file).stem().string());
  const fs::path folder = fs::path("results") / (verb == "run" ? name : name + "_" + verb);
  if (const std::string other = other_model_in(folder, file); !other.empty() && speaks_for_team())
    print_warning(fmt::format("{} holds the results of {}, which this replaces; -o gives them another folder",
                              folder.string(), other));
  return folder;
}

Settings ModelArguments::settings() const { return assignments(set, "--set"); }

Model ModelArguments::read(const Settings& more) const {
  Settings all = settings();
  all.insert(all.end(), more.begin(), more.end());
  if (!json) report_robot(file, root);
  return read_model(file, all, root);
}

Settings assignments(const std::vector<std::string>& texts, const std::string& option) {
  Settings list;
  for (const std::string& text : texts) {
    const auto assignment = split_assignment(text, option);
    const auto same = std::ranges::find(list, assignment.first, &Settings::value_type::first);
    if (same != list.end())
      throw UsageError(fmt::format("{} {}: '{}' already has the value {} from an earlier {}; give it once", option,
                                   text, same->first, same->second, option));
    list.push_back(assignment);
  }
  return list;
}

std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option) {
  const auto equals = text.find('=');
  const std::string name = trimmed(text.substr(0, equals));
  if (equals == std::string::npos || name.empty())
    throw UsageError(fmt::format("{} {}: expected NAME=FORMULA", option, text));
  return {name, trimmed(text.substr(equals + 1))};
}

}  // namespace armature::internal::cli
