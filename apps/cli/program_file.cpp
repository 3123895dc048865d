#include "program_file.hpp"

#include "errors.hpp"

namespace armature::internal::cli {

std::filesystem::path this_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw ComputationError("the program cannot find its own file (/proc/self/exe)");
  return program;
}

}  // namespace armature::internal::cli
