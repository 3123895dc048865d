#ifdef ARMATURE_ASMJIT

#include "expression/x86_code.hpp"

#include "expression/batch.hpp"
#include "expression/elementary.hpp"
#include "expression/interruption.hpp"

namespace armature::internal {

namespace {

// y = table(x), for one table and order of derivative.
void table_batch(const Table* table, long derivative, const double* x, double* y, long n) {
  for (long i = 0; i < n; ++i) y[i] = table->evaluate(x[i], static_cast<int>(derivative));
}

}  // namespace

std::shared_ptr<const MachineCode> X86Code::finish(const std::shared_ptr<asmjit::JitRuntime>& runtime) {
  if (code_.init(runtime->environment())) return nullptr;
  code_.attach(&a_);
  stop_if_interrupted();
  // where every value lives, and where it is used
  place_constants();
  find_uses();
  stop_if_interrupted();
  place_calls();
  write_function();
  // the code and what it reads: tables, and constants at an address that vector instructions can load from
  std::shared_ptr<MachineCode> result(new MachineCode);
  if (failed_ || runtime->add(&result->function_, &code_)) return nullptr;
  result->memory_ = {reinterpret_cast<void*>(result->function_), [runtime](void* code) { runtime->release(code); }};
  result->lanes_ = lanes_, result->width_ = width_;
  result->work_size_ = work_entries_ * width_;
  result->tables_ = program_.tables();
  constants_.resize(constants_.size() + 8);  // room to align
  result->constant_memory_ = std::move(constants_);
  const auto start = reinterpret_cast<std::uintptr_t>(result->constant_memory_.data());
  const std::size_t shift = (64 - start % 64) % 64 / sizeof(double);
  std::rotate(result->constant_memory_.begin(), result->constant_memory_.end() - shift, result->constant_memory_.end());
  result->constants_ = result->constant_memory_.data() + shift;
  return result;
}

void X86Code::place_constants() {
  home_.assign(line_.values.size(), {});
  for (std::size_t i = 0; i < line_.values.size(); ++i) {
    const StraightLine::Value& value = line_.values[i];
    const int common = program_.common_count();
    if (value.op == Op::input)
      home_[i] = value.a < common ? Place{Base::common, value.a} : Place{Base::in, value.a - common};
    if (value.op == Op::constant) home_[i] = constant(value.number);
  }
  one_ = constant(1.0);
  zero_ = constant(0.0);
  sign_ = constant(-0.0);
  constant(-0.0);  // an instruction that flips the sign of one number reads two
}

X86Code::Place X86Code::constant(double number) {
  constants_.insert(constants_.end(), width_, number);
  return {Base::constants, static_cast<int>(constants_.size()) / width_ - 1};
}

// Positions at which each value is used by arithmetic, in order; values used by calls or after them go to memory.
void X86Code::find_uses() {
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
void X86Code::place_calls() {
  for (const StraightLine::Block& block : line_.blocks)
    for (int value : block.calls) home_[value] = {Base::work, calls_.result_entry(value)};
}

void X86Code::write_function() {
  // all registers are free but a few: three for select and packs, one for copies
  registers_.assign(wide_ ? 32 : 16, -1);
  scratch_ = static_cast<int>(registers_.size()) - 3;
  usable_ = has_select_ || has_packs() ? scratch_ : static_cast<int>(registers_.size()) - 1;
  copy_ = static_cast<int>(registers_.size()) - 1;
  register_of_.assign(line_.values.size(), -1);
  next_.assign(line_.values.size(), 0);
  spilled_.assign(line_.values.size(), false);
  pack_entry_.assign(line_.packs.size(), -1);
  // stage by stage: calls of functions, then arithmetic
  enter();
  for (std::size_t stage = 0; stage < line_.blocks.size(); ++stage) {
    if (stage > 0) write_calls(calls_.of_stage(stage));
    for (int value : line_.blocks[stage].arithmetic) {
      if (position_ % 4096 == 0) stop_if_interrupted();
      write_value(value), ++position_;
    }
  }
  copy_outputs();
  leave();
}

// The five arguments stay in registers that calls preserve.
void X86Code::enter() {
  for (const x86::Gp& r : {x86::rbx, x86::r12, x86::r13, x86::r14, x86::r15}) a_.push(r);
  a_.mov(x86::rbx, x86::rdi);
  a_.mov(x86::r12, x86::rsi);
  a_.mov(x86::r13, x86::rdx);
  a_.mov(x86::r14, x86::rcx);
  a_.mov(x86::r15, x86::r8);
}

void X86Code::leave() {
  if (has_wide_registers()) a_.vzeroupper();
  for (const x86::Gp& r : {x86::r15, x86::r14, x86::r13, x86::r12, x86::rbx}) a_.pop(r);
  a_.ret();
}

// Inputs, constants and called values that are arguments or outputs are copied; arithmetic stores its own.
void X86Code::write_calls(const std::vector<FunctionCall>& calls) {
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

void X86Code::copy_argument(int value, int entry) {
  if (is_arithmetic(value)) return;
  load(copy_, home_[value]);
  store({Base::work, entry}, copy_);
}

void X86Code::write_call(const FunctionCall& call) {
  // arguments in the order of the calling convention: pointers to arrays, then their length
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

void X86Code::copy_outputs() {
  for (std::size_t k = 0; k < line_.outputs.size(); ++k) {
    const int value = line_.outputs[k];
    if (is_arithmetic(value)) continue;
    load(copy_, home_[value]);
    store({Base::out, static_cast<int>(k)}, copy_);
  }
}

void X86Code::write_value(int index) {
  if (is_pack(index)) return write_pack(index);
  const StraightLine::Value& value = line_.values[index];
  // Scalar or packed, by the width of a value. What is no instruction is a call, which is written elsewhere.
  switch (value.op) {
    case Op::add: write_pair(index, width_ == 1 ? Inst::kIdVaddsd : Inst::kIdVaddpd, true); break;
    case Op::mul: write_pair(index, width_ == 1 ? Inst::kIdVmulsd : Inst::kIdVmulpd, true); break;
    case Op::sub: write_pair(index, width_ == 1 ? Inst::kIdVsubsd : Inst::kIdVsubpd, false); break;
    case Op::div: write_pair(index, width_ == 1 ? Inst::kIdVdivsd : Inst::kIdVdivpd, false); break;
    case Op::kept_above: write_pair(index, width_ == 1 ? Inst::kIdVmaxsd : Inst::kIdVmaxpd, false); break;
    case Op::kept_below: write_pair(index, width_ == 1 ? Inst::kIdVminsd : Inst::kIdVminpd, false); break;
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
    case Op::select: write_select(index); break;
    default: failed_ = true;
  }
}

void X86Code::write_pair(int index, asmjit::InstId instruction, bool commutes) {
  int a = line_.values[index].a, b = line_.values[index].b;
  if (commutes && register_of_[a] < 0 && (register_of_[b] >= 0 || uses_left(a) <= 1)) std::swap(a, b);
  const int ra = bring(a, a, b);
  int rb = register_of_[b];
  const bool worth_a_register = uses_left(b) > (a == b ? 2 : 1);
  if (rb < 0 && (worth_a_register || !is_operand(home_[b]))) rb = bring(b, a, b);
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
void X86Code::write_single(int index, Write write) {
  const int a = line_.values[index].a;
  const int ra = bring(a, a, a);
  consume(a);
  const int y = free_register(-1, -1);
  write(vec(y), vec(ra));
  settle(index, y);
}

// y = w == 1 ? a : w == 0 ? b : w a + (1-w) b
void X86Code::write_select(int index) {
  const StraightLine::Value value = line_.values[index];
  const x86::Vec sum = vec(scratch_), part = vec(scratch_ + 1), mask = vec(scratch_ + 2);
  const bool one = width_ == 1;
  // part = (1-w) b
  load(scratch_, one_);
  const x86::Vec w = vec(bring(value.a, value.a, value.b));
  emit(one ? Inst::kIdVsubsd : Inst::kIdVsubpd, part, sum, w);
  const x86::Vec b = vec(bring(value.c, value.a, value.c));
  emit(one ? Inst::kIdVmulsd : Inst::kIdVmulpd, part, part, b);
  // sum = w a + part, then b where w is 0
  choose(
      w, zero_,
      [&] {
        const x86::Vec a = vec(bring(value.b, value.a, value.b));
        emit(one ? Inst::kIdVmulsd : Inst::kIdVmulpd, sum, w, a);
        emit(one ? Inst::kIdVaddsd : Inst::kIdVaddpd, sum, sum, part);
      },
      sum, mask, [&] { return vec(bring(value.c, value.a, value.c)); });
  // and a where w is 1
  choose(
      w, one_, [] {}, sum, mask, [&] { return vec(bring(value.b, value.a, value.b)); });
  consume(value.a), consume(value.b), consume(value.c);
  const int y = free_register(-1, -1);
  emit(Inst::kIdVmovapd, vec(y), sum);
  settle(index, y);
}

template <class Prepare, class Branch>
void X86Code::choose(const x86::Vec& w, Place number, Prepare prepare, const x86::Vec& sum, const x86::Vec& mask,
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

x86::Vec X86Code::vec(int r) const {
  if (width_ == 8) return x86::zmm(r);
  if (width_ == 4) return x86::ymm(r);
  return x86::xmm(r);
}

void X86Code::load(int r, Place place) {
  const bool spread = place.base == Base::common && width_ > 1;
  const asmjit::InstId whole = width_ == 1 ? Inst::kIdVmovsd : Inst::kIdVmovupd;
  const asmjit::InstId each = width_ == 2 ? Inst::kIdVmovddup : Inst::kIdVbroadcastsd;
  if (spread)
    emit(each, vec(r), x86::ptr(x86::r15, place.entry * lane_count * static_cast<int>(sizeof(double)), sizeof(double)));
  else
    emit(whole, vec(r), memory(place));
}

x86::Mem X86Code::memory(Place place) const {
  const x86::Gp base = place.base == Base::in     ? x86::rbx
                       : place.base == Base::out  ? x86::r12
                       : place.base == Base::work ? x86::r13
                                                  : x86::r14;
  const int bytes = static_cast<int>(sizeof(double));
  if (place.base == Base::common) {
    const x86::Mem one = x86::ptr(x86::r15, place.entry * lane_count * bytes, bytes);
    return width_ == 8 ? one._1to8() : width_ == 4 ? one._1to4() : width_ == 2 ? one._1to2() : one;
  }
  return x86::ptr(base, place.entry * stride(place.base) * bytes, width_ * bytes);
}

x86::Mem X86Code::sign_memory() const {
  x86::Mem mask = memory(sign_);
  if (width_ == 1) mask.setSize(16);
  return mask;
}

}  // namespace armature::internal

#endif
