// armature modes FILE: the static equilibrium, small vibrations about it, and the linear system behind them.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cell_session.hpp"
#include "errors.hpp"
#include "expression/derivative.hpp"
#include "lists.hpp"
#include "model_arguments.hpp"
#include "modes/eigenmodes.hpp"
#include "modes/eigenvalue_sensitivity.hpp"
#include "prepare/beam_slopes.hpp"
#include "record/json_text.hpp"
#include "record/results_folder.hpp"
#include "record/run_record.hpp"
#include "record/table.hpp"
#include "record/write_text.hpp"
#include "start_arguments.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* modes_examples =
    "Examples:\n"
    "  armature modes models/four_bar.yaml                        equilibrium nearest below the start, frequencies, shapes\n"
    "  armature modes models/five_bar.yaml --sensitivity l1,l2    and how eigenvalues change with parameters\n"
    "  armature run models/four_bar.yaml --end 3 -o short\n"
    "  armature modes models/four_bar.yaml --from short -o linear  from the last state of a run; A, B, C, D into a folder\n"
    "\nTime stands still, sampled controllers hold their outputs, comparisons keep the side they are on; dry friction\n"
    "is left out (a joint that sticks does not vibrate). Inputs are what drives and efforts get on top of what the "
    "file\n"
    "gives them; outputs are positions and recorded quantities.";

struct ModesArguments {
  ModelArguments model;
  StartArguments start;
  bool no_equilibrium = false;
  std::string sensitivity, output;
};

struct Result {
  Model model;
  Prepared prepared;
  std::optional<Equilibrium> equilibrium;
  State state;
  Linearization linear;
  std::vector<Eigenmode> modes;
  std::vector<std::string> parameters, notes, warnings;  // parameters: whose influence is wanted
  Eigen::MatrixXcd sensitivity;                          // one column a parameter of `parameters`
};

std::vector<std::string> wanted_parameters(const std::string& text, const Model& model) {
  std::vector<std::string> all;
  for (const Parameter& parameter : model.parameters) all.push_back(parameter.name);
  if (text.empty() || text == "all") return text.empty() ? std::vector<std::string>{} : all;
  const std::vector<std::string> names = split_list(text);
  for (const std::string& name : names) require_known(name, all, "parameter");
  return names;
}

void add_notes(Result& result) {
  const Equations& e = result.prepared.system->equations();
  const auto moves_with_time = [&](Expression x) { return depends_on(x, e.t); };
  bool time = false;
  for (const ConstraintRow& row : e.rows) time = time || moves_with_time(row.phi);
  for (const Expression& f : e.f) time = time || moves_with_time(f);
  if (time) result.notes.push_back(fmt::format("time stands still at t = {:g} s", result.state.t));
  for (const Discrete& value : e.discrete)
    if (value.period > 0) {
      result.notes.push_back("sampled controllers hold their outputs");
      break;
    }
  if (result.equilibrium && result.equilibrium->balanced > 0)
    result.notes.push_back(
        fmt::format("{} comparison{} at rest on the border of two outcomes: the mean of both acts, so that dry "
                    "friction is left out",
                    result.equilibrium->balanced, result.equilibrium->balanced == 1 ? " is" : "s are"));
}

// An eigenvalue that is zero twice over is known to the root of the round-off only.
void note_instability(Result& result) {
  if (!result.equilibrium) return;
  double fastest = 0;
  for (const Eigenmode& mode : result.modes) fastest = std::max(fastest, mode.frequency());
  std::vector<std::size_t> growing;
  for (std::size_t k = 0; k < result.modes.size(); ++k)
    if (result.modes[k].eigenvalue.real() > 1e-7 * fastest) growing.push_back(k + 1);
  if (!growing.empty())
    result.notes.push_back(fmt::format("the equilibrium is unstable: it leaves along mode{} {}",
                                       growing.size() == 1 ? "" : "s", fmt::join(growing, ", ")));
}

void settle(const ModesArguments& arguments, Result& result) {
  const auto system = result.prepared.system;
  if (arguments.no_equilibrium) {
    result.state = result.prepared.start;
    RestState(system).settle_modes(result.state);
    return;
  }
  result.equilibrium = find_equilibrium(system, result.prepared.start);
  if (!result.equilibrium->found) throw ComputationError(result.equilibrium->sentence);
  result.state = result.equilibrium->state;
}

// What is odd about the model, and beams that are bent beyond their theory where they rest.
void add_warnings(Result& result) {
  result.warnings = result.prepared.warnings;
  BeamSlopes slopes(result.prepared.beams);
  slopes.look(result.state.t, result.state.x);
  for (std::string& sentence : slopes.warnings()) result.warnings.push_back(std::move(sentence));
}

void differentiate(Result& result) {
  if (result.parameters.empty()) return;
  if (!result.equilibrium) throw UsageError("--sensitivity needs an equilibrium: leave --no-equilibrium out");
  std::vector<std::complex<double>> eigenvalues;
  for (const Eigenmode& mode : result.modes) eigenvalues.push_back(mode.eigenvalue);
  const Eigen::MatrixXcd all = eigenvalue_sensitivity(result.prepared.system, *result.equilibrium, eigenvalues);
  const auto& names = result.prepared.system->equations().p_name;
  std::vector<int> columns;
  for (const std::string& name : result.parameters)
    columns.push_back(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()));
  result.sensitivity = all(Eigen::all, columns);
}

Result compute(const ModesArguments& arguments) {
  Result result;
  std::vector<std::string> inputs;
  result.model = arguments.model.read();
  result.parameters = wanted_parameters(arguments.sensitivity, result.model);
  std::vector<std::string> free = result.parameters;
  const Model with = with_inputs(result.model, inputs);
  free.insert(free.end(), inputs.begin(), inputs.end());
  result.prepared = compile(with, free);
  if (!arguments.start.assemble(result.prepared)) throw ComputationError(result.prepared.failure);
  result.prepared.system = with_jacobian(*result.prepared.system);
  settle(arguments, result);
  try {
    result.linear = linearize(result.prepared.system, result.state, inputs);
  } catch (const std::runtime_error& error) {
    throw ComputationError(error.what());
  }
  result.modes = eigenmodes(result.linear, result.prepared.system->layout().nq);
  differentiate(result);
  add_notes(result);
  note_instability(result);
  add_warnings(result);
  return result;
}

std::vector<std::string> entry_names(const Equations& e) {
  std::vector<std::string> names;
  for (const auto* list : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *list) names.push_back(coordinate.name);
  return names;
}

Json complex_json(std::complex<double> x) { return Json::array({x.real(), x.imag()}); }

Json matrix_json(const Eigen::MatrixXd& M) {
  Json rows = Json::array();
  for (Eigen::Index r = 0; r < M.rows(); ++r) rows.push_back(std::vector<double>(M.row(r).begin(), M.row(r).end()));
  return rows;
}

Json mode_json(const Result& result, std::size_t k) {
  const Eigenmode& mode = result.modes[k];
  const auto& e = result.prepared.system->equations();
  const std::vector<std::string> names = entry_names(e);
  Json shape, sensitivity;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (i < e.q.size() ||
        (i >= e.q.size() + e.v.size() && !names[i].starts_with("work.") && !names[i].starts_with("heat.")))
      shape[names[i]] = complex_json(mode.shape[static_cast<Eigen::Index>(i)]);
  for (std::size_t p = 0; p < result.parameters.size(); ++p)
    sensitivity[result.parameters[p]] =
        complex_json(result.sensitivity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p)));
  Json json = {{"eigenvalue", complex_json(mode.eigenvalue)},
               {"frequency_rad_s", mode.frequency()},
               {"frequency_hz", mode.frequency() / (2 * M_PI)},
               {"damping_ratio", mode.damping()},
               {"shape", shape}};
  if (!result.parameters.empty()) json["sensitivity"] = sensitivity;
  return json;
}

Json to_json(const Result& result) {
  Json modes = Json::array();
  for (std::size_t k = 0; k < result.modes.size(); ++k) modes.push_back(mode_json(result, k));
  Json json = {{"status", "finished"},
               {"model", result.model.name},
               {"equilibrium", result.equilibrium.has_value()},
               {"state", to_json(store(result.state, result.prepared.system->equations()))},
               {"notes", result.notes},
               {"warnings", result.warnings},
               {"modes", modes},
               {"states", result.linear.states},
               {"inputs", result.linear.inputs},
               {"outputs", result.linear.outputs},
               {"A", matrix_json(result.linear.A)},
               {"B", matrix_json(result.linear.B)},
               {"C", matrix_json(result.linear.C)},
               {"D", matrix_json(result.linear.D)}};
  if (!result.parameters.empty()) json["sensitivity_by"] = "exact derivatives of the equations";
  return json;
}

// The positions (and other states) that move most.
std::string shape_words(const Result& result, const Eigenmode& mode) {
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

void print_state(const Result& result) {
  const Equations& e = result.prepared.system->equations();
  if (result.equilibrium)
    fmt::print("equilibrium after {} steps, {:.3g} from the start:\n", result.equilibrium->steps,
               result.equilibrium->moved);
  else
    fmt::print("about the start as it is:\n");
  for (std::size_t i = 0; i < e.q.size(); ++i)
    fmt::print("  {:<20} {:>18.10g} {}\n", e.positions[i].name, result.state.x[static_cast<Eigen::Index>(i)],
               e.positions[i].unit);
}

// As printed, to four digits: without a sign where it is zero.
double rounded_damping(const Eigenmode& mode) { return std::round(1e4 * mode.damping()) / 1e4 + 0.0; }

void print_modes(const Result& result) {
  fmt::print("{:>5} {:>14} {:>14} {:>12} {:>11} {:>9}  {}\n", "mode", "Re s [1/s]", "Im s [rad/s]", "|s| [rad/s]",
             "[Hz]", "damping", "shape");
  for (std::size_t k = 0; k < result.modes.size(); ++k) {
    const Eigenmode& mode = result.modes[k];
    fmt::print("{:>5} {:>14.7g} {:>14.7g} {:>12.7g} {:>11.5g} {:>9.4f}  {}\n", k + 1, mode.eigenvalue.real(),
               mode.eigenvalue.imag(), mode.frequency(), mode.frequency() / (2 * M_PI), rounded_damping(mode),
               shape_words(result, mode));
  }
}

void print_sensitivity(const Result& result) {
  if (result.parameters.empty()) return;
  fmt::print("d(eigenvalue)/d(parameter), exact, the equilibrium moving along:\n");
  for (std::size_t p = 0; p < result.parameters.size(); ++p)
    for (std::size_t k = 0; k < result.modes.size(); ++k) {
      const auto s = result.sensitivity(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(p));
      fmt::print("  {:<16} mode {:<3} {:>14.7g} {:>+14.7g} i\n", k == 0 ? result.parameters[p] : "", k + 1,
                 s.real() + 0.0, s.imag() + 0.0);
    }
}

Eigen::MatrixXd shapes(const Result& result, bool imaginary) {
  const auto count = static_cast<Eigen::Index>(result.modes.size());
  Eigen::MatrixXd table(count, count > 0 ? result.modes[0].shape.size() : 0);
  for (Eigen::Index k = 0; k < count; ++k) {
    const Eigen::VectorXcd& shape = result.modes[static_cast<std::size_t>(k)].shape;
    table.row(k) = imaginary ? Eigen::VectorXd(shape.imag()) : Eigen::VectorXd(shape.real());
  }
  return table;
}

void write_hdf5(const Result& result, const Eigen::MatrixXd& values, const Json& json,
                const std::filesystem::path& path) {
  const Linearization& linear = result.linear;
  Hdf5File file(path);
  file.write("description", json_text(json));
  file.write("model", result.model.text);
  file.write("states", fmt::format("{}", fmt::join(linear.states, ", ")));
  file.write("inputs", fmt::format("{}", fmt::join(linear.inputs, ", ")));
  file.write("outputs", fmt::format("{}", fmt::join(linear.outputs, ", ")));
  file.write("coordinates", fmt::format("{}", fmt::join(entry_names(result.prepared.system->equations()), ", ")));
  for (const auto& [name, matrix] : {std::pair{"A", &linear.A}, {"B", &linear.B}, {"C", &linear.C}, {"D", &linear.D}})
    if (matrix->size() > 0) write_matrix(file, name, *matrix);
  if (values.size() > 0) {
    write_matrix(file, "modes", values);
    write_matrix(file, "shapes_real", shapes(result, false));
    write_matrix(file, "shapes_imaginary", shapes(result, true));
  }
  file.close();
}

void write_results(const Result& result, const std::string& output) {
  ResultsFolder folder(output, ResultKind::modes);
  const Linearization& linear = result.linear;
  const auto& at = folder.partial();
  write_table(at / "A.csv", linear.states, linear.A, linear.states);
  write_table(at / "B.csv", linear.inputs, linear.B, linear.states);
  write_table(at / "C.csv", linear.states, linear.C, linear.outputs);
  write_table(at / "D.csv", linear.inputs, linear.D, linear.outputs);
  Eigen::MatrixXd values(static_cast<Eigen::Index>(result.modes.size()), 4);
  for (Eigen::Index k = 0; k < values.rows(); ++k) {
    const Eigenmode& mode = result.modes[static_cast<std::size_t>(k)];
    values.row(k) << mode.eigenvalue.real(), mode.eigenvalue.imag(), mode.frequency(), mode.damping();
  }
  write_table(at / "modes.csv", {"real [1/s]", "imaginary [rad/s]", "frequency [rad/s]", "damping ratio"}, values);
  const Json json = to_json(result);
  write_text(at / "modes.json", json_text(json) + "\n");
  write_hdf5(result, values, json, at / "results.h5");
  folder.publish();
}

int modes(const ModesArguments& arguments) {
  const Result result = compute(arguments);
  if (!arguments.output.empty()) write_results(result, arguments.output);
  if (arguments.model.json) {
    fmt::print("{}\n", json_text(to_json(result)));
    return ok;
  }
  for (const std::string& warning : result.warnings) fmt::print(stderr, "warning: {}\n", warning);
  print_state(result);
  if (result.modes.empty()) fmt::print("nothing can move: there are no modes\n");
  print_modes(result);
  print_sensitivity(result);
  for (const std::string& note : result.notes) fmt::print("{}\n", note);
  if (!arguments.output.empty())
    fmt::print("results: {0}/modes.json, modes.csv, A.csv, B.csv, C.csv, D.csv and results.h5\n", arguments.output);
  return ok;
}

}  // namespace

Verb add_modes(CLI::App& app) {
  auto arguments = std::make_shared<ModesArguments>();
  CLI::App* verb =
      app.add_subcommand("modes", "static equilibrium, small vibrations, and the linear system A, B, C, D");
  verb->footer(modes_examples);
  arguments->model.add_to(*verb);
  arguments->start.add_to(*verb, true);
  verb->add_flag("--no-equilibrium", arguments->no_equilibrium, "linearise about the start as it is");
  verb->add_option("--sensitivity", arguments->sensitivity, "derivatives of the eigenvalues: parameters, or all")
      ->type_name("P,P,...");
  verb->add_option("-o,--output", arguments->output, "folder for modes.json, A, B, C, D as CSV, and results.h5")
      ->type_name("DIR");
  return [arguments] { return modes(*arguments); };
}

}  // namespace armature::internal::cli
