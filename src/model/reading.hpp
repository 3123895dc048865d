// What the parts of the reader share: the model so far, what was found wrong, and the formulas to check at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/diagnostics.hpp"
#include "model/format_keys.hpp"
#include "model/formula_place.hpp"
#include "model/model.hpp"
#include "model/yaml_tree.hpp"

namespace armature::internal {

// A formula with what its key asks of it. It is checked when all names are known.
struct FormulaCheck {
  Formula formula;
  std::string path;  // "joints.elbow1.axis"
  KeySpec spec;
  std::optional<Dimension> dimension;
};

struct Reading {
  // `root`: folder that holds all files of the model; empty: that of its file.
  explicit Reading(const std::string& file, const std::string& root = "") : diagnostics(file) {
    model.file = file, model.root = root;
  }

  Model model;
  LineStarts lines;  // of the model's text
  Diagnostics diagnostics;
  std::vector<FormulaCheck> checks;
  std::map<std::string, std::string> names;                      // taken names and by what: "the body in line 12"
  std::vector<std::pair<std::string, YamlNode>> clearances;      // of joints, by name: read by read/clearance.hpp
  std::vector<std::pair<std::string, YamlNode>> input_defaults;  // from --set, of inputs that a `for` makes
  long turns = 0;                                                // of all loops so far, each time an inner one runs
  std::size_t values = 0;                                        // that uses and loops have made so far
  std::function<bool(const std::filesystem::path&)>
      may_read;  // a file that the model names; empty: those below the model's root

  // Counts copies of a node before they are made; false, and a report, where the model would have too many values.
  bool may_copy(const YamlNode& node, std::size_t copies, Location where, const std::string& path);

  // Reports a name that is malformed, reserved or taken; otherwise takes it.
  void take_name(const std::string& name, const std::string& kind, Location where, const std::string& path);
  // Reports a name that is not a word of letters, digits and _.
  bool check_word(const std::string& name, Location where, const std::string& path);

  void check_later(const Formula& formula, const std::string& path, const KeySpec& spec, bool of_length = false);

  // The reader makes a number of a formula, and so of all names in it, as far as they are known by now.
  void fix_names_in(const Formula& formula);

  // What is wrong with a formula. Those of a Lagrangian are long: the column is reported too.
  void report_formula(Location where, const std::string& path, const std::string& message);

  // The place of a file that the model names beside itself; nothing, and a report, where it may not be read.
  std::optional<std::filesystem::path> file_beside(const std::string& name, Location where, const std::string& path);
};

// A formula from a text, or a vector from a list of texts; what is wrong is reported, and the result is then not given.
Formula read_formula(const YamlNode& node, const std::string& path, Reading& reading);

// x, y, z, -x, -y, -z or a vector.
Formula read_axis(const YamlNode& node, const std::string& path, Reading& reading);

// A text that is not empty, or nothing and a report.
std::optional<std::string> read_text(const YamlNode& node, const std::string& path, Reading& reading);

// A constant by the parameters' values, at once.
std::optional<double> read_constant(const YamlNode& node, const std::string& path, const KeySpec& spec,
                                    Reading& reading);

// What a formula's value violates of a key's range, or nothing.
std::string range_violation(double value, ValueRange range);

}  // namespace armature::internal
