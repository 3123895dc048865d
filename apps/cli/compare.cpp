// armature compare A B: two models of one machine, or one with two sets of options, side by side.

#include "inspect/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "errors.hpp"
#include "model_arguments.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "record/write_text.hpp"
#include "report/document.hpp"
#include "report_page.hpp"
#include "run/describe.hpp"
#include "simulate_arguments.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* compare_examples =
    "Examples:\n"
    "  armature compare models/rrr.yaml models/rrr_lagrangian.yaml --end 3\n"
    "  armature compare models/rrr.yaml --with \"--formulation null_space\"\n"
    "  armature compare models/crane.yaml --with \"--set inductance=0\"\n"
    "  armature compare models/crane.yaml models/crane_lagrangian.yaml \\\n"
    "      --match travel=q1\n"
    "  armature compare models/crane.yaml --with \"--set inductance=0\" -o both\n"
    "\nQuantities that both models give the same name are compared: coordinates, definitions, points.\n"
    "Options apply to both sides; those in --with apply to B only.";

struct CompareArguments {
  ModelArguments model;
  std::string other, with;
  SimulateArguments simulate;
  CompareOptions options;
  std::vector<std::string> match;
  std::string output;
  bool no_run = false, no_report = false;
};

// The options of side B.
struct WithArguments {
  std::vector<std::string> set;
  SimulateArguments simulate;
};

WithArguments parse_with(const std::string& text) {
  CLI::App app("--with");
  WithArguments arguments;
  arguments.simulate.add_to(app);
  app.add_option("--set", arguments.set)->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  try {
    app.parse(text, false);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("--with \"{}\": {}", text, error.what()));
  }
  return arguments;
}

Model read_side(const CompareArguments& arguments, const std::string& file, const WithArguments* with) {
  ModelArguments model_arguments = arguments.model;
  model_arguments.file = file;
  const Settings own = with ? assignments(with->set, "--with \"--set\"") : Settings{};
  Model model = model_arguments.read(own);
  arguments.simulate.apply(model.simulate, arguments.model.settings());
  if (with) with->simulate.apply(model.simulate, own);
  return model;
}

Json comparison_json(const ComparedSide& side, bool ran) {
  Json json{{"file", side.file},
            {"coordinates", side.coordinates},
            {"constraints", side.constraints},
            {"operations", side.operations}};
  if (!ran) return json;
  const RunStatistics& s = side.outcome.statistics;
  json["steps"] = s.integrator.steps;
  json["evaluations"] = s.integrator.evaluations;
  json["seconds"] = s.seconds;
  json["constraint_error"] = s.position_error;
  json["energy_error"] = side.balances ? Json(s.energy_error) : Json(nullptr);
  json["outcome"] = side.outcome.sentence;
  return json;
}

Json comparison_json(const CompareResult& c) {
  Json moments = Json::array();
  for (const auto& moment : c.moments)
    moments.push_back({{"t", moment.t}, {"difference", moment.difference}, {"of", moment.of}});
  const bool ran = !c.moments.empty();
  return {{"status", "finished"},
          {"names", c.names},
          {"states", c.states},
          {"acceleration_difference", c.acceleration},
          {"rate_difference", c.rate},
          {"trajectory_difference", ran ? Json(c.largest.difference) : Json(nullptr)},
          {"explained_difference", ran ? Json(c.explained) : Json(nullptr)},
          {"moments", moments},
          {"a", comparison_json(c.a, ran)},
          {"b", comparison_json(c.b, ran)},
          {"same_equations", c.same_equations()},
          {"verdict", c.verdict()}};
}

void print_row(const std::string& what, const std::string& a, const std::string& b) {
  fmt::print("{:<34}{:>16}{:>16}\n", what, a, b);
}

void print_costs(const CompareResult& c) {
  const RunStatistics &a = c.a.outcome.statistics, &b = c.b.outcome.statistics;
  const auto number = [](auto x) { return fmt::format("{}", x); };
  const auto small = [](double x) { return fmt::format("{:.2e}", x); };
  print_row("steps", number(a.integrator.steps), number(b.integrator.steps));
  print_row("evaluations", number(a.integrator.evaluations), number(b.integrator.evaluations));
  print_row("time of the run, s", fmt::format("{:.3g}", a.seconds), fmt::format("{:.3g}", b.seconds));
  print_row("largest |phi|", small(a.position_error), small(b.position_error));
  print_row("largest |phidot|", small(a.velocity_error), small(b.velocity_error));
  print_row("energy error, J", c.a.balances ? small(a.energy_error) : "-", c.b.balances ? small(b.energy_error) : "-");
}

void print_text(const CompareResult& c, const CompareArguments& arguments) {
  fmt::print("A: {}\nB: {}{}\n", c.a.file, c.b.file, arguments.with.empty() ? "" : " " + arguments.with);
  fmt::print("{}\n\n", fitted(fmt::format("compared: {}", fmt::join(c.names, ", ")), stdout, 2));
  print_row("", "A", "B");
  print_row("coordinates, constraints", fmt::format("{}, {}", c.a.coordinates, c.a.constraints),
            fmt::format("{}, {}", c.b.coordinates, c.b.constraints));
  print_row("operations of an acceleration", fmt::format("{}", c.a.operations), fmt::format("{}", c.b.operations));
  if (!c.moments.empty()) print_costs(c);
  fmt::print("\n{:<34}{:>16}\n", "", "difference");
  if (c.states > 0)
    fmt::print("{:<34}{:>16}  {}\n", fmt::format("accelerations at {} states", c.states),
               fmt::format("{:.2e}", c.acceleration), c.acceleration_of);
  if (!c.rate_of.empty())
    fmt::print("{:<34}{:>16}  {}\n", "rates of other states", fmt::format("{:.2e}", c.rate), c.rate_of);
  for (const auto& moment : c.moments)
    fmt::print("{:<34}{:>16}  {}\n", fmt::format("trajectories at t = {:g} s", moment.t),
               fmt::format("{:.2e}", moment.difference), moment.of);
  fmt::print("\n{}\n", fitted(c.verdict()));
}

// ---- the page: both runs in one report

struct NoRows : Recorder {
  void begin(const std::vector<Channel>&) override {}
  void row(std::span<const double>) override {}
};

Json card(const std::string& title, const std::vector<std::string>& header,
          const std::vector<std::vector<std::string>>& rows) {
  return {{"title", title}, {"header", header}, {"rows", rows}};
}

Json tables_of(const CompareResult& c) {
  const RunStatistics &a = c.a.outcome.statistics, &b = c.b.outcome.statistics;
  const auto number = [](auto x) { return fmt::format("{}", x); };
  const auto small = [](double x) { return x == 0 ? std::string("0") : fmt::format("{:.2e}", x); };
  const auto energy = [&](const ComparedSide& side, double error) {
    return side.balances ? small(error) : std::string("–");
  };
  std::vector<std::vector<std::string>> differences;
  if (c.states > 0)
    differences.push_back(
        {fmt::format("accelerations at {} states", c.states), small(c.acceleration), c.acceleration_of});
  if (!c.rate_of.empty()) differences.push_back({"rates of other states", small(c.rate), c.rate_of});
  for (const auto& moment : c.moments)
    differences.push_back({fmt::format("trajectories at t = {:g} s", moment.t), small(moment.difference), moment.of});
  return Json::array({card("Comparison", {}, {{c.verdict()}}),
                      card("Differences, relative to the largest value", {"", "difference", "quantity"}, differences),
                      card("A and B", {"", "A", "B"},
                           {{"file", std::filesystem::path(c.a.file).filename().string(),
                             std::filesystem::path(c.b.file).filename().string()},
                            {"coordinates, constraints", fmt::format("{}, {}", c.a.coordinates, c.a.constraints),
                             fmt::format("{}, {}", c.b.coordinates, c.b.constraints)},
                            {"operations of an acceleration", number(c.a.operations), number(c.b.operations)},
                            {"steps", number(a.integrator.steps), number(b.integrator.steps)},
                            {"evaluations", number(a.integrator.evaluations), number(b.integrator.evaluations)},
                            {"largest |phi|", small(a.position_error), small(b.position_error)},
                            {"energy error, J", energy(c.a, a.energy_error), energy(c.b, b.energy_error)}})});
}

// Run A, with B beside it.
Json both_runs(const Model& a, const Model& b, const CompareArguments& arguments, const CompareResult& c,
               ReportRecorder& rows_a, ReportRecorder& rows_b) {
  rows_a.finish(), rows_b.finish();
  const auto document = [&](const Model& model, const ComparedSide& side, ReportRecorder& rows) {
    return run_document(model, describe(model, arguments.model.settings(), *side.prepared, side.outcome), rows, nullptr,
                        &*side.prepared);
  };
  Json json = document(a, c.a, rows_a), other = document(b, c.b, rows_b);
  other["label"] =
      "B: " + (arguments.with.empty() ? std::filesystem::path(c.b.file).filename().string() : arguments.with);
  json["others"] = Json::array({std::move(other)});
  json["tables"] = tables_of(c);
  return json;
}

void write_comparison(const Model& a, const Model& b, const CompareArguments& arguments, const CompareResult& c,
                      ReportRecorder& rows_a, ReportRecorder& rows_b) {
  ResultsFolder folder(arguments.output, ResultKind::comparison);
  write_text(folder.partial() / "compare.json", json_text(comparison_json(c)) + "\n");
  const bool report = !arguments.no_report && !c.moments.empty() &&
                      write_report(folder.partial(), Page::report, arguments.model.json,
                                   [&] { return both_runs(a, b, arguments, c, rows_a, rows_b); });
  folder.publish();
  if (!arguments.model.json) print_results(arguments.output, {"compare.json", report ? "report.html" : ""});
}

int compare_models(CompareArguments arguments) {
  if (arguments.other.empty() && arguments.with.empty())
    throw UsageError("compare: give a second model file, or --with \"OPTIONS\" for the same one");
  for (const std::string& text : arguments.match) arguments.options.match.push_back(split_assignment(text, "--match"));
  arguments.options.run = !arguments.no_run;
  const WithArguments with = parse_with(arguments.with);
  const Model a = read_side(arguments, arguments.model.file, nullptr);
  const Model b = read_side(arguments, arguments.other.empty() ? arguments.model.file : arguments.other, &with);
  NoRows nowhere;
  ReportRecorder rows_a(nowhere), rows_b(nowhere);
  if (!arguments.output.empty()) arguments.options.rows_a = &rows_a, arguments.options.rows_b = &rows_b;
  std::optional<CompareResult> comparison;
  try {
    comparison = compare(a, b, arguments.options);
  } catch (const ModelError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  } catch (const std::runtime_error& error) {
    throw ComputationError(error.what());
  }
  if (arguments.model.json)
    fmt::print("{}\n", json_text(comparison_json(*comparison)));
  else
    print_text(*comparison, arguments);
  if (!arguments.output.empty()) write_comparison(a, b, arguments, *comparison, rows_a, rows_b);
  return ok;
}

}  // namespace

Verb add_compare(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* verb = app.add_subcommand("compare", "compare two models of a machine, or two sets of options");
  verb->footer(compare_examples);
  arguments->model.add_to(*verb);
  verb->add_option("OTHER", arguments->other, "second model file, B (default: the first again)");
  verb->add_option("--with", arguments->with, "options for B only, as in \"--formulation null_space --set l1=0.3\"")
      ->type_name("OPTIONS");
  verb->add_option("--match", arguments->match, "compare NAME of A with OTHER of B; repeatable")
      ->type_name("NAME=OTHER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb->add_option("--states", arguments->options.states, "number of random states at which to compare accelerations")
      ->type_name("N")
      ->check(whole_between(0, 1000000));
  verb->add_option("--seed", arguments->options.seed, "seed of the random states")->type_name("N");
  verb->add_flag("--no-run", arguments->no_run, "compare accelerations only");
  verb->add_option("-o,--output", arguments->output,
                   "write compare.json and report.html, with both runs, to this folder")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  arguments->simulate.add_to(*verb);
  return [arguments] { return compare_models(*arguments); };
}

}  // namespace armature::internal::cli
