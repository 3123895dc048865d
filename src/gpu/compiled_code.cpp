#include "gpu/compiled_code.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "expression/interruption.hpp"
#include "gpu/cuda.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 40;  // compiled units, of about half a megabyte

// Without contraction a card has the bits of the processor. --ftz, --prec-div and --prec-sqrt concern single precision alone.
std::vector<std::string> words_for(const std::string& architecture, Arithmetic arithmetic) {
  const bool single = arithmetic == Arithmetic::single;
  return {"--gpu-architecture=" + architecture,
          arithmetic == Arithmetic::exact ? "--fmad=false" : "--fmad=true",
          single ? "--ftz=true" : "--ftz=false",
          single ? "--prec-div=false" : "--prec-div=true",
          single ? "--prec-sqrt=false" : "--prec-sqrt=true",
          "--std=c++20",
          "--device-as-default-execution-space",
          "--disable-warnings"};
}

// What the compiler can since version 12.8: a quick compilation leaves out the optimizations that take longest; the driver's cache is not
// asked, since we have our own; several cores translate functions (0: all of them).
void add_words_of_newer_compilers(const CudaCompiler& compiler, const LoadOptions& options,
                                  std::vector<std::string>& words) {
  int major = 0, minor = 0;
  compiler.get_version(&major, &minor);
  if (100 * major + minor < 1208) return;
  words.emplace_back("--no-cache");
  if (options.compilation == Compilation::quick) words.emplace_back("--Ofast-compile=min");
  if (options.by_all_cores) words.emplace_back("--split-compile=0");
}

// FNV-1a, from two beginnings.
std::string name_of_content(const std::string& text) {
  std::uint64_t hash[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
  for (const char c : text)
    for (std::uint64_t& h : hash) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
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

// A unit in the hands of the compiler.
class Unit {
 public:
  Unit(const CudaCompiler& compiler, const std::string& text) : compiler_(compiler) {
    compiler.create(&unit_, text.c_str(), "motions.cu", 0, nullptr, nullptr);
  }
  ~Unit() { compiler_.destroy(&unit_); }
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;

  // False: it was stopped. A compiler before 12.9 cannot be.
  bool compile(const std::vector<std::string>& words, const std::function<bool()>& stopped) {
    if (stopped && compiler_.ask) compiler_.ask(unit_, &Unit::is_stopped, const_cast<std::function<bool()>*>(&stopped));
    std::vector<const char*> texts;
    for (const std::string& word : words) texts.push_back(word.c_str());
    const cuda::Result result = compiler_.compile(unit_, static_cast<int>(texts.size()), texts.data());
    if (result && stopped && stopped()) return false;
    if (result)
      throw ComputationError(fmt::format("the code for the card does not compile:\n{}", log().substr(0, 2000)));
    return true;
  }
  std::string code() const {
    std::size_t size = 0;
    compiler_.binary_size(unit_, &size);
    std::string code(size, '\0');
    compiler_.binary(unit_, code.data());
    return code;
  }

 private:
  static int is_stopped(void* stopped, void*) {
    return (*static_cast<const std::function<bool()>*>(stopped))() ? 1 : 0;
  }
  std::string log() const {
    std::size_t size = 0;
    compiler_.log_size(unit_, &size);
    std::string text(size, '\0');
    compiler_.log(unit_, text.data());
    return text;
  }

  const CudaCompiler& compiler_;
  cuda::Unit unit_ = nullptr;
};

}  // namespace

fs::path code_cache() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/') return fs::path(cache) / "armature";
  if (const char* home = std::getenv("HOME"); home && *home == '/') return fs::path(home) / ".cache" / "armature";
  return {};
}

CompiledCode::CompiledCode(std::string unit, std::string architecture, const LoadOptions& options, fs::path cache)
    : unit_(std::move(unit)), architecture_(std::move(architecture)), options_(options), cache_(std::move(cache)) {
  std::string content = options_.compilation == Compilation::quick ? "quick\n" : "thorough\n";
  for (const std::string& word : words_for(architecture_, options_.arithmetic)) content += word + "\n";
  file_ = cache_ / name_of_content(content + unit_);
}

std::string CompiledCode::kept() const { return cache_.empty() ? "" : content_of(file_); }

std::string CompiledCode::get() const {
  if (std::string code = kept(); !code.empty()) return code;
  std::string code = compile();
  if (!cache_.empty()) keep(file_, code);
  return code;
}

std::string CompiledCode::compile() const {
  const CudaCompiler& compiler = cuda_compiler();
  if (!compiler.found())
    throw RequestError("gpu", fmt::format("{}: install NVIDIA's CUDA toolkit, or set CUDA_HOME", compiler.missing));
  std::vector<std::string> words = words_for(architecture_, options_.arithmetic);
  add_words_of_newer_compilers(compiler, options_, words);
  Unit unit(compiler, unit_);
  // NVRTC 13.0 crashes where it is stopped while several cores translate
  if (!unit.compile(words, options_.by_all_cores ? nullptr : options_.stopped)) throw Interrupted();
  return unit.code();
}

}  // namespace armature::internal
