// What the outputs of a program can be while time passes (step/enclosure.hpp): from ranges of its inputs, and of their rates, over a
// span of time.
#pragma once

#include <vector>

#include "expression/program.hpp"
#include "expression/range.hpp"
#include "step/enclosure.hpp"

namespace armature::internal {

using step::Enclosure;

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

 protected:
  Enclosure apply(Op op, const Program::Operation& operation) const;  // not closed yet

  const Program* program_ = nullptr;
  std::vector<Enclosure> slots_;

 private:
  double operand_sizes(Op op, const Program::Operation& operation) const;
};

}  // namespace armature::internal
