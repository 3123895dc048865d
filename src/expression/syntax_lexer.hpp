// The words of a formula: numbers, (dotted) names and symbols, each with its place in the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/syntax.hpp"

namespace armature::internal {

struct Token {
  enum class Kind { number, name, symbol, end } kind = Kind::end;
  std::string text;  // "&&", "||" and "!" are spelled and, or, not; these three are symbols
  double value = 0;  // of a number
  int begin = 0, end = 0;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

// Throws FormulaError. The last token is of kind end.
std::vector<Token> tokenize(std::string_view text, Location where);

}  // namespace armature::internal
