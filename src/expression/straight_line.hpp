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

namespace armature::internal {

struct StraightLine {
  // with_packs: the program's packs stay together.
  explicit StraightLine(const Program& program, bool with_packs = false);

  struct Value {
    Op op;  // constant, input, or an operation
    int a = -1, b = -1,
        c = -1;         // values; of an input: its index; of a table: b is the table, c the order of derivative
    double number = 0;  // of a constant
    int stage = 0;
  };
  struct Block {
    std::vector<int> calls;       // values to be got from functions before …
    std::vector<int> arithmetic;  // … these values, in order; the first member of a pack stands for all
  };
  using Members = std::array<int, pack_width>;  // values of one kind of operation, none of which needs another

  std::vector<Value> values;
  std::vector<Block> blocks;
  std::vector<int> outputs;  // values
  std::vector<Members> packs;
  std::vector<int> pack_of;  // of every value; -1: it is computed by itself

  static bool is_call(Op op);  // a function that is called, not an instruction

  // The value that stands for this one in the order of computation.
  int unit(int value) const { return pack_of[value] < 0 ? value : packs[pack_of[value]].front(); }
  // The units that a unit waits for, some of them more than once.
  template <class Visit>
  void for_operands_of_unit(int unit, Visit visit) const {
    if (pack_of[unit] < 0) return for_operands(unit, [&](int operand) { visit(this->unit(operand)); });
    for (int member : packs[pack_of[unit]]) for_operands(member, [&](int operand) { visit(this->unit(operand)); });
  }
  template <class Visit>
  void for_operands(int value, Visit visit) const {
    const int operands[] = {values[value].a, values[value].b, values[value].c};
    for (int k = 0; k < operand_count(values[value].op); ++k) visit(operands[k]);
  }

 private:
  void take_packs(const Program& program);
  std::vector<int> units_in_order() const;  // operands first; fewer than there are if some wait for themselves
  void find_stages(const std::vector<int>& units);
};

}  // namespace armature::internal
