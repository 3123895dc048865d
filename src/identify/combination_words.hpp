// A direction in which unknowns can move together without any effect, in words: what the data determine of them all the same.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "identify/information.hpp"

namespace armature::internal {

// An unknown with a change c along the direction, relative to its size: it moves by c size.
struct CombinedUnknown {
  std::string name;
  double change = 0, size = 1;
  bool is_parameter = true;  // else a start value or an offset, which makes no products
};

// exact: no signal changes at all; else the data say little. parameters: with which factors of a sum may be named.
std::string combination_sentence(const std::vector<CombinedUnknown>& unknowns, bool exact,
                                 const std::vector<std::pair<std::string, double>>& parameters);

std::string words_of(
    const Estimate& estimate);  // "m2", "start of theta1", "offset of theta1", "start of theta1 (experiment 2)"

}  // namespace armature::internal
