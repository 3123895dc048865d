#include "expression/program_inputs.hpp"

namespace armature::internal {

// Slots of inputs are never used again for results.
std::vector<bool> inputs_read(const Program& program) {
  std::vector<bool> read(static_cast<std::size_t>(program.work_size()), false);
  std::size_t at = 0;
  for (const Program::Run& run : program.runs())
    for (int k = 0; k < run.count; ++k) {
      const Program::Operation& operation = program.operations()[at++];
      const std::int32_t operands[] = {operation.a, operation.b, operation.c};
      for (int i = 0; i < operand_count(run.op); ++i) read[static_cast<std::size_t>(operands[i])] = true;
    }
  for (const std::int32_t slot : program.output_slots()) read[static_cast<std::size_t>(slot)] = true;
  read.resize(static_cast<std::size_t>(program.input_count()));
  return read;
}

}  // namespace armature::internal
