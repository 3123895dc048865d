// The syntax tree of a formula as the user wrote it, with the place of every part, and dimensions where units say so.
//
//   0.2/sqrt(3)    30 deg    9.81 m/s^2    platform.P1.x    if(x > 0 and v < 1, -F, 0)    norm2(A' - [1, 0, 0])
//
// Numbers may carry a unit, which converts them to SI; a bare number fits any dimension.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace armature::internal {

struct Location {
  int line = 0;    // 1-based; 0: not from a file
  int column = 0;  // 1-based
  int file = 0;    // 0: the model's own; else the place of a file that it uses in a list, from 1 (model/used_file.hpp)
  bool operator==(const Location&) const = default;
};

// Exponents of kg, m, s, A, K. An angle has no dimension.
struct Dimension {
  std::array<int, 5> exponent{};
  bool operator==(const Dimension&) const = default;
};
std::string to_string(const Dimension& dimension);  // "kg m^2/s^2", "1"

struct Syntax {
  enum class Kind {
    number,
    name,
    list,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    call,
    prime,
    component,
    element,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    logical_not
  };
  Kind kind = Kind::number;
  double value = 0;                    // of a number, SI
  std::optional<Dimension> dimension;  // of a number with a unit
  std::string name;  // of a name (dots included: "platform.P1.x"), a call, a component ("x"), or a list
  std::string text;  // of a comparison and of a call: as written
  std::vector<std::shared_ptr<const Syntax>> children;
  Location where;
};

struct Formula {
  std::string text;  // as written; empty: not given
  Location where;
  std::shared_ptr<const Syntax> root;  // null: not given
  bool given() const { return root != nullptr; }
};

// A sentence about a formula, with the place it stands at.
struct FormulaError : std::runtime_error {
  FormulaError(Location where, const std::string& message) : std::runtime_error(message), where(where) {}
  Location where;
};

// The name of an element of a list, "lengths[2]"; the first has the index 1.
std::string element_name(const std::string& list, long index);

// Throws FormulaError.
Formula parse_formula(std::string_view text, Location where);
Formula number_formula(double value);

}  // namespace armature::internal
