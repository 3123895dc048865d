// Reads a model file (YAML) into a Model; see docs/format.md. Throws ModelError with everything that is wrong.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"

namespace armature::internal {

struct FormulaCheck;

// "name" and its new formula, from --set.
using Settings = std::vector<std::pair<std::string, std::string>>;

// Files that the model names lie below `root`; empty: below the folder of its own file.
Model read_model(const std::string& path, const Settings& settings = {}, const std::string& root = "");
Model read_model_text(const std::string& text, const std::string& file = "model", const Settings& settings = {},
                      const std::string& root = "");
Model read_again(const Model& model, const Settings& settings);  // with other settings

// Formulas of the file with what its keys allow them to be (model/reading.hpp).
std::vector<FormulaCheck> formula_checks(const Model& model, const Settings& settings);

}  // namespace armature::internal
