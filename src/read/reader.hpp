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

Model read_model(const std::string& path, const Settings& settings = {});
Model read_model_text(const std::string& text, const std::string& file = "model", const Settings& settings = {});

// Formulas of the file with what its keys allow them to be (model/reading.hpp).
std::vector<FormulaCheck> formula_checks(const std::string& text, const std::string& file, const Settings& settings);

}  // namespace armature::internal
