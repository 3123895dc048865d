// Lowering: from the syntax tree of a formula to expressions, with the names of a scope.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "expression/graph.hpp"
#include "expression/syntax.hpp"

namespace armature::internal {

// A scalar (one expression) or a vector (several), with its dimension where it is known.
struct Value {
  std::vector<Expression> parts;
  std::optional<Dimension> dimension;
  bool is_condition = false;      // a comparison: 1 where it holds, else 0
  bool mixes_dimensions = false;  // a list whose entries differ in dimension; `dimension` is then not known
  Value() = default;
  Value(Expression x) : parts{x} {}  // NOLINT: a scalar is a value
  explicit Value(std::vector<Expression> parts) : parts(std::move(parts)) {}
  bool is_scalar() const { return parts.size() == 1; }
};

struct Scope {
  // The value of a (dotted) name, or nothing if there is none.
  std::function<std::optional<Value>(const std::string& name)> look_up;
  // The total time derivative, for x'; empty where none exists (then x' is an error).
  std::function<Expression(Expression)> rate;
  // A named one-variable function (a table of the file), or nothing.
  std::function<std::optional<Expression>(const std::string& name, Expression x)> function;
  // Hears of what must be positive and is no number yet, such as b - a in ramp(x, a, b), with what is wrong where it is not; may be empty.
  std::function<void(Expression value, Location where, const std::string& sentence)> require_positive;
  // "line 12", for names of comparisons; empty: lines are those of the model's own file.
  std::function<std::string(Location where)> line_in_words;
  // Names for "did you mean …?".
  std::function<std::vector<std::string>()> names;
};

// Throws FormulaError: unknown names (did you mean …?), wrong shapes, wrong dimensions, unknown functions.
Value lower(const Formula& formula, const Scope& scope);
Expression lower_scalar(const Formula& formula, const Scope& scope, std::optional<Dimension> expected = {});
std::array<Expression, 3> lower_vector(const Formula& formula, const Scope& scope,
                                       std::optional<Dimension> expected = {});

// Names that formulas know without any scope: functions and constants.
const std::vector<std::string>& built_in_functions();
bool is_built_in(const std::string& name);

// The nearest of some names by edit distance, if one is near enough; for "did you mean …?".
std::optional<std::string> nearest_name(const std::string& name, const std::vector<std::string>& names);

}  // namespace armature::internal
