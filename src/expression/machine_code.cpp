#include "expression/machine_code.hpp"

#include <atomic>

namespace armature {

namespace {

std::atomic<bool> allowed = true;

}  // namespace

void allow_machine_code(bool value) { allowed = value; }
bool machine_code_allowed() { return allowed; }

}  // namespace armature

#ifndef ARMATURE_ASMJIT

namespace armature {

std::shared_ptr<const MachineCode> MachineCode::assemble(const Program&, int) { return nullptr; }
MachineCode::~MachineCode() = default;

}  // namespace armature

#else

#include <asmjit/x86.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "expression/batch.hpp"
#include "expression/called_functions.hpp"
#include "expression/elementary.hpp"
#include "expression/straight_line.hpp"

namespace armature {

namespace x86 = asmjit::x86;
namespace Inst = x86::Inst;

namespace {

constexpr int largest_program =
    400000;  // operations; beyond it the code does not fit the caches, and loading takes long

// Never destroyed: programs that live until the end of the process give their code back after other statics are gone.
asmjit::JitRuntime& runtime() {
  static auto& instance = *new asmjit::JitRuntime;
  return instance;
}

enum class Registers { avx2, avx512, none };

Registers available_registers() {
  const auto& features = asmjit::CpuInfo::host().features().x86();
  if (features.hasAVX512_F() && features.hasAVX512_VL() && features.hasAVX512_DQ()) return Registers::avx512;
  return features.hasAVX2() ? Registers::avx2 : Registers::none;
}

// y = table(x), for one table and order of derivative.
void table_batch(const Table* table, long derivative, const double* x, double* y, long n) {
  for (long i = 0; i < n; ++i) y[i] = table->evaluate(x[i], static_cast<int>(derivative));
}

}  // namespace

// Writes the code of one program. Values live in vector registers; where these run out, the value whose next use is
// farthest away gives way (Belady's rule) and goes to memory. On one lane, the four members of a pack share a register: the
// first of them can be used there by itself, the others are found in memory.
class Assembly {
 public:
  Assembly(const Program& program, int lanes, Registers registers)
      : program_(program),
        line_(program, lanes == 1),
        wide_(registers == Registers::avx512),
        lanes_(lanes),
        width_(std::min(lanes, wide_ ? 8 : 4)),
        calls_(line_, width_),
        work_entries_(calls_.entries()) {}

  std::shared_ptr<const MachineCode> finish() {
    if (code_.init(runtime().environment())) return nullptr;
    code_.attach(&a_);
    place_constants();
    find_uses();
    place_calls();
    write_function();
    std::shared_ptr<MachineCode> result(new MachineCode);
    if (failed_ || runtime().add(&result->function_, &code_)) return nullptr;
    result->lanes_ = lanes_, result->width_ = width_;
    result->work_size_ = work_entries_ * width_;
    result->tables_ = program_.tables();
    constants_.resize(constants_.size() + 8);  // room to align
    result->constant_memory_ = std::move(constants_);
    const auto start = reinterpret_cast<std::uintptr_t>(result->constant_memory_.data());
    const std::size_t shift = (64 - start % 64) % 64 / sizeof(double);
    std::rotate(result->constant_memory_.begin(), result->constant_memory_.end() - shift,
                result->constant_memory_.end());
    result->constants_ = result->constant_memory_.data() + shift;
    return result;
  }

 private:
  enum class Base { none, in, out, work, constants };
  struct Place {  // in memory: entry of an array
    Base base = Base::none;
    int entry = 0;
  };
  static constexpr int never = std::numeric_limits<int>::max();

  // ---- where things are -------------------------------------------------------------------------------------------

  void place_constants() {
    home_.assign(line_.values.size(), {});
    for (std::size_t i = 0; i < line_.values.size(); ++i) {
      const StraightLine::Value& value = line_.values[i];
      if (value.op == Op::input) home_[i] = {Base::in, value.a};
      if (value.op == Op::constant) home_[i] = constant(value.number);
    }
    one_ = constant(1.0);
    zero_ = constant(0.0);
    sign_ = constant(-0.0);
    constant(-0.0);  // an instruction that flips the sign of one number reads two
  }

  Place constant(double number) {
    constants_.insert(constants_.end(), width_, number);
    return {Base::constants, static_cast<int>(constants_.size()) / width_ - 1};
  }

  // Positions at which each value is used by arithmetic, in order; values used by calls or after them go to memory.
  void find_uses() {
    const std::size_t n = line_.values.size();
    uses_.assign(n, {});
    stored_.assign(n, false);
    int position = 0;
    for (const StraightLine::Block& block : line_.blocks)
      for (int value : block.arithmetic) {
        for_uses(value, [&](int operand) {
          uses_[operand].push_back(position);
          if (line_.values[operand].stage != line_.values[value].stage) stored_[operand] = true;
        });
        ++position;
      }
    for (std::size_t i = 0; i < n; ++i) has_select_ |= line_.values[i].op == Op::select;
    outputs_.assign(n, {});
    for (std::size_t k = 0; k < line_.outputs.size(); ++k) outputs_[line_.outputs[k]].push_back(static_cast<int>(k));
  }

  // Results of calls lie where the calls leave them.
  void place_calls() {
    for (std::size_t stage = 0; stage < line_.blocks.size(); ++stage)
      for (int value : line_.blocks[stage].calls) home_[value] = {Base::work, calls_.result_entry(value)};
  }

  int reserve() { return work_entries_++; }

  // ---- the function -----------------------------------------------------------------------------------------------

  void write_function() {
    registers_.assign(wide_ ? 32 : 16, -1);
    scratch_ = static_cast<int>(registers_.size()) - 3;
    usable_ = has_select_ || has_packs() ? scratch_ : static_cast<int>(registers_.size()) - 1;
    copy_ = static_cast<int>(registers_.size()) - 1;
    register_of_.assign(line_.values.size(), -1);
    next_.assign(line_.values.size(), 0);
    spilled_.assign(line_.values.size(), false);
    pack_entry_.assign(line_.packs.size(), -1);
    enter();
    for (std::size_t stage = 0; stage < line_.blocks.size(); ++stage) {
      if (stage > 0) write_calls(calls_.of_stage(stage));
      for (int value : line_.blocks[stage].arithmetic) write_value(value), ++position_;
    }
    copy_outputs();
    leave();
  }

  // The four arguments stay in registers that calls preserve.
  void enter() {
    for (const x86::Gp& r : {x86::rbx, x86::r12, x86::r13, x86::r14}) a_.push(r);
    a_.sub(x86::rsp, 8);
    a_.mov(x86::rbx, x86::rdi);
    a_.mov(x86::r12, x86::rsi);
    a_.mov(x86::r13, x86::rdx);
    a_.mov(x86::r14, x86::rcx);
  }

  void leave() {
    if (has_wide_registers()) a_.vzeroupper();
    a_.add(x86::rsp, 8);
    for (const x86::Gp& r : {x86::r14, x86::r13, x86::r12, x86::rbx}) a_.pop(r);
    a_.ret();
  }

  // Inputs, constants and called values that are arguments or outputs are copied; arithmetic stores its own.
  void write_calls(const std::vector<FunctionCall>& calls) {
    for (const FunctionCall& call : calls) {
      for (std::size_t k = 0; k < call.arguments.size(); ++k) {
        copy_argument(call.arguments[k], call.first_argument + static_cast<int>(k));
        if (!call.second.empty()) copy_argument(call.second[k], call.first_second + static_cast<int>(k));
      }
    }
    if (has_wide_registers()) a_.vzeroupper();
    for (const FunctionCall& call : calls) write_call(call);
    for (int& held : registers_) {
      if (held >= 0) register_of_[held] = -1;
      held = -1;
    }
  }

  void copy_argument(int value, int entry) {
    if (is_arithmetic(value)) return;
    load(copy_, home_[value]);
    store({Base::work, entry}, copy_);
  }

  void address(const x86::Gp& target, int entry) { a_.lea(target, x86::ptr(x86::r13, offset(entry))); }

  void write_call(const FunctionCall& call) {
    std::uintptr_t function = 0;
    if (call.op == Op::sin) {
      address(x86::rdi, call.first_argument);
      address(x86::rsi, call.first_result);
      address(x86::rdx, call.first_result + call.entries);
      a_.mov(x86::rcx, call.entries * width_);
      function = reinterpret_cast<std::uintptr_t>(&elementary::sin_cos);
    } else if (call.op == Op::table) {
      a_.mov(x86::rdi, reinterpret_cast<std::uintptr_t>(program_.tables()[call.table].get()));
      a_.mov(x86::rsi, call.derivative);
      address(x86::rdx, call.first_argument);
      address(x86::rcx, call.first_result);
      a_.mov(x86::r8, call.entries * width_);
      function = reinterpret_cast<std::uintptr_t>(&table_batch);
    } else if (!call.second.empty()) {
      address(x86::rdi, call.first_argument);
      address(x86::rsi, call.first_second);
      address(x86::rdx, call.first_result);
      a_.mov(x86::rcx, call.entries * width_);
      function = reinterpret_cast<std::uintptr_t>(binary_batch(call.op));
    } else {
      address(x86::rdi, call.first_argument);
      address(x86::rsi, call.first_result);
      a_.mov(x86::rdx, call.entries * width_);
      function = reinterpret_cast<std::uintptr_t>(unary_batch(call.op));
    }
    a_.mov(x86::rax, function);
    a_.call(x86::rax);
  }

  void copy_outputs() {
    for (std::size_t k = 0; k < line_.outputs.size(); ++k) {
      const int value = line_.outputs[k];
      if (is_arithmetic(value)) continue;
      load(copy_, home_[value]);
      store({Base::out, static_cast<int>(k)}, copy_);
    }
  }

  // ---- one value --------------------------------------------------------------------------------------------------

  void write_value(int index) {
    if (is_pack(index)) return write_pack(index);
    const StraightLine::Value& value = line_.values[index];
    switch (value.op) {
      case Op::add: write_pair(index, width_ == 1 ? Inst::kIdVaddsd : Inst::kIdVaddpd, true); break;
      case Op::mul: write_pair(index, width_ == 1 ? Inst::kIdVmulsd : Inst::kIdVmulpd, true); break;
      case Op::sub: write_pair(index, width_ == 1 ? Inst::kIdVsubsd : Inst::kIdVsubpd, false); break;
      case Op::div: write_pair(index, width_ == 1 ? Inst::kIdVdivsd : Inst::kIdVdivpd, false); break;
      case Op::neg:
        write_single(index,
                     [&](auto y, auto x) { emit(wide_ ? Inst::kIdVpxorq : Inst::kIdVxorpd, y, x, sign_memory()); });
        break;
      case Op::sqrt:
        write_single(index, [&](auto y, auto x) {
          if (width_ == 1)
            emit(Inst::kIdVsqrtsd, y, x, x);
          else
            emit(Inst::kIdVsqrtpd, y, x);
        });
        break;
      case Op::floor: write_single(index, [&](auto y, auto x) { write_floor(y, x); }); break;
      case Op::select: write_select(index); break;
      default: failed_ = true;
    }
  }

  void write_floor(const x86::Vec& y, const x86::Vec& x) {
    const asmjit::Imm down(9);  // towards minus infinity, no exception
    if (width_ == 1)
      emit(wide_ ? Inst::kIdVrndscalesd : Inst::kIdVroundsd, y, x, x, down);
    else
      emit(wide_ ? Inst::kIdVrndscalepd : Inst::kIdVroundpd, y, x, down);
  }

  void write_pair(int index, asmjit::InstId instruction, bool commutes) {
    int a = line_.values[index].a, b = line_.values[index].b;
    if (commutes && register_of_[a] < 0 && (register_of_[b] >= 0 || uses_left(a) <= 1)) std::swap(a, b);
    const int ra = bring(a, a, b);
    int rb = register_of_[b];
    if (rb < 0 && uses_left(b) > (a == b ? 2 : 1)) rb = bring(b, a, b);  // worth a register
    const Place in_memory = home_[b];
    consume(a), consume(b);
    const int y = free_register(-1, -1);  // may be an operand's: it is stored first if still needed
    if (rb >= 0)
      emit(instruction, vec(y), vec(ra), vec(rb));
    else
      emit(instruction, vec(y), vec(ra), memory(in_memory));
    settle(index, y);
  }

  template <class Write>
  void write_single(int index, Write write) {
    const int a = line_.values[index].a;
    const int ra = bring(a, a, a);
    consume(a);
    const int y = free_register(-1, -1);
    write(vec(y), vec(ra));
    settle(index, y);
  }

  // y = w == 1 ? a : w == 0 ? b : w a + (1-w) b
  void write_select(int index) {
    const StraightLine::Value value = line_.values[index];
    const x86::Vec sum = vec(scratch_), part = vec(scratch_ + 1), mask = vec(scratch_ + 2);
    const bool one = width_ == 1;
    load(scratch_, one_);
    const x86::Vec w = vec(bring(value.a, value.a, value.b));
    emit(one ? Inst::kIdVsubsd : Inst::kIdVsubpd, part, sum, w);
    const x86::Vec b = vec(bring(value.c, value.a, value.c));
    emit(one ? Inst::kIdVmulsd : Inst::kIdVmulpd, part, part, b);
    choose(
        w, zero_,
        [&] {
          const x86::Vec a = vec(bring(value.b, value.a, value.b));
          emit(one ? Inst::kIdVmulsd : Inst::kIdVmulpd, sum, w, a);
          emit(one ? Inst::kIdVaddsd : Inst::kIdVaddpd, sum, sum, part);
        },
        sum, mask, [&] { return vec(bring(value.c, value.a, value.c)); });
    choose(
        w, one_, [] {}, sum, mask, [&] { return vec(bring(value.b, value.a, value.b)); });
    consume(value.a), consume(value.b), consume(value.c);
    const int y = free_register(-1, -1);
    emit(Inst::kIdVmovapd, vec(y), sum);
    settle(index, y);
  }

  // sum = branch where w equals the number, after prepare() has made sum.
  template <class Prepare, class Branch>
  void choose(const x86::Vec& w, Place number, Prepare prepare, const x86::Vec& sum, const x86::Vec& mask,
              Branch branch) {
    prepare();
    const x86::Vec chosen = branch();
    const asmjit::Imm equal(0);
    if (wide_) {
      emit(width_ == 1 ? Inst::kIdVcmpsd : Inst::kIdVcmppd, x86::k1, w, memory(number), equal);
      a_.k(x86::k1);
      emit(Inst::kIdVblendmpd, sum, sum, chosen);
    } else {
      emit(width_ == 1 ? Inst::kIdVcmpsd : Inst::kIdVcmppd, mask, w, memory(number), equal);
      emit(Inst::kIdVblendvpd, sum, sum, chosen, mask);
    }
  }

  // ---- packs ------------------------------------------------------------------------------------------------------

  // An operand of all members: the members of another pack, one value for all of them, or any values.
  struct PackOperand {
    StraightLine::Members values{};
    bool is_pack = false, is_one = false;
  };

  PackOperand pack_operand(int index, bool second) const {
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

  void write_pack(int index) {
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

  bool can_broadcast(int value) const { return wide_ && home_[value].base != Base::none; }  // while it is read

  // All four numbers to register r; the last register helps.
  int gather(const PackOperand& operand, int r) {
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

  void gather_two(int first, int second, int r) {
    int low = register_of_[first];
    if (low < 0) load(low = r, home_[first]);
    if (register_of_[second] >= 0)
      emit(Inst::kIdVunpcklpd, x86::xmm(r), x86::xmm(low), x86::xmm(register_of_[second]));
    else
      emit(Inst::kIdVmovhpd, x86::xmm(r), x86::xmm(low), memory(home_[second]));
  }

  bool is_zero(int value) const {
    const StraightLine::Value& v = line_.values[value];
    return v.op == Op::constant && v.number == 0 && !std::signbit(v.number);
  }

  // Members that are used by themselves go to memory, but the first.
  void settle_pack(int index, int r) {
    free_ended_entries();
    const StraightLine::Members& members = members_of(index);
    bool to_memory = stored_[index];
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
    if (uses_left(index) == 0) return;
    registers_[r] = index;
    register_of_[index] = r;
  }

  void store_member(Place place, int r, int k) {
    int half = r;
    if (k > 1)
      emit(wide_ ? Inst::kIdVextractf64x2 : Inst::kIdVextractf128, x86::xmm(half = copy_), x86::ymm(r), asmjit::Imm(1));
    emit(k % 2 == 0 ? Inst::kIdVmovsd : Inst::kIdVmovhpd, memory(place), x86::xmm(half));
  }

  void store_pack(int index, int r) {
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

  void end_pack(int pack) {
    if (pack_entry_[pack] < 0) return;
    for (int member : line_.packs[pack])
      if (uses_left(member) > 0) return;
    ending_pack_entries_.push_back(pack_entry_[pack]);
    pack_entry_[pack] = -1;
  }

  x86::Mem pack_memory(int pack) const {
    const int bytes = static_cast<int>(sizeof(double));
    return x86::ptr(x86::r13, pack_entry_[pack] * bytes, pack_width * bytes);
  }

  const StraightLine::Members& members_of(int index) const { return line_.packs[line_.pack_of[index]]; }
  bool has_packs() const { return !line_.packs.empty(); }
  bool has_wide_registers() const { return width_ > 2 || has_packs(); }
  bool is_pack(int value) const { return line_.pack_of[value] >= 0 && line_.unit(value) == value; }

  // ---- registers --------------------------------------------------------------------------------------------------

  // The value, or the pack it stands for, in a register; neither of the two kept values gives way for it.
  int bring(int value, int keep1, int keep2) {
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

  int free_register(int keep1, int keep2) {
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

  void evict(int r) {
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

  int work_entry() {
    if (free_entries_.empty()) return reserve();
    const int entry = free_entries_.back();
    free_entries_.pop_back();
    return entry;
  }

  // One use of a value is over; after its last the register is free at once (an instruction may write where it reads),
  // its memory only after the instruction.
  void consume(int value) {
    ++next_[value];
    if (uses_left(value) > 0) return;
    if (register_of_[value] >= 0) registers_[register_of_[value]] = -1;
    register_of_[value] = -1;
    if (spilled_[value]) ending_entries_.push_back(home_[value].entry);
    if (line_.pack_of[value] >= 0) end_pack(line_.pack_of[value]);
  }

  void free_ended_entries() {
    free_entries_.insert(free_entries_.end(), ending_entries_.begin(), ending_entries_.end());
    free_pack_entries_.insert(free_pack_entries_.end(), ending_pack_entries_.begin(), ending_pack_entries_.end());
    ending_entries_.clear();
    ending_pack_entries_.clear();
  }

  // After a value is computed: to its register, to the outputs, arguments and memory that want it.
  void settle(int value, int r) {
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

  int uses_left(int value) const { return static_cast<int>(uses_[value].size()) - next_[value]; }
  int next_use(int value) const { return uses_left(value) > 0 ? uses_[value][next_[value]] : never; }
  bool is_arithmetic(int value) const {
    const Op op = line_.values[value].op;
    return operand_count(op) > 0 && !StraightLine::is_call(op);
  }

  // ---- instructions -----------------------------------------------------------------------------------------------

  x86::Vec vec(int r) const {
    if (width_ == 8) return x86::zmm(r);
    if (width_ == 4) return x86::ymm(r);
    return x86::xmm(r);
  }

  int stride(Base base) const { return base == Base::in || base == Base::out ? lanes_ : width_; }
  int offset(int entry) const { return entry * width_ * static_cast<int>(sizeof(double)); }

  x86::Mem memory(Place place) const {
    const x86::Gp base = place.base == Base::in     ? x86::rbx
                         : place.base == Base::out  ? x86::r12
                         : place.base == Base::work ? x86::r13
                                                    : x86::r14;
    const int bytes = static_cast<int>(sizeof(double));
    return x86::ptr(base, place.entry * stride(place.base) * bytes, width_ * bytes);
  }
  x86::Mem sign_memory() const {
    x86::Mem mask = memory(sign_);
    if (width_ == 1) mask.setSize(16);
    return mask;
  }

  void load(int r, Place place) { emit(width_ == 1 ? Inst::kIdVmovsd : Inst::kIdVmovupd, vec(r), memory(place)); }
  void store(Place place, int r) { emit(width_ == 1 ? Inst::kIdVmovsd : Inst::kIdVmovupd, memory(place), vec(r)); }

  template <class... Operands>
  void emit(asmjit::InstId instruction, const Operands&... operands) {
    if (a_.emit(instruction, operands...)) failed_ = true;
  }

  // Values that an operation uses, each as often as it does.
  template <class Visit>
  void for_uses(int index, Visit visit) const {
    if (!is_pack(index)) return line_.for_operands(index, visit);
    for (const bool second : {false, true}) {
      const PackOperand operand = pack_operand(index, second);
      if (operand.is_pack || operand.is_one)
        visit(operand.values[0]);
      else
        for (int value : operand.values) visit(value);
    }
  }

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

std::shared_ptr<const MachineCode> MachineCode::assemble(const Program& program, int lanes) {
  const Registers registers = available_registers();
  if (!machine_code_allowed() || registers == Registers::none || program.operation_count() > largest_program)
    return nullptr;
  return Assembly(program, lanes, registers).finish();
}

MachineCode::~MachineCode() {
  if (function_) runtime().release(function_);
}

}  // namespace armature

#endif
