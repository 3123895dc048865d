// Writes the code of one program. Values live in vector registers; where these run out, the value whose next use is
// farthest away gives way (Belady's rule) and goes to memory. On one lane, the four members of a pack share a register: the
// first of them can be used there by itself, the others are found in memory.
#pragma once

#include <asmjit/x86.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "expression/called_functions.hpp"
#include "expression/machine_code.hpp"
#include "expression/straight_line.hpp"

namespace armature::internal {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

class X86Code {
 public:
  // wide: for AVX-512, else for AVX2
  X86Code(const Program& program, int lanes, bool wide)
      : program_(program),
        line_(program, lanes == 1),
        wide_(wide),
        lanes_(lanes),
        width_(std::min(lanes, wide_ ? 8 : 4)),
        calls_(line_, width_),
        work_entries_(calls_.entries()) {}

  std::shared_ptr<const MachineCode> finish(
      const std::shared_ptr<asmjit::JitRuntime>& runtime);  // null: it could not be written

 private:
  enum class Base { none, in, out, work, constants, common };  // common: one number for all lanes
  struct Place {                                               // in memory: entry of an array
    Base base = Base::none;
    int entry = 0;
  };
  static constexpr int never = std::numeric_limits<int>::max();

  // where things are

  void place_constants();
  Place constant(double number);
  void find_uses();
  void place_calls();
  int reserve() { return work_entries_++; }

  // the function

  void write_function();
  void enter();
  void leave();
  void write_calls(const std::vector<FunctionCall>& calls);
  void copy_argument(int value, int entry);
  void address(const x86::Gp& target, int entry) { a_.lea(target, x86::ptr(x86::r13, offset(entry))); }

  void write_call(const FunctionCall& call);
  void copy_outputs();

  // one value

  void write_value(int index);
  void write_pair(int index, asmjit::InstId instruction, bool commutes);
  template <class Write>
  void write_single(int index, Write write);
  void write_select(int index);
  // sum = branch where w equals the number, after prepare() has made sum.
  template <class Prepare, class Branch>
  void choose(const x86::Vec& w, Place number, Prepare prepare, const x86::Vec& sum, const x86::Vec& mask,
              Branch branch);

  // packs: x86_packs.cpp

  // An operand of all members: the members of another pack, one value for all of them, or any values.
  struct PackOperand {
    StraightLine::Members values{};
    bool is_pack = false, is_one = false;
  };

  PackOperand pack_operand(int index, bool second) const;
  void write_pack(int index);
  bool can_broadcast(int value) const { return wide_ && home_[value].base != Base::none; }  // while it is read

  int gather(const PackOperand& operand, int r);
  void gather_two(int first, int second, int r);
  bool is_zero(int value) const;
  void settle_pack(int index, int r);
  void store_member(Place place, int r, int k);
  void store_pack(int index, int r);
  void end_pack(int pack);
  x86::Mem pack_memory(int pack) const;
  const StraightLine::Members& members_of(int index) const { return line_.packs[line_.pack_of[index]]; }
  bool has_packs() const { return !line_.packs.empty(); }
  bool has_wide_registers() const { return width_ > 2 || has_packs(); }
  bool is_pack(int value) const { return line_.pack_of[value] >= 0 && line_.unit(value) == value; }

  // registers: x86_registers.cpp

  int bring(int value, int keep1, int keep2);
  int free_register(int keep1, int keep2);
  void evict(int r);
  int work_entry();
  void consume(int value);
  void free_ended_entries();
  void settle(int value, int r);
  int uses_left(int value) const { return static_cast<int>(uses_[value].size()) - next_[value]; }
  int next_use(int value) const { return uses_left(value) > 0 ? uses_[value][next_[value]] : never; }
  bool is_arithmetic(int value) const;

  // instructions

  x86::Vec vec(int r) const;
  int stride(Base base) const { return base == Base::in || base == Base::out ? lanes_ : width_; }
  int offset(int entry) const { return entry * width_ * static_cast<int>(sizeof(double)); }

  x86::Mem memory(Place place) const;
  x86::Mem sign_memory() const;
  void load(int r, Place place);
  bool is_operand(Place place) const {
    return place.base != Base::common || wide_ || width_ == 1;
  }  // of arithmetic, in memory
  void store(Place place, int r) { emit(width_ == 1 ? Inst::kIdVmovsd : Inst::kIdVmovupd, memory(place), vec(r)); }

  template <class... Operands>
  void emit(asmjit::InstId instruction, const Operands&... operands);
  // Values that an operation uses, each as often as it does.
  template <class Visit>
  void for_uses(int index, Visit visit) const;

  const Program& program_;
  StraightLine line_;
  bool wide_;
  int lanes_, width_;
  CalledFunctions calls_;
  int work_entries_;  // of the work memory, each of width_ numbers
  bool has_select_ = false, failed_ = false;
  asmjit::CodeHolder code_;
  x86::Assembler a_;

  std::vector<double> constants_;
  Place one_, zero_, sign_;
  std::vector<Place> home_;             // of every value that is in memory
  std::vector<std::vector<int>> uses_;  // positions, of every value
  std::vector<int> next_;               // how many of them are over
  std::vector<bool> stored_;            // used after a call
  std::vector<std::vector<int>> outputs_;
  int position_ = 0;
  int usable_ = 0, scratch_ = 0, copy_ = 0;         // registers: 0 … usable-1 hold values
  std::vector<int> registers_, register_of_;        // what a register holds, and the other way round; -1: nothing
  std::vector<bool> spilled_;                       // went to an entry of the work memory …
  std::vector<int> free_entries_, ending_entries_;  // … which is used again
  std::vector<int> pack_entry_;                     // first of four, of packs in memory; -1: none
  std::vector<int> free_pack_entries_, ending_pack_entries_;
};

template <class... Operands>
void X86Code::emit(asmjit::InstId instruction, const Operands&... operands) {
  if (a_.emit(instruction, operands...)) failed_ = true;
}

template <class Visit>
void X86Code::for_uses(int index, Visit visit) const {
  if (!is_pack(index)) return line_.for_operands(index, visit);
  for (const bool second : {false, true}) {
    const PackOperand operand = pack_operand(index, second);
    if (operand.is_pack || operand.is_one)
      visit(operand.values[0]);
    else
      for (int value : operand.values) visit(value);
  }
}

}  // namespace armature::internal
