// armature modes FILE: the static equilibrium, small vibrations about it, and the linear system behind them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "lists.hpp"
#include "model/counted.hpp"
#include "model_arguments.hpp"
#include "modes/modes_study.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "report/modes_document.hpp"
#include "report_page.hpp"
#include "start_arguments.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* modes_examples =
    "Examples:\n"
    "  armature modes models/four_bar.yaml\n"
    "  armature modes models/five_bar.yaml --sensitivity l1,l2\n"
    "  armature run models/four_bar.yaml --end 3 -o short\n"
    "  armature modes models/four_bar.yaml --from short -o linear\n"
    "\nArmature follows the forces downhill from the start to an equilibrium and linearizes there.\n"
    "Time is frozen, sampled controllers hold their outputs, comparisons keep their outcome, and dry friction is left "
    "out "
    "(a joint that sticks does not vibrate).\n"
    "The inputs of the linear system are added to the commands that the file gives to drives and efforts; the outputs "
    "are positions "
    "and recorded quantities.";

struct ModesArguments {
  ModelArguments model;
  StartArguments start;
  bool no_equilibrium = false, no_report = false;
  std::string sensitivity, output;
};

std::vector<std::string> wanted_parameters(const std::string& text, const Model& model) {
  if (text != "all") return split_list(text);
  std::vector<std::string> all;
  for (const Parameter& parameter : model.parameters) all.push_back(parameter.name);
  return all;
}

// The positions (and other states) that move most.
std::string shape_words(const ModesResult& result, const Eigenmode& mode) {
  const auto& e = result.prepared.system->equations();
  const std::vector<std::string> names = entry_names(e);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i < e.q.size()) order.push_back({std::abs(mode.shape[static_cast<Eigen::Index>(i)]), i});
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), 4); ++k) {
    if (order[k].first < 1e-3) break;
    const std::complex<double> x = mode.shape[static_cast<Eigen::Index>(order[k].second)];
    const double side = std::abs(x.imag()) > std::abs(x.real()) ? x.imag() : x.real();
    text +=
        fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", names[order[k].second], std::copysign(std::abs(x), side));
  }
  return text;
}

void print_state(const ModesResult& result) {
  const Equations& e = result.prepared.system->equations();
  if (result.equilibrium)
    fmt::print("equilibrium, found in {}:\n", counted(result.equilibrium->steps, "step"));
  else
    fmt::print("linearized about the start:\n");
  for (std::size_t i = 0; i < e.q.size(); ++i)
    fmt::print("  {:<20} {:>18.10g} {}\n", e.positions[i].name, result.state.x[static_cast<Eigen::Index>(i)],
               e.positions[i].unit);
}

// As printed, to four digits: without a sign where it is zero.
double rounded_damping(const Eigenmode& mode) { return std::round(1e4 * mode.damping()) / 1e4 + 0.0; }

// Parts of an eigenvalue are known to round-off of the fastest mode; below it they are zero, not data.
double known_part(double part, double fastest) { return std::abs(part) < 1e-12 * fastest ? 0 : part; }

void print_modes(const ModesResult& result) {
  double fastest = 0;
  for (const Eigenmode& mode : result.modes) fastest = std::max(fastest, mode.frequency());
  TextTable table({"mode", "Re s [1/s]", "Im s [rad/s]", "|s| [rad/s]", "[Hz]", "damping"});
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Eigenmode& mode = result.modes[k];
    table.add({fmt::format("{}", k + 1), fmt::format("{:.7g}", known_part(mode.eigenvalue.real(), fastest)),
               fmt::format("{:.7g}", known_part(mode.eigenvalue.imag(), fastest)),
               fmt::format("{:.7g}", mode.frequency()), fmt::format("{:.5g}", mode.frequency() / (2 * M_PI)),
               fmt::format("{:.4f}", rounded_damping(mode))});
  }
  table.print();
  print_heading("mode  shape: the coordinates that move most");
  for (std::size_t k = 0; k < result.modes.size(); ++k)
    fmt::print("{}\n", wrapped(fmt::format("{:<4}  {}", k + 1, shape_words(result, result.modes[k])), columns(), 6));
}

void print_sensitivity(const ModesResult& result) {
  if (result.parameters.empty()) return;
  fmt::print("d(eigenvalue)/d(parameter), exact, including the shift of the equilibrium:\n");
  for (std::size_t p = 0; p < result.parameters.size(); ++p)
    for (std::size_t k = 0; k < result.modes.size(); ++k) {
      const auto s = result.sensitivity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p));
      fmt::print("  {:<16} mode {:<3} {:>14.7g} {:>+14.7g} i\n", k == 0 ? result.parameters[p] : "", k + 1,
                 s.real() + 0.0, s.imag() + 0.0);
    }
}

void print_text(const ModesResult& result) {
  for (const std::string& warning : result.warnings) print_warning(warning);
  print_state(result);
  if (result.modes.empty())
    fmt::print("the mechanism cannot move: it has no modes\n");
  else
    print_modes(result);
  print_sensitivity(result);
  for (const std::string& note : result.notes) print_note(note);
}

ModesResult find(const Model& model, const ModesArguments& arguments) try {
  return find_modes(model, {.start = arguments.start,
                            .equilibrium = !arguments.no_equilibrium,
                            .sensitivity = wanted_parameters(arguments.sensitivity, model)});
} catch (const NoEquilibrium& error) {
  throw ComputationError(std::string(error.what()) + " (--no-equilibrium)");
}

int modes(const ModesArguments& arguments) {
  const Model model = arguments.model.read();
  const ModesResult result = find(model, arguments);
  bool report = false;
  if (!arguments.output.empty()) {
    ResultsFolder folder(arguments.output, ResultKind::modes);
    write_files(result, model, folder.partial());
    report = !arguments.no_report && write_report(folder.partial(), Page::modes, arguments.model.json, [&] {
      return modes_document(model, arguments.model.settings(), result);
    });
    folder.publish();
  }
  if (arguments.model.json) {
    fmt::print("{}\n", json_text(to_json(result, model)));
    return ok;
  }
  print_text(result);
  if (!arguments.output.empty())
    print_results(arguments.output, {"modes.json", "modes.csv", "A.csv", "B.csv", "C.csv", "D.csv", "results.h5",
                                     report ? "report.html" : ""});
  return ok;
}

}  // namespace

Verb add_modes(CLI::App& app) {
  auto arguments = std::make_shared<ModesArguments>();
  CLI::App* verb =
      app.add_subcommand("modes", "find the equilibrium, its vibrations, and the linear system A, B, C, D");
  verb->footer(modes_examples);
  arguments->model.add_to(*verb);
  arguments->start.add_to(*verb, true);
  verb->add_flag("--no-equilibrium", arguments->no_equilibrium, "linearize about the start pose instead");
  verb->add_option("--sensitivity", arguments->sensitivity,
                   "derivatives of the eigenvalues with respect to these parameters, or all")
      ->type_name("NAME,…");
  verb->add_option("-o,--output", arguments->output,
                   "write modes.json, results.h5, A, B, C, D as CSV and report.html to this folder")
      ->type_name("DIR");
  verb->add_flag("--no-report", arguments->no_report, "do not write report.html");
  return [arguments] { return modes(*arguments); };
}

}  // namespace armature::internal::cli
