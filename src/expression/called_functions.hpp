// Where the functions that a straight-line program calls find their arguments and leave their results. One call serves all
// equal functions of a stage: its arguments lie in an array of the work memory, its results in another. sin and cos of one
// argument are got together.
#pragma once

#include <vector>

#include "expression/straight_line.hpp"

namespace armature::internal {

struct FunctionCall {
  Op op = Op::sin;                                             // sin stands for sin and cos
  int table = -1, derivative = 0;                              // of Op::table
  std::vector<int> arguments, second;                          // values; second: of functions of two
  int first_argument = 0, first_second = 0, first_result = 0;  // entries of the work memory; cosines follow the sines
  int entries =
      0;  // of each array: filled up where the function takes eight numbers at once, so that none is left over
};

class CalledFunctions {
 public:
  // width: numbers in an entry of the work memory.
  CalledFunctions(const StraightLine& line, int width);

  const std::vector<FunctionCall>& of_stage(std::size_t stage) const { return calls_[stage]; }
  const std::vector<int>& argument_entries(int value) const { return argument_entries_[value]; }  // where it is wanted
  int result_entry(int value) const { return result_entry_[value]; }                              // of a called value
  int entries() const { return entries_; }  // of the work memory, all together

 private:
  void place(FunctionCall& call, int width);
  int reserve(int entries);

  std::vector<std::vector<FunctionCall>> calls_;
  std::vector<std::vector<int>> argument_entries_;
  std::vector<int> result_entry_;
  int entries_ = 0;
};

}  // namespace armature::internal
