// Crank, rod and slider of a press: which starts make full turns, and where dry resistance holds the machine. Numbers of
// an independent build of the same machine (test/data/press_case1.csv is one of its runs).
#include <gtest/gtest.h>

#include <cmath>

#include "support/accelerations.hpp"
#include "support/reference_data.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

struct PressCase {
  const char* phi0;
  const char* w0;
  double phi_at_10;
  bool turns;
};

class PressStart : public testing::TestWithParam<PressCase> {};
INSTANTIATE_TEST_SUITE_P(Cases, PressStart,
                         testing::Values(PressCase{"pi", "1", 3.4203544, false},
                                         PressCase{"pi/2", "1", 15.943505, true},
                                         PressCase{"pi", "0.5", 4.5025801, false},
                                         PressCase{"pi", "1.5", 14.5734338, true}));

TEST_P(PressStart, HasItsVerdict) {
  const Simulation run = simulated(shipped("press", {{"phi0", GetParam().phi0}, {"w0", GetParam().w0}}));
  const auto phi = run.column("phi");
  EXPECT_NEAR(run.at(500, "t"), 10, 1e-12);
  EXPECT_NEAR(run.at(500, "phi"), GetParam().phi_at_10, 1e-6);
  const auto [least, most] = std::minmax_element(phi.begin(), phi.end());
  EXPECT_EQ(std::max(*most - phi[0], phi[0] - *least) >= 2 * M_PI, GetParam().turns);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-5);  // of some 1000 J
}

TEST(Press, SticksAndSlipsAgain) {
  const Simulation run = simulated(shipped("press", {{"w0", "0.5"}}));
  double sticks = 0, slips = 0;
  for (const RunEvent& event : run.outcome.events) {
    if (event.what.find("sticks") != std::string::npos && event.t > 20 && sticks == 0) sticks = event.t;
    if (event.what.find("slips") != std::string::npos && event.t > 20 && slips == 0) slips = event.t;
  }
  EXPECT_NEAR(sticks, 28.441, 5e-4);  // as many digits as are known
  EXPECT_NEAR(slips, 30.05, 5e-3);
  const auto t = run.column("t"), speed = run.column("x'");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > sticks && t[i] < slips) {
      ASSERT_NEAR(speed[i], 0, 1e-10) << "t = " << t[i];  // rtol
    }
}

// While the slider sticks its speed drifts by what a loose integration errs, here by 9e-6 m/s: it slips from there, once.
TEST(Press, SlipsFromADriftedSpeedOnce) {
  Model model = shipped("press", {{"phi0", "3.0368728984701336"}, {"w0", "-0.3"}});
  model.simulate.integrator = "dop853";
  model.simulate.rtol = 1e-6;
  const Simulation run = simulated(model);
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  EXPECT_LT(run.outcome.events.size(), 30u);  // a dozen changes of the slider's way, then it sticks and slips
}

// The published rows are l1 cos phi + l2 cos psi - x and l1 sin phi - l2 sin psi; ours b - a = slider - rod end, so that
// both have the other sign. They hold without the work piece's push; here the slider is at rest and about to move outward, so that
// the push 282.857/(6 - 1.5) - 62.857 = 0.00011 N adds to the first.
TEST(Press, AccelerationAndMultipliersAtTheStart) {
  const NamedAcceleration a = acceleration_at_start(prepared(shipped("press")));
  EXPECT_NEAR(a.vdot.at("phi'"), 0.77513669, 1e-8);
  EXPECT_NEAR(a.lambda.at("pin.x"), -21.42857143 - (282.857 / 4.5 - 62.857), 1e-7);
  EXPECT_NEAR(a.lambda.at("pin.y"), 162.53946043, 1e-7);
}

TEST(Press, FollowsTheReferenceRun) {
  const Simulation run = simulated(shipped("press"));
  const ReferenceData data("press_case1.csv");
  for (int row = 0; row < data.rows(); ++row) {
    const int at = static_cast<int>(std::lround(data["t"][row] / 0.02));
    ASSERT_NEAR(run.at(at, "phi"), data["phi"][row], 1e-7) << "t = " << data["t"][row];
    ASSERT_NEAR(run.at(at, "x"), data["x"][row], 1e-7) << "t = " << data["t"][row];
    ASSERT_NEAR(run.at(at, "phi'"), data["phid"][row], 1e-7) << "t = " << data["t"][row];
  }
}

}  // namespace
}  // namespace armature::internal
