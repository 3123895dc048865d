// Distributions of random points as a text: "normal(2 kg, 0.1 kg)".
//
//   uniform(FROM, TO)
//   normal(MEAN, DEVIATION)   normal(MEAN, DEVIATION, FROM, TO)      cut off at FROM and TO, or six deviations from the mean
//   lognormal(MEDIAN, FACTOR)  lognormal(MEDIAN, FACTOR, FROM, TO)   FACTOR: the exponential of the logarithm's deviation
//   triangular(FROM, MODE, TO)
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"
#include "study/design.hpp"

namespace armature::internal {

bool is_law(const std::string& range);

// option: begins the sentence of an error. Throws RequestError and FormulaError.
Axis read_law(const std::string& option, const std::string& name, const std::string& range, const Model& model,
              std::optional<Dimension> dimension);

}  // namespace armature::internal
