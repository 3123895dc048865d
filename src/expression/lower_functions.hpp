// The functions of formulas: what each takes, what it gives, and its dimension.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expression/lower.hpp"

namespace armature::internal {

// The value of a built-in function at given arguments, or nothing if there is no function of this name.
// Throws FormulaError: wrong number of arguments, wrong shape, wrong dimension. (`if` is not here: it looks at its
// branches only after its condition.)
std::optional<Value> call_function(const std::string& name, const std::vector<Value>& arguments, Location where);

// b - a in ramp(x, a, b) and its like, which must be positive, and the sentence where it is not; nothing for other functions.
std::optional<std::pair<Expression, std::string>> required_length(const std::string& name,
                                                                  const std::vector<Value>& arguments);

// The dimension of a sum, comparison or choice of two values: equal where both are known.
// verb: "adds", "compares", for the message.
std::optional<Dimension> common_dimension(const Value& a, const Value& b, const char* verb, Location where);

Value power_of(const Value& base, const Value& exponent, Location where);
std::optional<Dimension> product_dimension(const Value& a, const Value& b);
void require_scalar(const Value& value, const std::string& what, Location where);
void require_number(const Value& value, Location where);  // not a condition

}  // namespace armature::internal
