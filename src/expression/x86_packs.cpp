#ifdef ARMATURE_ASMJIT

#include <cmath>

#include "expression/x86_code.hpp"

namespace armature::internal {

X86Code::PackOperand X86Code::pack_operand(int index, bool second) const {
  PackOperand operand;
  const StraightLine::Members& members = members_of(index);
  for (int k = 0; k < pack_width; ++k) {
    const StraightLine::Value& value = line_.values[members[k]];
    operand.values[k] = second ? value.b : value.a;
  }
  const int first = operand.values[0];
  operand.is_one = operand.values == StraightLine::Members{first, first, first, first};
  operand.is_pack = is_pack(first) && members_of(first) == operand.values;
  return operand;
}

void X86Code::write_pack(int index) {
  const Op op = line_.values[index].op;
  PackOperand a = pack_operand(index, false), b = pack_operand(index, true);
  if (op != Op::sub && !a.is_pack) std::swap(a, b);
  const int keep_a = a.is_pack ? a.values[0] : -1, keep_b = b.is_pack ? b.values[0] : -1;
  if (a.is_pack) bring(keep_a, keep_a, keep_b);
  if (b.is_pack && uses_left(keep_b) > (keep_a == keep_b ? 2 : 1)) bring(keep_b, keep_a, keep_b);  // worth a register
  const int ra = a.is_pack ? register_of_[keep_a] : gather(a, scratch_);
  const bool in_memory = b.is_pack ? register_of_[keep_b] < 0 : b.is_one && can_broadcast(b.values[0]);
  const x86::Mem memory_b = !in_memory  ? x86::Mem()
                            : b.is_pack ? pack_memory(line_.pack_of[keep_b])
                                        : memory(home_[b.values[0]])._1to4();
  const int rb = in_memory ? -1 : b.is_pack ? register_of_[keep_b] : gather(b, scratch_ + 1);
  for_uses(index, [&](int operand) { consume(operand); });
  const int y = free_register(-1, -1);
  const asmjit::InstId instruction = op == Op::add   ? Inst::kIdVaddpd
                                     : op == Op::sub ? Inst::kIdVsubpd
                                                     : Inst::kIdVmulpd;
  if (in_memory)
    emit(instruction, x86::ymm(y), x86::ymm(ra), memory_b);
  else
    emit(instruction, x86::ymm(y), x86::ymm(ra), x86::ymm(rb));
  settle_pack(index, y);
}

// All four numbers to register r; the last register helps.
int X86Code::gather(const PackOperand& operand, int r) {
  const StraightLine::Members& v = operand.values;
  const int first = register_of_[v[0]];
  if (operand.is_one) {
    if (first >= 0)
      emit(Inst::kIdVbroadcastsd, x86::ymm(r), x86::xmm(first));
    else
      emit(Inst::kIdVbroadcastsd, x86::ymm(r), memory(home_[v[0]]));
  } else if (is_zero(v[1]) && is_zero(v[2]) && is_zero(v[3])) {
    if (first >= 0)
      emit(Inst::kIdVmovq, x86::xmm(r), x86::xmm(first));
    else
      load(r, home_[v[0]]);  // and zeros
  } else {
    gather_two(v[0], v[1], r);
    gather_two(v[2], v[3], copy_);
    emit(wide_ ? Inst::kIdVinsertf64x2 : Inst::kIdVinsertf128, x86::ymm(r), x86::ymm(r), x86::xmm(copy_),
         asmjit::Imm(1));
  }
  return r;
}

void X86Code::gather_two(int first, int second, int r) {
  int low = register_of_[first];
  if (low < 0) load(low = r, home_[first]);
  if (register_of_[second] >= 0)
    emit(Inst::kIdVunpcklpd, x86::xmm(r), x86::xmm(low), x86::xmm(register_of_[second]));
  else
    emit(Inst::kIdVmovhpd, x86::xmm(r), x86::xmm(low), memory(home_[second]));
}

bool X86Code::is_zero(int value) const {
  const StraightLine::Value& v = line_.values[value];
  return v.op == Op::constant && v.number == 0 && !std::signbit(v.number);
}

// Members that are used by themselves go to memory, but the first.
void X86Code::settle_pack(int index, int r) {
  free_ended_entries();
  const StraightLine::Members& members = members_of(index);
  bool to_memory = stored_[index];
  // Members that are outputs or arguments of calls go where they are wanted.
  for (int k = 0; k < pack_width; ++k) {
    const int member = members[k];
    for (int output : outputs_[member]) {
      home_[member] = {Base::out, output};
      store_member(home_[member], r, k);
    }
    for (int entry : calls_.argument_entries(member)) {
      store_member({Base::work, entry}, r, k);
      if (home_[member].base == Base::none) home_[member] = {Base::work, entry};
    }
    to_memory |= k > 0 && uses_left(member) > 0 && home_[member].base == Base::none;
  }
  if (to_memory) store_pack(index, r);
  // The pack stays in its register while it is used.
  if (uses_left(index) == 0) return;
  registers_[r] = index;
  register_of_[index] = r;
}

void X86Code::store_member(Place place, int r, int k) {
  int half = r;
  if (k > 1)
    emit(wide_ ? Inst::kIdVextractf64x2 : Inst::kIdVextractf128, x86::xmm(half = copy_), x86::ymm(r), asmjit::Imm(1));
  emit(k % 2 == 0 ? Inst::kIdVmovsd : Inst::kIdVmovhpd, memory(place), x86::xmm(half));
}

void X86Code::store_pack(int index, int r) {
  int& entry = pack_entry_[line_.pack_of[index]];
  if (free_pack_entries_.empty()) {
    entry = work_entries_ = (work_entries_ + pack_width - 1) / pack_width * pack_width;
    work_entries_ += pack_width;
  } else {
    entry = free_pack_entries_.back();
    free_pack_entries_.pop_back();
  }
  emit(Inst::kIdVmovupd, pack_memory(line_.pack_of[index]), x86::ymm(r));
  for (int k = 0; k < pack_width; ++k)
    if (Place& home = home_[members_of(index)[k]]; home.base == Base::none) home = {Base::work, entry + k};
}

void X86Code::end_pack(int pack) {
  if (pack_entry_[pack] < 0) return;
  for (int member : line_.packs[pack])
    if (uses_left(member) > 0) return;
  ending_pack_entries_.push_back(pack_entry_[pack]);
  pack_entry_[pack] = -1;
}

x86::Mem X86Code::pack_memory(int pack) const {
  const int bytes = static_cast<int>(sizeof(double));
  return x86::ptr(x86::r13, pack_entry_[pack] * bytes, pack_width * bytes);
}

}  // namespace armature::internal

#endif
