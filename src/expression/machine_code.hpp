// A program as machine code for x86-64, made when it is first worth it: one state in scalar registers, or vectors of
// 4 (AVX2) or 8 (AVX-512) lanes. The same operations in the same precision as the interpreter: the same bits.
#pragma once

#include <memory>
#include <vector>

#include "expression/program.hpp"

namespace armature::internal {

class MachineCode {
 public:
  // For the given number of lanes (1, 2, 4, 8, 16). Null where this machine, this build or the user does not want it, or
  // where the program is so large that the interpreter is as fast.
  static std::shared_ptr<const MachineCode> translate(const Program& program, int lanes);
  MachineCode(const MachineCode&) = delete;
  MachineCode& operator=(const MachineCode&) = delete;

  // in, out, common as Program::evaluate_lanes takes them; work: work_size() numbers, zero before the first call.
  void operator()(const double* in, double* out, double* work, const double* common = nullptr) const {
    for (int first = 0; first < lanes_; first += width_) function_(in + first, out + first, work, constants_, common);
  }
  std::size_t work_size() const { return work_size_; }

 private:
  friend class X86Code;
  MachineCode() = default;
  using Function = void (*)(const double* in, double* out, double* work, const double* constants, const double* common);

  std::shared_ptr<void> memory_;  // of the code; keeps its allocator, whichever static is destroyed first
  Function function_ = nullptr;
  int lanes_ = 1, width_ = 1;
  std::size_t work_size_ = 0;
  std::vector<double> constant_memory_;
  const double* constants_ = nullptr;  // aligned to a cache line, each repeated for every lane
  std::vector<std::shared_ptr<const Table>> tables_;
};

// Whether programs may be translated at all, in the whole process; true at the start. For comparison and for debugging.
void allow_machine_code(bool allowed);
bool machine_code_allowed();

}  // namespace armature::internal
