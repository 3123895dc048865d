// Dimensions of what studies vary and look at, where they are known: so that a bound or a limit in a wrong unit is refused.
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"

namespace armature::internal {

// Of a formula of the moment. A coordinate that is an angle has none (rad); formulas with rates are not known. Throws
// FormulaError.
std::optional<Dimension> dimension_of(const Formula& formula, const Model& model);

// Of a parameter, of a coordinate's start value, or of its speed ("theta.v", "theta'"). Not known: nothing of the kind.
std::optional<Dimension> dimension_of_varied(const std::string& name, const Model& model);

// A formula of parameters and numbers, in the given dimension where one is known. Throws FormulaError.
double constant_in(const std::string& text, const Model& model, std::optional<Dimension> dimension);

}  // namespace armature::internal
