// armature check FILE: summarizes a model and reports suspicious input.

#include "inspect/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "model/counted.hpp"
#include "model_arguments.hpp"
#include "record/json_text.hpp"
#include "start_arguments.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* check_examples =
    "Examples:\n"
    "  armature check models/four_bar.yaml\n"
    "  armature check models/four_bar.yaml --json";

struct CheckArguments {
  ModelArguments model;
  StartArguments start;
};

Json report_json(const CheckReport& report) {
  Json parameters = Json::array(), joints = Json::array(), redundant = Json::array();
  for (const auto& parameter : report.parameters)
    parameters.push_back({{"name", parameter.name}, {"value", parameter.value}, {"unit", parameter.unit}});
  for (const auto& joint : report.joints)
    joints.push_back({{"name", joint.name}, {"type", joint.type}, {"between", {joint.a, joint.b}}, {"cut", joint.cut}});
  for (const auto& row : report.redundant)
    redundant.push_back({{"owner", row.owner}, {"direction", row.direction}, {"always", row.always}});
  return {{"status", "finished"},
          {"parameters", parameters},
          {"bodies", report.bodies},
          {"joints", joints},
          {"coordinates", report.coordinates},
          {"constraints", report.constraints},
          {"rank", report.rank},
          {"degrees_of_freedom", report.degrees_of_freedom},
          {"redundant", redundant},
          {"notes", report.notes},
          {"warnings", report.warnings}};
}

void print_redundant(const std::vector<RedundantRow>& rows) {
  if (rows.empty()) {
    fmt::print("redundant constraints: none\n");
    return;
  }
  fmt::print("redundant constraints ({}):\n", rows.size());
  for (const RedundantRow& row : rows)
    fmt::print("  {}: {} ({})\n", row.owner, row.direction, row.always ? "at every pose" : "only at this pose");
}

// Of thousands of names the first are shown; --json has all.
constexpr std::size_t shown = 100;

// "parameters (2): lengths[1] = 0.3 m, lengths[2] = 0.25 m"
void print_parameters(const std::vector<CheckReport::ParameterLine>& parameters) {
  if (parameters.empty()) return;
  std::vector<std::string> words;
  for (const auto& [name, value, unit] : parameters)
    words.push_back(
        fmt::format("{} = {:.6g}{}{}", name, value, unit.empty() || unit == "1" ? "" : " ", unit == "1" ? "" : unit));
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(std::min(shown, words.size()));
  fmt::print("{}\n", fitted(fmt::format("parameters ({}): {}{}", words.size(), fmt::join(words.begin(), end, ", "),
                                        words.size() > shown ? ", …" : ""),
                            stdout, 2));
}

void print_bodies(const std::vector<std::string>& bodies) {
  const auto end = bodies.begin() + static_cast<std::ptrdiff_t>(std::min(shown, bodies.size()));
  fmt::print("{}\n", fitted(fmt::format("bodies ({}): {}{}", bodies.size(), fmt::join(bodies.begin(), end, ", "),
                                        bodies.size() > shown ? ", …" : ""),
                            stdout, 2));
}

void print_text(const std::string& name, const CheckReport& report) {
  print_heading(name);
  print_parameters(report.parameters);
  if (!report.bodies.empty()) {  // a Lagrangian has none
    print_bodies(report.bodies);
    fmt::print("joints ({}):\n", report.joints.size());
  }
  for (std::size_t k = 0; k < std::min(shown, report.joints.size()); ++k) {
    const auto& joint = report.joints[k];
    fmt::print("  {:<16} {:<12} {} - {}{}\n", joint.name, joint.type, joint.a, joint.b, joint.cut ? "  (cut)" : "");
  }
  if (report.joints.size() > shown) fmt::print("  and {} more; --json lists them\n", report.joints.size() - shown);
  const bool rolls = report.position_degrees_of_freedom != report.degrees_of_freedom;
  fmt::print(
      "{}\n",
      fitted(fmt::format("degrees of freedom: {} ({}, {}{})", report.degrees_of_freedom,
                         counted(report.coordinates, "coordinate"), counted(report.rank, "independent constraint"),
                         rolls ? fmt::format("; {} of positions, since some constraints hold velocities alone",
                                             report.position_degrees_of_freedom)
                               : ""),
             stdout, 2));
  print_redundant(report.redundant);
  for (const std::string& note : report.notes) print_note(note);
  for (const std::string& warning : report.warnings) print_warning(warning, stdout);
}

int check_model(const CheckArguments& arguments) {
  const Model model = arguments.model.read();
  Prepared prepared = compile(model);
  require_chosen_start(prepared, arguments.start);
  CheckReport report = check(model, *prepared.system, prepared.start);
  report.notes.insert(report.notes.begin(), prepared.notes.begin(), prepared.notes.end());
  if (arguments.model.json)
    fmt::print("{}\n", json_text(report_json(report)));
  else
    print_text(model.name, report);
  return ok;
}

}  // namespace

Verb add_check(CLI::App& app) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* verb = app.add_subcommand("check", "summarize a model and report suspicious input");
  verb->footer(check_examples);
  arguments->model.add_to(*verb);
  arguments->start.add_to(*verb, false);
  return [arguments] { return check_model(*arguments); };
}

}  // namespace armature::internal::cli
