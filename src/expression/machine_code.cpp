#include "expression/machine_code.hpp"

#include <atomic>

namespace armature::internal {

namespace {

std::atomic<bool> allowed = true;

}  // namespace

void allow_machine_code(bool value) { allowed = value; }
bool machine_code_allowed() { return allowed; }

}  // namespace armature::internal

#ifndef ARMATURE_ASMJIT

namespace armature::internal {

std::shared_ptr<const MachineCode> MachineCode::translate(const Program&, int) { return nullptr; }

}  // namespace armature::internal

#else

#include "expression/x86_code.hpp"

namespace armature::internal {

namespace {

constexpr int largest_program =
    400000;  // operations; beyond it the code does not fit the caches, and loading takes long

// Owned by its code, too: programs that live until the end of the process give their code back after other statics are gone.
const std::shared_ptr<asmjit::JitRuntime>& runtime() {
  static const auto instance = std::make_shared<asmjit::JitRuntime>();
  return instance;
}

enum class Registers { avx2, avx512, none };

Registers available_registers() {
  const auto& features = asmjit::CpuInfo::host().features().x86();
  if (features.hasAVX512_F() && features.hasAVX512_VL() && features.hasAVX512_DQ()) return Registers::avx512;
  return features.hasAVX2() ? Registers::avx2 : Registers::none;
}

}  // namespace

std::shared_ptr<const MachineCode> MachineCode::translate(const Program& program, int lanes) {
  const Registers registers = available_registers();
  if (!machine_code_allowed() || registers == Registers::none || program.operation_count() > largest_program)
    return nullptr;
  return X86Code(program, lanes, registers == Registers::avx512).finish(runtime());
}

}  // namespace armature::internal

#endif
