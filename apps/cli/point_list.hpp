// Points from a CSV file: names in its first line, a point in each other line, formulas for numbers ("2*pi", "5 mm").
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "study/sweep.hpp"

namespace armature::internal::cli {

// Throws UsageError.
PointList read_points(const std::string& file, const Model& model);

}  // namespace armature::internal::cli
