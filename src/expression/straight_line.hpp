// A program as straight-line code: each value is computed once, in an order that keeps few values alive at a time (a value
// comes soon before its first use, but not so soon that it is waited for), cut into blocks by the calls of functions that are not plain arithmetic.
//
//   block 0 │ calls of stage 1, many arguments at once │ block 1 │ calls of stage 2 │ block 2 …
//
// A value's stage is the largest number of calls on a path from the inputs to it. Machine code and exported C are written
// from this form.
#pragma once

#include <vector>

#include "expression/program.hpp"

namespace armature {

struct StraightLine {
  explicit StraightLine(const Program& program);

  struct Value {
    Op op;  // constant, input, or an operation
    int a = -1, b = -1,
        c = -1;         // values; of an input: its index; of a table: b is the table, c the order of derivative
    double number = 0;  // of a constant
    int stage = 0;
  };
  struct Block {
    std::vector<int> calls;       // values to be got from functions before …
    std::vector<int> arithmetic;  // … these values, in order
  };

  std::vector<Value> values;
  std::vector<Block> blocks;
  std::vector<int> outputs;  // values

  static bool is_call(Op op);  // a function that is called, not an instruction
};

}  // namespace armature
