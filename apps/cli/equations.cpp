// armature equations FILE: the equations of motion, to be read or to be called.

#include "inspect/equations.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "model_arguments.hpp"
#include "record/json_text.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* equations_examples =
    "Examples:\n"
    "  armature equations models/crane_lagrangian.yaml\n"
    "  armature equations models/slider_crank.yaml --set inductance=0 --format latex\n"
    "  armature equations models/two_joint_arm.yaml --format python > arm.py\n"
    "\nParameters remain symbols; terms with a parameter of zero are left out.";

struct EquationsArguments {
  ModelArguments model;
  std::string format = "text";
};

std::string page(const PrintedEquations& equations, const std::string& format) {
  if (format == "latex") return equations_latex(equations);
  if (format == "c") return equations_code(equations, PrintingStyle::c);
  if (format == "python") return equations_code(equations, PrintingStyle::python);
  return equations_text(equations);
}

int print_equations(const EquationsArguments& arguments) {
  require_known(arguments.format, {"text", "latex", "c", "python"}, "format");
  const Model model = arguments.model.read();
  try {
    const std::string text = page(printed_equations(model), arguments.format);
    if (arguments.model.json)
      fmt::print("{}\n", json_text({{"status", "finished"}, {"format", arguments.format}, {"equations", text}}));
    else
      fmt::print("{}", text);
  } catch (const std::length_error& error) {
    throw ComputationError(error.what());
  } catch (const std::overflow_error& error) {
    throw ComputationError(error.what());
  }
  return ok;
}

}  // namespace

Verb add_equations(CLI::App& app) {
  auto arguments = std::make_shared<EquationsArguments>();
  CLI::App* verb = app.add_subcommand("equations", "print M, C, D, K, g, B, Phi and gamma of a small model");
  verb->footer(equations_examples);
  arguments->model.add_to(*verb);
  verb->add_option("--format", arguments->format, "text, latex, c or python (default: text)")->type_name("NAME");
  return [arguments] { return print_equations(*arguments); };
}

}  // namespace armature::internal::cli
