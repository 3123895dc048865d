// Comparisons of what is zero but for round-off, and work that is counted but not integrated: neither may cost steps.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

class RoundOff : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, RoundOff,
                         testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

// The crank rests at its dead centre: x' and its rate are round-off until it has moved, and say nothing.
TEST_P(RoundOff, PressAtRestOnItsDeadCentre) {
  for (const double rtol : {1e-6, 1e-8, 1e-10}) {
    Model model = shipped("press", {{"phi0", "2*pi"}, {"w0", "0"}, {"l1", "1.65"}});
    model.simulate.integrator = GetParam();
    model.simulate.rtol = rtol;
    model.simulate.end = 5;
    const Simulation run = simulated(model);
    // dopri5, dop853 and press_lagrangian.yaml at 1e-12 agree on 3.55369267259; at ten tolerances from 1e-6 to 3e-11 cvode_bdf
    // errs by 4 to 57 of them, to either side
    EXPECT_NEAR(run.last("phi"), 3.55369267259, 100 * rtol) << rtol;
    EXPECT_EQ(run.outcome.events.size(), 2u) << rtol;  // at rest x' > 0 is false, and stays so
  }
}

// The work of projection jumps with every step by round-off of all energy. That is no error of a multistep method: before
// it was left out, cvode_adams took 6761 steps here.
TEST(CountedWork, DoesNotLimitStepsOfMultistepMethods) {
  for (const char* integrator : {"cvode_adams", "cvode_bdf"}) {
    Model model = shipped("press");
    model.simulate.integrator = integrator;
    model.simulate.rtol = 5e-9;
    const Simulation projected = simulated(model);
    model.simulate.projection = false;
    const Simulation plain = simulated(model);
    EXPECT_LT(projected.outcome.statistics.integrator.steps, 1.3 * plain.outcome.statistics.integrator.steps);
    EXPECT_NEAR(projected.last("phi"), 4.726416162, 3e-6);  // dop853 at 1e-12; cvode_bdf errs by 2e-6
  }
}

}  // namespace
}  // namespace armature::internal
