// The headers of src/step/ compile as they are for WebAssembly and as device code: one source with all of them, taken through
// the compilers that are installed.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "support/paths.hpp"
#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

const char* const source = R"(
#include "step/compiled_contacts.hpp"
#include "step/dense_output.hpp"
#include "step/dop853.hpp"
#include "step/embedded.hpp"
#include "step/fixed_step.hpp"
#include "step/friction_oscillator.hpp"
#include "step/sample_clock.hpp"
#include "step/tableaus.hpp"

using namespace armature::step;

struct Oscillator {
  ARMATURE_STEP bool derivative(bool lanes, const Row<1>&, const Row<1>* x, Row<1>* xdot) {
    xdot[0][0] = x[1][0], xdot[1][0] = -x[0][0];
    return lanes;
  }
  ARMATURE_STEP bool project(bool lanes, const Row<1>&, Row<1>*, Row<1>*) { return lanes; }
  ARMATURE_STEP Finish<1> finish(bool, const Row<1>&, Row<1>*, Row<1>*, Row<1>*, const Row<1>&) { return {}; }
};

template <class Steps, class Options>
ARMATURE_STEP double end_of(const Tableau& method, const Options& options) {
  Row<1> memory[64], columns[32];
  const double start[] = {1, 0};
  Steps steps(method, 2, options, memory);
  steps.start(0, 0, start);
  Oscillator f;
  while (steps.t()[0] < 3 && !steps.attempt(f, true, Row<1>{{3.0}}).failed) {}
  DenseOutput<1> dense(method, 2, columns);
  dense.make(f, steps.method(), true, {steps.previous_t(), steps.t(), steps.previous_x(), steps.x()}, nullptr);
  return steps.x()[0][0] + dense.column(1)[0][0];
}

ARMATURE_STEP double both() {
  const Row<1> atol[] = {{{1e-9}}, {{1e-9}}};
  return end_of<Embedded<1>>(dormand_prince_54(), Embedded<1>::Options{{1e-9, atol}}) +
         end_of<Embedded<1>>(dormand_prince_853(), Embedded<1>::Options{{1e-9, atol}}) +
         end_of<FixedStep<1>>(classical(), FixedStep<1>::Options{0.01}) + run_friction_oscillator(20).place +
         SampleClock::from(0.1, 0, 0.3).time();
}
)";

class Freestanding : public testing::Test {
 protected:
  // Whether the compiler takes the source; skips the test where there is none.
  bool compiles(const std::string& compiler, const std::string& name, const std::string& end,
                const std::string& options) {
    std::ofstream(folder_.path() / name) << source << end;
    const std::string file = (folder_.path() / name).string();
    const std::string command = compiler + " -std=c++20 -I" + source_directory + "/src -I" + source_directory +
                                "/test " + options + " -c " + file + " -o " + file + ".o > " + file + ".log 2>&1";
    const bool done = std::system(command.c_str()) == 0;
    std::ifstream log(file + ".log");
    log_.assign(std::istreambuf_iterator<char>(log), {});
    return done;
  }
  static bool there_is(const std::string& compiler) {
    return std::system((compiler + " --version > /dev/null 2>&1").c_str()) == 0;
  }
  TemporaryFolder folder_;
  std::string log_;
};

TEST_F(Freestanding, CompilesForWebAssemblyWithoutALibrary) {
  if (!there_is("clang++")) GTEST_SKIP() << "needs clang++";
  EXPECT_TRUE(
      compiles("clang++", "page.cpp", "extern \"C\" double step_both() { return both(); }",
               "--target=wasm32 -nostdlib -nostdinc++ -ffreestanding -fno-exceptions -O2 -Wall -Wextra -Werror"))
      << log_;
}

TEST_F(Freestanding, CompilesAsDeviceCode) {
  if (!there_is("nvcc")) GTEST_SKIP() << "needs nvcc";
  EXPECT_TRUE(compiles("nvcc", "card.cu", "__global__ void run(double* out) { *out = both(); }", "-fmad=false"))
      << log_;
}

}  // namespace
}  // namespace armature::internal
