// What map, sweep and optimize share on the command line: what is varied, where the cells go, how they are computed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "session_arguments.hpp"
#include "simulate_arguments.hpp"
#include "step/lanes.hpp"
#include "study/design.hpp"
#include "study/study.hpp"

namespace armature::internal::cli {

struct StudyArguments : SessionArguments {
  SimulateArguments simulate;
  std::vector<std::string> over;  // "name=from:to:count"
  int lanes = lane_count;

  void add_to(CLI::App& verb, const std::string& over_help);
  void add_lanes_to(CLI::App& verb);
  Model read(const Settings& more = {}) const;  // throws UsageError and ModelError
  // counted: each axis says how many values it has. Throws UsageError.
  std::vector<Axis> axes(const Model& model, bool counted) const;
};

// About: its place, its result and their copies on the way to the files.
inline double bytes_of_a_cell(std::size_t variables) { return 400 + 50 * static_cast<double>(variables); }

std::vector<std::string> names_of(const std::vector<Axis>& axes);

// Values that a variable takes, one list a variable. A range without a count gives its ends and two inside it.
std::vector<std::vector<double>> values_on(const std::vector<Axis>& axes);
std::vector<std::vector<double>> values_in(const Points& points);

// Refuses what cannot be varied inside the compiled model, by trying a point: of each variable a value that differs from
// the model's own, at which every parameter would seem harmless; and values that the file could not have, at the ends of
// the ranges. Throws UsageError.
void check_variables(const StudyArguments& arguments, const Study& study, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& values);

// A formula of parameters and numbers, in the given dimension where one is known. Throws FormulaError.
double constant_in(const std::string& text, const Model& model, std::optional<Dimension> dimension);

[[noreturn]] void throw_usage(const std::string& option, const FormulaError& error);

// Runs f; a complaint about a formula becomes a UsageError that begins with the option.
template <class F>
auto in_option(const std::string& option, F f) {
  try {
    return f();
  } catch (const FormulaError& error) {
    throw_usage(option, error);
  }
}

}  // namespace armature::internal::cli
