// Device code in single precision, and what rollouts in it are worth: as many digits as a preview promises, in the code of this processor.
#include "gpu/single_precision.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gpu/card_rollout.hpp"
#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "gpu/number_transfer.hpp"
#include "support/host_device.hpp"
#include "support/rollout_start.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

TEST(SinglePrecision, ChangesTypesAndNumbers) {
  EXPECT_EQ(in_single_precision("const double a = 1.5 * x1 + 2e-3 - .5;"), "const float a = 1.5f * x1 + 2e-3f - .5f;");
  EXPECT_EQ(in_single_precision("static_cast<double>(0x1.8p+1)-0x1p-3"), "static_cast<float>(0x1.8p+1f)-0x1p-3f");
}

TEST(SinglePrecision, LeavesWholeNumbersAndNames) {
  for (const char* code :
       {"int n = 3; v10 = a[0x1f] + 99'000 - 1LL;", "__double_as_longlong(double_x)", "f(0, 1)", "x.y[2]"})
    EXPECT_EQ(in_single_precision(code), code);
}

TEST(SinglePrecision, HasNoNumbersThatAFloatCannotHold) {
  EXPECT_EQ(in_single_precision("a < -1e-100 && a > -1e100"), "a < -0.0f && a > -INFINITY");
}

Prepared prepared_to_roll(const std::string& model, const std::vector<std::string>& free = {}) {
  Prepared prepared = compile(shipped(model), free);
  assemble_start(prepared);
  prepare_for_rollout(prepared, "rk4", 1e-3);
  return prepared;
}

// The largest difference of a state to that of the engine, as a share of the largest number among those states; not zero, since
// single precision has other digits.
double off_by(const Prepared& prepared, std::vector<double> inputs = {}) {
  constexpr long motions = 5, steps = 60;
  const std::vector<double> start = rollout_start(prepared);
  std::vector<double> states, here(motions * start.size()), there(here.size());
  for (long k = 0; k < motions; ++k) states.insert(states.end(), start.begin(), start.end());
  std::vector<long> failed(motions);
  RolloutArrays arrays{.motions = motions, .steps = steps, .states = states.data()};
  arrays.inputs = inputs.empty() ? nullptr : inputs.data(), arrays.inputs_change = !inputs.empty();
  arrays.kept = here.data(), arrays.failed = failed.data();
  Rollout(prepared).run(0, arrays);
  arrays.kept = there.data();
  const std::vector<long> left =
      CardRollout(prepared, {std::make_shared<HostDevice>(2)}, Arithmetic::single).run(arrays, [] { return false; });
  EXPECT_TRUE(left.empty());
  double size = 0, difference = 0;
  for (std::size_t i = 0; i < here.size(); ++i)
    size = std::max(size, std::abs(here[i])), difference = std::max(difference, std::abs(here[i] - there[i]));
  return difference / size;
}

TEST(Preview, RolloutsHaveFourDigits) {
  for (const char* model : {"four_bar", "rrr", "press"}) {
    const double off = off_by(prepared_to_roll(model));
    EXPECT_LT(off, 1e-4) << model;
    EXPECT_GT(off, 1e-12) << model;
  }
}

TEST(Preview, RolloutsTakeInputsThatChange) {
  std::vector<double> inputs;
  for (int k = 0; k < 60 * 5; ++k) inputs.push_back(0.5 + 0.01 * (k % 17));
  EXPECT_LT(off_by(prepared_to_roll("crane", {"rope"}), inputs), 1e-4);
}

// Compiled only: no card is needed.
TEST(Preview, CompilesForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  struct Compiling final : MotionDevice {
    std::string name() const override { return "no card"; }
    std::unique_ptr<MotionProgram> load(const std::string& unit, const LoadOptions& options) override {
      const TemporaryFolder cache;
      size = CompiledCode(unit, "sm_90", options, cache.path()).get().size();
      return nullptr;
    }
    std::size_t size = 0;
  };
  const auto device = std::make_shared<Compiling>();
  const Prepared prepared = prepared_to_roll("four_bar");
  CardRollout(prepared, {device}, Arithmetic::single);
  EXPECT_GT(device->size, 10'000u);
}

}  // namespace
}  // namespace armature::internal
