// Comparisons change where they change: however short they hold, whatever is periodic, with every integrator.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "support/rotor.hpp"

namespace armature::internal {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double located = 1e-7;  // speeds: torques of about 1, integrated with rtol and atol of 1e-8

class EveryIntegrator : public testing::TestWithParam<const char*> {
 protected:
  std::string options() const {
    return std::string("end: 1, record: 0.05, rtol: 1e-8, atol: 1e-8, integrator: ") + GetParam();
  }
};
INSTANTIATE_TEST_SUITE_P(Events, EveryIntegrator,
                         testing::Values("dopri5", "dop853", "radau5", "cvode_bdf", "cvode_adams"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryIntegrator, FollowsAPulseThatRepeats) {
  EXPECT_NEAR(speed_after("if(mod(t, 0.2) < 0.1, 1, 0)", options()), 0.5, 1e-6);
}

TEST_P(EveryIntegrator, FollowsAFastWave) {
  const double share = 5 * 0.5 / 5.3 + (1 - 5 / 5.3);  // five half periods, and the rest of the sixth
  EXPECT_NEAR(speed_after("if(sin(2*pi*5.3*t) > 0, 1, 0)", options()), share, 1e-6);
}

TEST_P(EveryIntegrator, SeesAShortPulse) {
  EXPECT_NEAR(speed_after("if((t - 0.5)^2 < 1e-4, 50, 0)", options()), 1.0, 1e-6);
}

// 1e-10 is less than the tolerance of what is compared, which was 0.25 before.
TEST_P(EveryIntegrator, SeesAPulseWhoseEventFunctionHardlyLeavesZero) {
  EXPECT_NEAR(speed_after("if((t - 0.5)^2 < 1e-10, 5e4, 0)", options()), 1.0, 1e-6);
}

// mod(t, 0.05) must not be -3e-17 where it wraps. The integral of sqrt over twenty teeth. Its slope is infinite at each, where the
// estimate of dopri5 sees a 37th of the error: of 1e-8 in a step, 20 * 37e-8 and the root of the number of states.
TEST_P(EveryIntegrator, TakesTheRootOfASawtooth) {
  constexpr double allowed = 20 * 37e-8 * 2.5;
  const double area = 20 * 2.0 / 3 * std::pow(0.05, 1.5);
  EXPECT_NEAR(speed_after("sqrt(mod(t, 0.05))", options()), area, allowed);
  EXPECT_NEAR(speed_after("sqrt(mod(t + 1e-9*shaft, 0.05))", options()), area, allowed);
}

// At each of twenty teeth a jump of 0.22 may be off by a sixth of a step.
TEST(Events, OfFixedStepsLeaveTheRootOfASawtoothANumber) {
  const double area = 20 * 2.0 / 3 * std::pow(0.05, 1.5);
  EXPECT_NEAR(speed_after("sqrt(mod(t, 0.05))", "end: 1, integrator: rk4, step: 1e-3"), area, 2e-3);
}

// Fixed steps take comparisons as they come: an error of a step at each of ten jumps.
TEST(Events, OfFixedStepsLieWithinAStep) {
  EXPECT_NEAR(speed_after("if(mod(mod(t, 0.4), 0.2) < 0.1, 1, 0)", "end: 1, integrator: rk4, step: 1e-3"), 0.5, 1e-2);
}

TEST(PeriodicFunctions, AreRightAfterTheirFirstWrap) {
  EXPECT_NEAR(speed_after("f(mod(t, 0.2))"), 0.5, located);
  EXPECT_NEAR(speed_after("abs(mod(t, 0.2) - 0.1)"), 0.05, located);
  EXPECT_NEAR(speed_after("clamp(mod(t, 0.2), 0.05, 0.15)"), 0.1, located);
  EXPECT_NEAR(speed_after("trapezoid(mod(t, 0.2), 0, 0.2, 0.3)"), 0.5, located);
  EXPECT_NEAR(speed_after("mod(t, 0.2)"), 0.1, located);
  EXPECT_NEAR(speed_after("floor(10*t)"), 4.5, located);
  EXPECT_NEAR(speed_after("mod(-t, 0.2)"), 0.1, located);  // falls from 0.2 to 0
  EXPECT_NEAR(speed_after("if(mod(t, 0.2) > 0, 1, 0)"), 1, located);
}

TEST(PeriodicFunctions, MayWrapThousandsOfTimesASecond) {
  EXPECT_NEAR(speed_after("if(mod(t, 0.5 ms) < 0.125 ms, 1, 0)"), 0.25, 1e-6);
}

// A natural spline with knots h = 0.05 apart, and a second derivative of 1.5/h^2 at the middle one, then 3.
TEST(Tables, EndInEvents) {
  const double h = 0.05, spline = h * (1 + 0.5 * 3) - h / 8;
  EXPECT_NEAR(speed_after("g(t)"), spline + 3 * 0.9, 1e-6);
}

// Over a half turn its speed falls to sqrt(25 - 0.4 pi), over the next it returns.
double angle_after(double t) {
  const double slow = std::sqrt(25 - 0.4 * pi), half = 2 * pi / (5 + slow);  // time of a half turn
  double angle = 0;
  for (; t > 2 * half; t -= 2 * half) angle += 2 * pi;
  const double first = std::min(t, half), second = t - first;
  return angle + 5 * first - 0.1 * first * first + slow * second * (second > 0) + 0.1 * second * second;
}

TEST(Events, OfAnAngleAreFoundWhicheverWayItTurns) {
  for (const double direction : {1, -1})
    for (const char* torque : {"if(mod(shaft, 2*pi) < pi, -0.2, 0.2)", "if(sin(shaft) > 0, -0.2, 0.2)"}) {
      const Simulation run = simulated_text(rotor(torque, "end: 10, record: 0.1, rtol: 1e-9", "", 5 * direction));
      EXPECT_NEAR(run.last("shaft"), direction * angle_after(10), 1e-5) << torque << " " << direction;
    }
}

// The ball meets the peg at its top, 40 ms long: it is thrown back with the energy that it came with.
TEST(Events, StopABallAtAPeg) {
  const std::string peg =
      "gravity: [0, -9.81, 0]\nplane: xy\nbodies: {ball: {mass: 1 kg, inertia: {zz: 0.01}}}\npoints: {peg: [5, 3.1, "
      "0]}\n"
      "joints: {fly: {type: planar, between: [ground, ball]}}\ndefine: {gap: norm(ball - peg) - 0.5}\n"
      "forces: {hit: {type: force, on: ball, is: \"if(gap < 0, 1, 0)*1e4*(-gap)*(ball - peg)/norm(ball - peg)\"}}\n"
      "start: {keep: {fly.x: 0, fly.y: 0}, speed: {fly.x: 5, fly.y: 8}}\n";
  const auto end = [&](const std::string& options) {
    return simulated_text(peg + "simulate: {end: 2 s, record: 50 ms, " + options + "}\n").last("fly.x");
  };
  const double fine = end("integrator: rk4, step: 20 us");
  EXPECT_NEAR(fine, -0.632, 0.01);
  EXPECT_NEAR(end("rtol: 1e-8"), fine, 1e-3);
  EXPECT_NEAR(end("rtol: 1e-5"), fine, 1e-2);
}

// --- exact zeros -------------------------------------------------------------------------------------------------------

const char* const sampled_zero =
    "controllers:\n  s: {type: formula, is: \"0*t\", sampled: {period: 0.01}}\n"
    "  u: {type: formula, is: \"if(t < 0.495, 1, 0)\", sampled: {period: 0.01}}\n";
const char* const usual = "end: 1, record: 0.05, rtol: 1e-8";

TEST(ExactZeros, AreComparedAsTheFormulaSays) {
  EXPECT_NEAR(speed_after("if(s > 0, 1, 0)", usual, sampled_zero), 0, located);
  EXPECT_NEAR(speed_after("if(s < 0, 1, 0)", usual, sampled_zero), 0, located);
  EXPECT_NEAR(speed_after("if(s >= 0, 1, 0)", usual, sampled_zero), 1, located);
  EXPECT_NEAR(speed_after("if(s <= 0, 1, 0)", usual, sampled_zero), 1, located);
  EXPECT_NEAR(speed_after("if(floor(t) > 0, 1, 0)"), 0, located);
  EXPECT_NEAR(speed_after("if(floor(t) >= 0, 1, 0)"), 1, located);
}

TEST(ExactZeros, ToWhichASampleJumpsAreComparedToo) {
  EXPECT_NEAR(speed_after("if(u > 0, 1, 0)", usual, sampled_zero), 0.5, located);
  EXPECT_NEAR(speed_after("if(u >= 0, 1, 0)", usual, sampled_zero), 1, located);
  EXPECT_NEAR(speed_after("if(1e-9*u > 0, 1, 0)", usual, sampled_zero), 0.5, located);
}

// --- samples that fall upon events -------------------------------------------------------------------------------------

std::string sampled(const std::string& formula, const std::string& period) {
  return "controllers:\n  s: {type: formula, is: \"" + formula + "\", sampled: {period: " + period + "}}\n";
}

// At t = 0.3 s the quotient 0.3/0.1 is a little less than 3.
TEST(Samples, ThatFallUponAStepSeeIt) {
  EXPECT_NEAR(speed_after("s", usual, sampled("mod(t, 0.1)", "0.05")), 0.025, located);  // 0 and 0.05 in turn
  EXPECT_NEAR(speed_after("s", usual, sampled("mod(t, 0.1)", "0.01")), 0.045, located);
  EXPECT_NEAR(speed_after("if(s > 3, 1, 0)", usual, sampled("floor(10*t)", "0.05")), 0.6, located);
}

TEST(Samples, ThatFallUponAComparisonSeeWhatItIsAtEquality) {
  EXPECT_NEAR(speed_after("s", usual, sampled("if(t >= 0.3, 1, 0)", "0.1")), 0.7, located);
  EXPECT_NEAR(speed_after("s", usual, sampled("if(t > 0.3, 1, 0)", "0.1")), 0.6, located);
  EXPECT_NEAR(speed_after("s", usual, sampled("if(t < 0.3, 1, 0)", "0.1")), 0.3, located);
  EXPECT_NEAR(speed_after("s", usual, sampled("if(t <= 0.3, 1, 0)", "0.1")), 0.4, located);
}

// --- the check at every row --------------------------------------------------------------------------------------------

// A tangent that turns this fast has no bounds over any part of a long step: a short event is not resolved there, and a row shows it.
TEST(Rows, ShowAChangeThatWasMissed) {
  const Simulation run = simulated(
      prepared_text(rotor("if((t - 0.503)^2 + 1e-40*tan(1e9*t) < 1e-8, 1, 0)", "end: 1, record: 1e-4, rtol: 1e-8")));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence, testing::HasSubstr("at t = 0.50"));
  EXPECT_THAT(run.outcome.sentence, testing::HasSubstr("condition '(t - 0.503)^2 + 1e-40*tan(1e9*t) < 1e-8' (line"));
  EXPECT_THAT(run.outcome.sentence, testing::HasSubstr("max_step"));
  EXPECT_EQ(run.column("t").size(), 10001);  // nothing is lost
}

TEST(Rows, AgreeWithTheOutcomesOtherwise) {
  const Simulation run =
      simulated_text(rotor("if(log((t - 0.503)^2) < -16, 1, 0)", "end: 1, record: 1e-4, rtol: 1e-8, max_step: 0.005"));
  EXPECT_NEAR(run.last("shaft'"), 2 * std::exp(-8), 1e-6);
}

// b sticks while a turns one way; where a turns back, the comparison of b's rate has no influence on b any more. Until 5 ms b
// slows down by 10 rad/s^2 and a by 12, then a alone by 10 until 0.199 s.
TEST_P(EveryIntegrator, ReleasesWhatSticksWhereNothingHoldsItAnyMore) {
  const Simulation run = simulated_text(fmt::format(R"m(plane: xy
gravity: [0, 0, 0]
bodies:
  r: {{mass: 1, inertia: {{zz: 0.1}}}}
  s: {{mass: 1, inertia: {{zz: 0.1}}}}
joints:
  a: {{type: revolute, between: [ground, r]}}
  b: {{type: revolute, between: ["ground [1, 0, 0]", s]}}
forces:
  e: {{type: effort, on: a, is: "0.2*if(b' > 0, -1, 1) - 1"}}
  f: {{type: effort, on: b, is: "if(a' > 0, if(b' > 0, -1, 1), -0.7)"}}
start: {{keep: {{a: 0, b: 0}}, speed: {{a: 2, b: 0.05}}}}
simulate: {{end: 1, record: 10 ms, rtol: 1e-9, integrator: {}}}
)m",
                                                    GetParam()));
  EXPECT_NEAR(run.last("b'"), -7 * 0.801, 1e-6);
  EXPECT_NEAR(run.last("a'"), -8 * 0.801, 1e-6);
  ASSERT_EQ(run.outcome.events.size(), 3u);
  EXPECT_THAT(run.outcome.events[0].what, testing::HasSubstr("sticks"));
  EXPECT_THAT(run.outcome.events[2].what, testing::HasSubstr("slips"));
  EXPECT_NEAR(run.outcome.events[2].t, 0.199, 1e-8);
}

// Until 0.5 s both outcomes push the speed back to zero, from then on away from it, to either side.
TEST_P(EveryIntegrator, ReleasesWhatSticksWhereBothOutcomesPushItAway) {
  const std::string options = "end: 1, record: 0.05, rtol: 1e-9, atol: 1e-9, integrator: " + std::string(GetParam());
  const Simulation run = simulated_text(rotor("(t - 0.5)*if(shaft' > 0, 1, -1)", options));
  EXPECT_NEAR(std::abs(run.last("shaft'")), 0.125, 1e-7);
  ASSERT_EQ(run.outcome.events.size(), 1u);
  // What sticks has drifted by e, the error of the step across the change, and returns at ten times the rate of the run: it is let
  // go where the torque no longer suffices for that, 10 e before 0.5 s. From rtol 1e-7 to 1e-11 that is 10 to 200 rtol with
  // dopri5, dop853 and cvode_adams, and nothing with cvode_bdf; radau5 stays at some 1e-8 s, the last step that it tries.
  EXPECT_NEAR(run.outcome.events[0].t, 0.5, 1e-7);
}

// Of two that stick, one is let go at 0.5 s.
TEST_P(EveryIntegrator, ReleasesOneOfTwoThatStick) {
  const Simulation run = simulated_text(fmt::format(R"m(plane: xy
gravity: [0, 0, 0]
bodies:
  r: {{mass: 1, inertia: {{zz: 1}}}}
  s: {{mass: 1, inertia: {{zz: 1}}}}
joints:
  a: {{type: revolute, between: [ground, r]}}
  b: {{type: revolute, between: ["ground [1, 0, 0]", s]}}
forces:
  e: {{type: effort, on: a, is: "if(t < 0.5, if(a' > 0, -1, 1), -0.3)"}}
  f: {{type: effort, on: b, is: "0.2 + if(b' > 0, -1, 1)"}}
simulate: {{end: 1, record: 10 ms, rtol: 1e-9, integrator: {}}}
)m",
                                                    GetParam()));
  EXPECT_NEAR(run.last("a'"), -0.15, 1e-8);
  EXPECT_NEAR(run.last("b'"), 0, 1e-12);
}

}  // namespace
}  // namespace armature::internal
