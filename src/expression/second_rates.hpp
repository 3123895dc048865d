// How fast the rates of a program's outputs can change: from ranges of its inputs, of their rates and of their second rates, those of what
// is computed from them. Second derivatives along time, in arithmetic of ranges; values and rates as in expression/enclosure.hpp.
//
// Sums, products, quotients, roots, sines and cosines have bounds here. Of other functions the second rate may be everything, unless what they
// are computed from stays as it is.
#pragma once

#include "expression/enclosure.hpp"

namespace armature::internal {

class SecondRates : public EnclosureEvaluator {
 public:
  explicit SecondRates(const Program& program);  // kept by reference

  struct Moving {
    Range value, rate, second;
  };
  void set(int input, const Moving& x);
  void run();
  double largest(int output) const;  // |second rate|

 private:
  Range second_of(Op op, const Program::Operation& operation, const Enclosure& result) const;
  const Enclosure& at(std::int32_t slot) const { return slots_[static_cast<std::size_t>(slot)]; }
  const Range& second(std::int32_t slot) const { return seconds_[static_cast<std::size_t>(slot)]; }
  bool rests(std::int32_t slot) const;

  std::vector<Range> seconds_;  // of each slot
};

}  // namespace armature::internal
