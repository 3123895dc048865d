// The variables of a study: parameters and start values by name, each with the values that it takes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expression/lower.hpp"
#include "model/request_error.hpp"
#include "read/reader.hpp"
#include "study/design.hpp"
#include "study/study.hpp"

namespace armature::internal {

std::vector<std::string> names_of(const std::vector<Axis>& axes);

// Values that a variable takes, one list per variable. A range without a count gives its ends and two values inside it.
std::vector<std::vector<double>> values_on(const std::vector<Axis>& axes);
std::vector<std::vector<double>> values_in(const Points& points);

// About: its place, its result and their copies on the way to the files.
inline double bytes_of_a_cell(std::size_t variables) { return 400 + 50 * static_cast<double>(variables); }

// Refuses axes of which a study can make nothing: none at all, an empty range, and a grid that would not fit into memory. counted: each
// says how many values it has. Throws RequestError.
void require_axes(const std::vector<Axis>& axes, bool counted, const std::string& study);

// Where a model is compared with one that is read anew: a point inside of the ranges, then for each parameter the values at which a file
// may change its meaning, both ends and zero.
struct ComparedPoint {
  std::vector<double> values;
  std::optional<std::size_t> special = {};  // the variable that has such a value
};
std::vector<ComparedPoint> points_to_compare(const Model& model, const std::vector<std::string>& names,
                                             const std::vector<std::vector<double>>& values);

// Refuses what cannot be varied inside the compiled model, by reading the model again at a point: of each variable a value that
// differs from the model's own; and values that the file could not have, at the ends of the ranges. settings: with which the model was
// read. A model without text is not checked. Throws RequestError. From then on the study knows what the file allows in between.
void check_variables(Study& study, const Model& model, const Settings& settings, const std::vector<std::string>& names,
                     const std::vector<std::vector<double>>& values);

// The model's text read again with other parameters. Options of the run that the caller has changed since the model was read stay as
// they are: --end 3 in place of what the file says. Keeps references to both.
class ReadAgain {
 public:
  ReadAgain(const Model& model, const Settings& settings);
  // Throws RequestError where the file could not have the parameters of this point.
  Model at(const std::vector<std::string>& names, const std::vector<double>& point) const;

 private:
  void keep_changed(SimulateOptions& options) const;

  const Model& model_;
  const Settings& settings_;
  SimulateOptions as_read_;
};

[[noreturn]] void throw_request(const std::string& option, const FormulaError& error);

// Runs f; a complaint about a formula becomes a RequestError that begins with the option.
template <class F>
auto in_option(const std::string& option, F f) {
  try {
    return f();
  } catch (const FormulaError& error) {
    throw_request(option, error);
  }
}

}  // namespace armature::internal
