// Tuning as a card computes it, in the code of this processor, against the engine: other methods and larger machines.
#include <gtest/gtest.h>

#include <bit>

#include "gpu/compiled_code.hpp"
#include "gpu/cuda.hpp"
#include "support/host_device.hpp"
#include "support/run_model.hpp"
#include "tuning/tuning.hpp"
#include "tuning/tuning_card.hpp"

namespace armature::internal {
namespace {

struct Case {
  std::string model, integrator, of;
  double step, end;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.model << " " << c.integrator; }

class TuningOnADevice : public testing::TestWithParam<Case> {};

TEST_P(TuningOnADevice, HasTheSameBits) {
  Model model = shipped(GetParam().model);
  model.simulate.integrator = GetParam().integrator;
  model.simulate.step = GetParam().step, model.simulate.end = GetParam().end;
  TuningOptions options;
  options.of = GetParam().of;
  const double h = GetParam().step;
  for (const double part : {0.0, 0.1, 0.5, 1.0, 1.7})
    options.alpha.push_back(part / h), options.beta.push_back(part / (h * h));
  const Tuning here = tune(model, options);
  options.cards = {.devices = {std::make_shared<HostDevice>(7)}, .helped = false};
  const Tuning there = tune(model, options);
  for (std::size_t k = 0; k < here.grids[0].cells.size(); ++k)
    for (double TuningCell::*value : {&TuningCell::lost, &TuningCell::E1, &TuningCell::E2})
      EXPECT_EQ(std::bit_cast<std::uint64_t>(here.grids[0].cells[k].*value),
                std::bit_cast<std::uint64_t>(there.grids[0].cells[k].*value))
          << k;
}

// Compiled only: no card is needed.
TEST(TuningUnit, CompilesForACardWhereNvrtcIsInstalled) {
  if (!cuda_compiler().found()) GTEST_SKIP() << cuda_compiler().missing;
  Model model = shipped("arm_on_circle");
  model.simulate.integrator = "rk4", model.simulate.step = 0.1;
  const std::vector<double> gains = {1};
  const auto machine = tuning_machine(model, "");
  const TemporaryFolder cache;
  const CardJob job = tuning_card_job(*machine, 1e3, gains, gains, Arithmetic::exact);
  EXPECT_GT(CompiledCode(job.unit, "sm_90", {Compilation::quick}, cache.path()).get().size(), 10'000u);
}

INSTANTIATE_TEST_SUITE_P(
    Models, TuningOnADevice,
    testing::Values(Case{"arm_on_circle", "euler", "", 0.1, 40}, Case{"arm_on_circle", "dopri5", "lower.tip", 0.1, 10},
                    Case{"arm_on_circle", "dop853", "", 0.1, 10}, Case{"rrr", "rk4", "platform.C", 1e-3, 0.2},
                    Case{"rrr_motors", "rk4", "", 1e-3, 0.1}, Case{"four_bar", "rk2", "", 1e-3, 0.5},
                    Case{"stewart", "rk4", "", 1e-3, 0.05}));

}  // namespace
}  // namespace armature::internal
