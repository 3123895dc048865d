// What the outputs of a program can be while time passes: from ranges of its inputs, and of their rates, over a span of time,
// ranges of the outputs and of their rates. Automatic differentiation along time, in arithmetic of ranges: every operation
// gives its value in the middle of the span, the range of its values and the range of its rates, and what it can be lies also in
//
//   value in the middle +- half the span * largest |rate|,
//
// which is tight where differences of large numbers are not. (Moore, Methods and Applications of Interval Analysis, 1979.)
#pragma once

#include <vector>

#include "expression/program.hpp"
#include "expression/range.hpp"

namespace armature::internal {

struct Enclosure {
  double middle = 0;  // value in the middle of the span
  Range value, rate;  // rate: by the unit in which spans are measured

  static Enclosure point(double x) { return {x, Range::point(x), {}}; }
};

// A program with its own memory, for one thread.
class EnclosureEvaluator {
 public:
  EnclosureEvaluator() = default;
  explicit EnclosureEvaluator(const Program& program);  // kept by reference

  Enclosure& input(int i) { return slots_[static_cast<std::size_t>(i)]; }  // stays until set again
  void run(double half_span);
  const Enclosure& output(int i) const {
    return slots_[static_cast<std::size_t>(program_->output_slots()[static_cast<std::size_t>(i)])];
  }

 private:
  Enclosure apply(Op op, const Program::Operation& operation) const;
  double round_off(Op op, const Program::Operation& operation) const;

  const Program* program_ = nullptr;
  std::vector<Enclosure> slots_;
};

}  // namespace armature::internal
