#include "gpu/compiled_code.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "gpu/cuda.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 40;  // compiled units, of about half a megabyte

// No contraction and no flushing of small numbers: the bits of the processor. A quick compilation leaves out the optimizations that take
// longest, where the compiler can (12.8 and later).
std::vector<std::string> options_for(const CudaCompiler& compiler, const std::string& architecture, Compilation compilation) {
  std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--fmad=false", "--ftz=false", "--prec-div=true",
                                      "--prec-sqrt=true", "--std=c++20", "--device-as-default-execution-space",
                                      "--disable-warnings"};
  int major = 0, minor = 0;
  compiler.get_version(&major, &minor);
  if (compilation == Compilation::quick && 100 * major + minor >= 1208) options.emplace_back("--Ofast-compile=min");
  return options;
}

// FNV-1a, twice from different beginnings.
std::string name_of_content(const std::string& text) {
  std::uint64_t hash[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
  for (std::uint64_t& h : hash)
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}{:016x}.cubin", hash[0], hash[1]);
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The oldest go. Whatever cannot be done is left.
void drop_oldest(const fs::path& cache) {
  std::error_code ignored;
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  for (const auto& entry : fs::directory_iterator(cache, ignored))
    if (entry.path().extension() == ".cubin") files.emplace_back(entry.last_write_time(ignored), entry.path());
  std::sort(files.begin(), files.end());
  for (std::size_t k = 0; k + most_kept < files.size(); ++k) fs::remove(files[k].second, ignored);
}

// Appears whole or not at all.
void keep(const fs::path& file, const std::string& code) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const fs::path draft = fmt::format("{}.{}", file.string(), ::getpid());
  std::ofstream out(draft, std::ios::binary);
  out << code;
  out.close();
  if (out) fs::rename(draft, file, ignored);
  fs::remove(draft, ignored);
  drop_oldest(file.parent_path());
}

std::string compile_unit(const CudaCompiler& compiler, const std::string& unit, const std::vector<std::string>& options) {
  cuda::Unit program = nullptr;
  compiler.create(&program, unit.c_str(), "motions.cu", 0, nullptr, nullptr);
  std::vector<const char*> words;
  for (const std::string& option : options) words.push_back(option.c_str());
  const cuda::Result result = compiler.compile(program, static_cast<int>(words.size()), words.data());
  std::size_t size = 0;
  if (result) {
    compiler.log_size(program, &size);
    std::string log(size, '\0');
    compiler.log(program, log.data());
    compiler.destroy(&program);
    throw ComputationError(fmt::format("the code for the card does not compile:\n{}", log.substr(0, 2000)));
  }
  compiler.binary_size(program, &size);
  std::string code(size, '\0');
  compiler.binary(program, code.data());
  compiler.destroy(&program);
  return code;
}

}  // namespace

fs::path code_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return fs::path(cache) / "armature";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "armature";
  return {};
}

void require_compiler() {
  if (const CudaCompiler& compiler = cuda_compiler(); !compiler.found())
    throw RequestError("gpu", fmt::format("{}: install NVIDIA's CUDA toolkit, or set CUDA_HOME", compiler.missing));
}

std::string compiled_code(const std::string& unit, const std::string& architecture, Compilation compilation,
                          const fs::path& cache) {
  require_compiler();
  const CudaCompiler& compiler = cuda_compiler();
  const std::vector<std::string> options = options_for(compiler, architecture, compilation);
  std::string content = compiler.version() + "\n";
  for (const std::string& option : options) content += option + "\n";
  const fs::path file = cache / name_of_content(content + unit);
  if (!cache.empty())
    if (std::string code = content_of(file); !code.empty()) return code;
  std::string code = compile_unit(compiler, unit, options);
  if (!cache.empty()) keep(file, code);
  return code;
}

}  // namespace armature::internal
