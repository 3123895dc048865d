#include "gpu/cuda.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "model/request_error.hpp"

namespace armature::internal {

namespace {

// The first library of these names that is there; null: none.
void* open_library(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

// Finds functions by their names, until one is missing.
class Symbols {
 public:
  Symbols(void* library, std::string& missing) : library_(library), missing_(missing) {}

  template <class Call>
  Symbols& operator()(Call*& call, const char* name) {
    void* symbol = library_ ? ::dlsym(library_, name) : nullptr;
    call = reinterpret_cast<Call*>(symbol);
    if (library_ && !symbol && missing_.empty()) missing_ = fmt::format("it has no function {}", name);
    return *this;
  }

 private:
  void* library_;
  std::string& missing_;
};

// By the loader's own paths, then where the toolkit is usually installed.
std::vector<std::string> compiler_names() {
  std::vector<std::string> names;
  for (const char* version : {"", ".13", ".12"}) names.push_back(fmt::format("libnvrtc.so{}", version));
  std::vector<std::string> folders;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* folder = std::getenv(variable)) folders.emplace_back(folder);
  folders.emplace_back("/usr/local/cuda");
  for (const std::string& folder : folders)
    for (const char* part : {"lib64", "lib"}) names.push_back(fmt::format("{}/{}/libnvrtc.so", folder, part));
  return names;
}

}  // namespace

CudaDriver::CudaDriver() {
  void* library = open_library({"libcuda.so.1"});
  Symbols find(library, missing);
  find(init, "cuInit")(driver_version, "cuDriverGetVersion")(device_count, "cuDeviceGetCount")(device, "cuDeviceGet");
  find(device_name, "cuDeviceGetName")(device_attribute, "cuDeviceGetAttribute")(device_memory, "cuDeviceTotalMem_v2");
  find(retain_context, "cuDevicePrimaryCtxRetain")(release_context, "cuDevicePrimaryCtxRelease_v2");
  find(set_context, "cuCtxSetCurrent")(synchronize, "cuCtxSynchronize");
  find(load_module, "cuModuleLoadData")(unload_module, "cuModuleUnload")(function, "cuModuleGetFunction");
  find(global, "cuModuleGetGlobal_v2")(blocks_at_once, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  find(allocate, "cuMemAlloc_v2")(free, "cuMemFree_v2")(fill, "cuMemsetD8_v2");
  find(put, "cuMemcpyHtoD_v2")(get, "cuMemcpyDtoH_v2")(launch, "cuLaunchKernel")(error_text, "cuGetErrorString");
  if (!library) missing = "there is no NVIDIA driver (libcuda.so.1 was not found)";
  if (!missing.empty()) return;
  if (const cuda::Result result = init(0))
    missing = fmt::format("the NVIDIA driver does not start: {}", sentence(result));
}

std::string CudaDriver::sentence(cuda::Result result) const {
  const char* text = nullptr;
  error_text(result, &text);
  return text ? text : fmt::format("error {}", result);
}

void CudaDriver::check(cuda::Result result, const char* call) const {
  if (result) throw ComputationError(fmt::format("the card failed: {} ({})", sentence(result), call));
}

CudaCompiler::CudaCompiler() {
  void* library = open_library(compiler_names());
  Symbols find(library, missing);
  find(get_version, "nvrtcVersion")(create, "nvrtcCreateProgram")(destroy, "nvrtcDestroyProgram");
  find(compile, "nvrtcCompileProgram")(log_size, "nvrtcGetProgramLogSize")(log, "nvrtcGetProgramLog");
  find(binary_size, "nvrtcGetCUBINSize")(binary, "nvrtcGetCUBIN");
  if (library) ask = reinterpret_cast<decltype(ask)>(::dlsym(library, "nvrtcSetFlowCallback"));
  if (!library) missing = "there is no run-time compiler of CUDA (libnvrtc.so was not found)";
}

std::string CudaCompiler::version() const {
  int major = 0, minor = 0;
  get_version(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

const CudaDriver& cuda_driver() {
  static const CudaDriver driver;
  return driver;
}

const CudaCompiler& cuda_compiler() {
  static const CudaCompiler compiler;
  return compiler;
}

}  // namespace armature::internal
