// Points from a CSV file: names in its first line, a point in each other line, formulas for numbers ("2*pi", "5 mm").
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "study/design.hpp"

namespace armature::internal::cli {

// Throws UsageError.
Points read_points(const std::string& file, const Model& model, std::vector<std::string>& names);

}  // namespace armature::internal::cli
