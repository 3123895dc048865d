#ifdef ARMATURE_ASMJIT

#include "expression/x86_code.hpp"

namespace armature::internal {

// The value, or the pack it stands for, in a register; neither of the two kept values gives way for it.
int X86Code::bring(int value, int keep1, int keep2) {
  if (register_of_[value] >= 0) return register_of_[value];
  const int r = free_register(keep1, keep2);
  if (is_pack(value))
    emit(Inst::kIdVmovupd, x86::ymm(r), pack_memory(line_.pack_of[value]));
  else
    load(r, home_[value]);
  registers_[r] = value;
  register_of_[value] = r;
  return r;
}

int X86Code::free_register(int keep1, int keep2) {
  int victim = -1, farthest = -1;
  for (int r = 0; r < usable_; ++r) {
    if (registers_[r] < 0) return r;
    if (registers_[r] == keep1 || registers_[r] == keep2) continue;
    const int next = next_use(registers_[r]);
    if (next > farthest) farthest = next, victim = r;
  }
  evict(victim);
  return victim;
}

void X86Code::evict(int r) {
  const int value = registers_[r];
  if (is_pack(value)) {
    if (pack_entry_[line_.pack_of[value]] < 0) store_pack(value, r);
  } else if (home_[value].base == Base::none) {
    home_[value] = {Base::work, work_entry()};
    spilled_[value] = true;
    store(home_[value], r);
  }
  register_of_[value] = -1;
  registers_[r] = -1;
}

int X86Code::work_entry() {
  if (free_entries_.empty()) return reserve();
  const int entry = free_entries_.back();
  free_entries_.pop_back();
  return entry;
}

// One use of a value is over; after its last the register is free at once (an instruction may write where it reads),
// its memory only after the instruction.
void X86Code::consume(int value) {
  ++next_[value];
  if (uses_left(value) > 0) return;
  if (register_of_[value] >= 0) registers_[register_of_[value]] = -1;
  register_of_[value] = -1;
  if (spilled_[value]) ending_entries_.push_back(home_[value].entry);
  if (line_.pack_of[value] >= 0) end_pack(line_.pack_of[value]);
}

void X86Code::free_ended_entries() {
  free_entries_.insert(free_entries_.end(), ending_entries_.begin(), ending_entries_.end());
  free_pack_entries_.insert(free_pack_entries_.end(), ending_pack_entries_.begin(), ending_pack_entries_.end());
  ending_entries_.clear();
  ending_pack_entries_.clear();
}

// After a value is computed: to its register, to the outputs, arguments and memory that want it.
void X86Code::settle(int value, int r) {
  free_ended_entries();
  for (int k : outputs_[value]) {
    store({Base::out, k}, r);
    home_[value] = {Base::out, k};
  }
  for (int entry : calls_.argument_entries(value)) {
    store({Base::work, entry}, r);
    if (home_[value].base == Base::none) home_[value] = {Base::work, entry};
  }
  if (stored_[value] && home_[value].base == Base::none) {
    home_[value] = {Base::work, reserve()};
    store(home_[value], r);
  }
  if (uses_left(value) == 0) return;
  registers_[r] = value;
  register_of_[value] = r;
}

bool X86Code::is_arithmetic(int value) const {
  const Op op = line_.values[value].op;
  return operand_count(op) > 0 && !StraightLine::is_call(op);
}

}  // namespace armature::internal

#endif
