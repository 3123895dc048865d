// The part of NVIDIA's driver and of its run-time compiler that Armature calls, opened on demand: the same program also runs
// where neither is installed, and reports what is missing. The declarations are ours; names and numbers are those of CUDA's documentation.
#pragma once

#include <cstddef>
#include <string>

namespace armature::internal {

namespace cuda {

using Result = int;  // 0: success
using Device = int;
using Context = struct ContextType*;
using Module = struct ModuleType*;
using Function = struct FunctionType*;
using Pointer = unsigned long long;  // on the card
using Unit = struct UnitType*;       // of NVRTC

enum Attribute { multiprocessors = 16, major_capability = 75, minor_capability = 76 };

}  // namespace cuda

// libcuda.so.1, which comes with the driver.
struct CudaDriver {
  CudaDriver();
  bool found() const { return missing.empty(); }
  std::string missing;                                      // why it cannot be used; empty: it can
  void check(cuda::Result result, const char* call) const;  // throws ComputationError
  std::string sentence(cuda::Result result) const;

  cuda::Result (*init)(unsigned flags);
  cuda::Result (*driver_version)(int* version);
  cuda::Result (*device_count)(int* count);
  cuda::Result (*device)(cuda::Device* device, int ordinal);
  cuda::Result (*device_name)(char* name, int size, cuda::Device device);
  cuda::Result (*device_attribute)(int* value, int attribute, cuda::Device device);
  cuda::Result (*device_memory)(std::size_t* bytes, cuda::Device device);
  cuda::Result (*retain_context)(cuda::Context* context, cuda::Device device);
  cuda::Result (*release_context)(cuda::Device device);
  cuda::Result (*set_context)(cuda::Context context);
  cuda::Result (*synchronize)();
  cuda::Result (*load_module)(cuda::Module* module, const void* image);
  cuda::Result (*unload_module)(cuda::Module module);
  cuda::Result (*function)(cuda::Function* function, cuda::Module module, const char* name);
  cuda::Result (*global)(cuda::Pointer* pointer, std::size_t* bytes, cuda::Module module, const char* name);
  cuda::Result (*blocks_at_once)(int* blocks, cuda::Function function, int block_size, std::size_t shared_bytes);
  cuda::Result (*allocate)(cuda::Pointer* pointer, std::size_t bytes);
  cuda::Result (*free)(cuda::Pointer pointer);
  cuda::Result (*fill)(cuda::Pointer pointer, unsigned char value, std::size_t bytes);
  cuda::Result (*put)(cuda::Pointer to, const void* from, std::size_t bytes);
  cuda::Result (*get)(void* to, cuda::Pointer from, std::size_t bytes);
  cuda::Result (*launch)(cuda::Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                         unsigned block_y, unsigned block_z, unsigned shared_bytes, void* stream, void** arguments,
                         void** extra);
  cuda::Result (*error_text)(cuda::Result result, const char** text);
};

// libnvrtc.so, which comes with the toolkit.
struct CudaCompiler {
  CudaCompiler();
  bool found() const { return missing.empty(); }
  std::string missing;
  std::string version() const;  // "13.0"

  cuda::Result (*get_version)(int* major, int* minor);
  cuda::Result (*create)(cuda::Unit* unit, const char* source, const char* name, int headers, const char* const* texts,
                         const char* const* names);
  cuda::Result (*destroy)(cuda::Unit* unit);
  cuda::Result (*compile)(cuda::Unit unit, int count, const char* const* options);
  cuda::Result (*log_size)(cuda::Unit unit, std::size_t* bytes);
  cuda::Result (*log)(cuda::Unit unit, char* text);
  cuda::Result (*binary_size)(cuda::Unit unit, std::size_t* bytes);
  cuda::Result (*binary)(cuda::Unit unit, char* bytes);
  // Lets it ask, while it compiles, whether it shall stop (1); null in versions before 12.9.
  cuda::Result (*ask)(cuda::Unit unit, int (*is_stopped)(void* payload, void*), void* payload) = nullptr;
};

// Opened once.
const CudaDriver& cuda_driver();
const CudaCompiler& cuda_compiler();

}  // namespace armature::internal
