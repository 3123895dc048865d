// The elementary functions of device code against those of the engine: the same bits wherever a motion does not leave.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>

#include "expression/c_code.hpp"
#include "expression/elementary.hpp"
#include "expression/interruption.hpp"
#include "gpu/card.hpp"
#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "model/request_error.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

// The functions, compiled by the C++ compiler.
class DeviceFunctions {
 public:
  DeviceFunctions() {
    std::ofstream(folder_ / "f.cpp") << R"(#include <math.h>
#define BITS(x) __builtin_bit_cast(Bits, x)
#define NUMBERS(x) __builtin_bit_cast(double, x)
#define FORMULA static inline __attribute__((unused))
#define NOT_A_NUMBER NAN
static bool missed = false;
static void out_of_reach() { missed = true; }
)" << device_code_preamble() << R"(
extern "C" bool call(int which, double x, double y, double *result) {
  missed = false;
  *result = which == 0 ? armature_sin(x) : which == 1 ? armature_cos(x) : which == 2 ? armature_exp(x) : armature_atan2(x, y);
  return !missed;
}
)";
    const std::string command = "cd '" + folder_.path().string() + "' && c++ -std=c++20 -O1 -fPIC -shared " +
                                "-ffp-contract=off -Wno-unused-function f.cpp -o f.so";
    if (std::system(command.c_str()) == 0) library_ = ::dlopen((folder_ / "f.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_) call_ = reinterpret_cast<Call*>(::dlsym(library_, "call"));
  }
  ~DeviceFunctions() {
    if (library_) ::dlclose(library_);
  }
  bool usable() const { return call_ != nullptr; }
  bool operator()(int which, double x, double y, double& result) const { return call_(which, x, y, &result); }

 private:
  using Call = bool(int, double, double, double*);
  TemporaryFolder folder_;
  void* library_ = nullptr;
  Call* call_ = nullptr;
};

bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

double of_engine(int which, double x, double y) {
  return which == 0   ? elementary::sin(x)
         : which == 1 ? elementary::cos(x)
         : which == 2 ? elementary::exp(x)
                      : elementary::atan2(x, y);
}

TEST(DeviceFunctions, HaveTheBitsOfTheEngineOrSayThatTheyDoNot) {
  const DeviceFunctions functions;
  ASSERT_TRUE(functions.usable());
  std::vector<double> numbers = {0.0,    -0.0, 1.0,  -1.0, 1e-160, -1e-160, 1e160, 5e5,   5.1e5, -708,
                                 -708.1, -745, -746, -747, 709,    709.5,   711,   1e300, -1e300};
  for (const double special : {HUGE_VAL, -HUGE_VAL, std::nan("")}) numbers.push_back(special);
  std::mt19937_64 random(7);
  for (int k = 0; k < 200; ++k)
    numbers.push_back(std::ldexp(static_cast<double>(random()) * 0x1p-63 - 1, static_cast<int>(random() % 40) - 20));
  long left = 0;
  for (int which = 0; which < 4; ++which)
    for (const double x : numbers)
      for (const double y : numbers) {
        double result = 0;
        if (functions(which, x, y, result))
          EXPECT_TRUE(same_number(result, of_engine(which, x, y))) << which << " " << x << " " << y;
        else
          ++left;
      }
  EXPECT_GT(left, 0);
  EXPECT_LT(left, static_cast<long>(4 * numbers.size() * numbers.size()) / 5);
}

TEST(Card, ADoctorSaysWhatIsThere) { EXPECT_FALSE(cards_in_words().empty()); }

TEST(Card, WithoutACardASentenceSaysSo) {
  if (!cards().empty()) GTEST_SKIP() << "there is a card";
  try {
    open_card();
    FAIL() << "a card was opened";
  } catch (const RequestError& error) {
    EXPECT_NE(std::string(error.what()).find("the processor gives the same result"), std::string::npos);
  }
}

TEST(CompiledCode, IsTakenFromTheCacheByItsContent) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  const TemporaryFolder cache;
  const std::string unit = "extern \"C\" __global__ void set(double* x) { x[threadIdx.x] = 1; }\n";
  const auto compiled = [&](const std::string& text, const std::string& card, LoadOptions options) {
    return CompiledCode(text, card, options, cache.path()).get();
  };
  const std::string code = compiled(unit, "sm_90", {Compilation::quick});
  EXPECT_GT(code.size(), 100u);
  int kept = 0;
  for (const auto& file : std::filesystem::directory_iterator(cache.path())) {
    ++kept;
    std::ofstream(file.path()) << "from the cache";
  }
  EXPECT_EQ(kept, 1);
  EXPECT_EQ(compiled(unit, "sm_90", {Compilation::quick}), "from the cache");
  EXPECT_NE(compiled(unit + "\n", "sm_90", {Compilation::quick}), "from the cache");
  EXPECT_NE(compiled(unit, "sm_80", {Compilation::quick}), "from the cache");
  EXPECT_NE(compiled(unit, "sm_90", {Compilation::thorough}), "from the cache");
  EXPECT_NE(compiled(unit, "sm_90", {Compilation::quick, Arithmetic::fast}), "from the cache");
  EXPECT_THROW(compiled("no code", "sm_90", {Compilation::quick}), ComputationError);
}

TEST(CompiledCode, IsGivenUpWhenNobodyWantsItAnyMore) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  if (!cuda_compiler().ask) GTEST_SKIP() << "this NVRTC cannot be stopped";
  const TemporaryFolder cache;
  const std::string unit = "extern \"C\" __global__ void set(double* x) { x[threadIdx.x] = 2; }\n";
  EXPECT_THROW(CompiledCode(unit, "sm_90", {.stopped = [] { return true; }}, cache.path()).get(), Interrupted);
  EXPECT_EQ(CompiledCode(unit, "sm_90", {}, cache.path()).kept(), "");
}

// Fused operations are what fast arithmetic is about.
TEST(CompiledCode, FusesOperationsWhereItIsFast) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  const TemporaryFolder cache;
  const std::string unit = "extern \"C\" __global__ void f(double* x) { x[0] = x[1] * x[2] + x[3]; }\n";
  const auto code = [&](Arithmetic arithmetic) {
    return CompiledCode(unit, "sm_90", {Compilation::thorough, arithmetic}, cache.path()).get();
  };
  EXPECT_NE(code(Arithmetic::exact), code(Arithmetic::fast));
}

TEST(CompiledCode, LiesInTheCacheFolderOfTheUser) {
  ::setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(code_cache(), "/somewhere/armature");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(code_cache().filename(), "armature");
}

}  // namespace
}  // namespace armature::internal
