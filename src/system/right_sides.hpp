// Arithmetic on numbers of all right sides, one of each: what is done to one of them is done to all. Signs and zeros, which
// the graph would take out of one and not of another, stay operations where the first right side has one in their place.
#pragma once

#include <vector>

#include "expression/pack.hpp"

namespace armature::internal {

class RightSides {
 public:
  using Number = std::vector<Expression>;  // one per right side

  RightSides(std::size_t sides, std::vector<Pack>& packs) : sides_(sides), packs_(packs) {}

  Number zero() const { return Number(sides_, 0.0); }
  Number times(Expression factor, Number x);
  Number plus(const Number& x, Number y);
  Number minus(const Number& x, Number y);
  static void make_alike(Number& x);
  static bool is_zero(const Number& x);

 private:
  Number noted(Number x);

  std::size_t sides_;
  std::vector<Pack>& packs_;
};

}  // namespace armature::internal
