// Controllers on a disc of 0.02 kg m^2, where the closed loop has a closed form; and on loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string disc(const std::string& controller, const std::string& simulate = "end: 1, record: 1 ms, rtol: 1e-10",
                 const std::string& torque = "c") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\n"
         "controllers:\n  c: {" +
         controller +
         "}\n"
         "forces: {push: {type: effort, on: turn, is: " +
         torque + "}}\nsimulate: {" + simulate + "}\n";
}

// J x'' = kp (1 - x) - kd x' with a damping ratio below 1.
TEST(Controller, PdMovesAsTheClosedForm) {
  const Simulation run = simulated_text(disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1"));
  const double s = 0.1 / 0.04, f = std::sqrt(2 / 0.02 - s * s);
  const auto t = run.column("t"), x = run.column("turn");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(x[k], 1 - std::exp(-s * t[k]) * (std::cos(f * t[k]) + s / f * std::sin(f * t[k])), 1e-8);
}

TEST(Controller, TheIntegralTakesAwayTheErrorUnderLoad) {
  const std::string end = "end: 20, record: 0.1, rtol: 1e-9";
  const Simulation pd = simulated_text(disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.2", end, "c - 0.5"));
  EXPECT_NEAR(pd.last("turn"), 1 - 0.5 / 2, 1e-6);
  const Simulation pid =
      simulated_text(disc("type: pid, measure: turn, target: 1, kp: 2, ki: 2, kd: 0.2", end, "c - 0.5"));
  EXPECT_NEAR(pid.last("turn"), 1, 1e-6);
}

// A far target holds the output at its limit for long; without anti-windup the integral would then overshoot by far.
TEST(Controller, LimitsHoldAndTheIntegralDoesNotWindUp) {
  const std::string more = "record: {quantities: {u: c}}\n",
                    gains = "type: pid, measure: turn, target: 5, kp: 2, ki: 2, kd: 0.4, ";
  const std::string end = "end: 20, record: 0.01, rtol: 1e-9";
  auto overshoot = [](const Simulation& run) {
    const auto x = run.column("turn");
    return *std::max_element(x.begin(), x.end()) - 5;
  };
  const Simulation tracked = simulated_text(disc(gains + "limits: {lower: -0.1, upper: 0.1}", end) + more);
  for (double u : tracked.column("u")) ASSERT_LE(std::abs(u), 0.1);
  const Simulation winding =
      simulated_text(disc(gains + "limits: {lower: -0.1, upper: 0.1}, tracking_time: 1e6", end) + more);
  EXPECT_LT(overshoot(tracked), 0.3 * overshoot(winding));
}

// Without a proportional part the tracking time is 1 s: I' = e + (u - I) settles at 3/2 behind a limit of 1/2. From the time on at which e
// turns from 1 to -1, I = -1/2 + 2 exp(-t), which leaves the limit at ln 2; from there on u falls by 1 a second.
TEST(Controller, AnIntegralAloneTracksItsLimitWithinASecond) {
  const Simulation run =
      simulated_text(disc("type: pid, measure: turn, target: 'if(t < 20, 1, -1)', kp: 0, ki: 1, limits: {upper: 0.5}",
                          "end: 21, record: 0.5, rtol: 1e-10", "0") +
                     "record: {quantities: {u: c}}\n");
  EXPECT_NEAR(run.at(41, "u"), 0.5, 1e-12);
  EXPECT_NEAR(run.at(42, "u"), 0.5 - (1 - std::log(2)), 1e-7);
}

TEST(Controller, ASampledOutputChangesAtItsSamplesOnly) {
  const Simulation run =
      simulated_text(disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1, sampled: {period: 20 ms}",
                          "end: 0.5, record: 1 ms, rtol: 1e-10") +
                     "record: {quantities: {u: c}}\n");
  const auto t = run.column("t"), u = run.column("u"), x = run.column("turn");
  EXPECT_EQ(u[0], 2);  // the first sample, at t = 0; no rate is known yet
  int changes = 0;
  for (std::size_t k = 1; k < t.size(); ++k) {
    if (u[k] == u[k - 1]) continue;
    ++changes;
    // rows at a sample still show what was held before it
    ASSERT_EQ(std::lround(t[k] / 1e-3) % 20, 1) << t[k];
    const double e = 1 - x[k - 1], before = 1 - x[k - 21];
    ASSERT_NEAR(u[k], 2 * e + 0.1 * (e - before) / 0.02, 1e-9);
  }
  EXPECT_EQ(changes, 24);
}

// 3 sin(2 pi t) at the samples, cut off at two limits of different size.
TEST(Controller, ASampledOutputStaysBetweenItsLimits) {
  const Simulation run = simulated_text(
      disc("type: formula, is: 3*sin(2*pi*t), limits: {lower: -0.5, upper: 1.25}, sampled: {period: 10 ms}",
           "end: 1, record: 5 ms, rtol: 1e-10") +
      "record: {quantities: {u: c}}\n");
  const auto u = run.column("u");
  int at_lower = 0, at_upper = 0;
  for (int sample = 0; sample < 100; ++sample) {
    const double output = u[static_cast<std::size_t>(2 * sample + 1)];
    ASSERT_NEAR(output, std::clamp(3 * std::sin(2 * M_PI * 0.01 * sample), -0.5, 1.25), 1e-12) << sample;
    at_lower += output == -0.5, at_upper += output == 1.25;
  }
  EXPECT_GT(at_lower, 40);
  EXPECT_GT(at_upper, 30);
}

TEST(Controller, ADelayShiftsTheOutput) {
  for (const auto& [delay, rows] : {std::pair{"5 ms", 5}, {"10 ms", 10}, {"23 ms", 23}}) {
    const Simulation run =
        simulated_text(disc("type: formula, is: t, sampled: {period: 10 ms, delay: " + std::string(delay) + "}",
                            "end: 0.2, record: 1 ms, rtol: 1e-10") +
                       "record: {quantities: {u: c}}\n");
    const auto u = run.column("u");
    for (int k = 0; k < static_cast<int>(u.size()); ++k) {
      const int sample = (k - 1 - rows) >= 0 ? (k - 1 - rows) / 10 : 0;
      ASSERT_NEAR(u[k], 0.01 * sample, 1e-12) << delay << " row " << k;
    }
  }
}

TEST(Controller, AQuantizedMeasurementIsSeenInSteps) {
  const Simulation run =
      simulated_text(disc("type: pd, measure: turn, target: 1, kp: 2, sampled: {period: 1 ms, quantization: 0.1}",
                          "end: 0.3, record: 1 ms, rtol: 1e-10") +
                     "record: {quantities: {u: c}}\n");
  for (double u : run.column("u")) ASSERT_NEAR(u / 0.2, std::round(u / 0.2), 1e-9);
  EXPECT_LT(run.last("u"), 2);
}

TEST(Controller, TrajectoriesStartAndEndAsTheyShould) {
  const Simulation run = simulated_text(disc("type: formula, is: 0", "end: 3, record: 0.25, rtol: 1e-9") +
                                        "define:\n  a: 'unit_step(t, 1)'\n  b: 'ramp(t, 1, 2)'\n  d: 'quintic(t, 1, "
                                        "2)'\n  e: 'trapezoid(t, 1, 2, 0.25)'\n");
  const auto a = run.column("a"), b = run.column("b"), d = run.column("d"), e = run.column("e");
  EXPECT_EQ(a[3], 0);
  EXPECT_EQ(a[5], 1);
  EXPECT_EQ(b[2], 0);
  EXPECT_NEAR(b[5], 0.25, 1e-12);
  EXPECT_EQ(b[12], 1);
  EXPECT_EQ(d[4], 0);
  EXPECT_NEAR(d[5], 0.103515625, 1e-12);
  EXPECT_NEAR(d[6], 0.5, 1e-12);
  EXPECT_EQ(d[12], 1);
  // rises over a quarter of the time, to the rate 4/3
  EXPECT_NEAR(e[5], 1.0 / 6, 1e-12);
  EXPECT_NEAR(e[6], 0.5, 1e-12);
  EXPECT_NEAR(e[7], 5.0 / 6, 1e-12);
  EXPECT_EQ(e[12], 1);
}

// A slider-crank under gravity stays where it is with the torque that balances it.
const char* slider_crank = R"(
plane: xy
gravity: [0, -9.81, 0]
bodies:
  arm: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 0.5}
joints:
  crank: {type: revolute, between: [ground, arm], damping: 0.1}
  knee: {type: revolute, between: ["arm [0.2, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
start: {keep: {crank: 0.7}, near: {knee: -1, slide: 0.6}}
simulate: {end: 2, record: 0.01, rtol: 1e-10}
)";

TEST(Controller, GravityCompensationHoldsAClosedLoop) {
  const Simulation run = simulated_text(std::string(slider_crank) +
                                        "controllers: {g: {type: gravity_compensation, on: [crank]}}\nforces: {hold: "
                                        "{type: effort, on: crank, is: g.crank}}\n");
  for (double x : run.column("crank")) ASSERT_NEAR(x, 0.7, 1e-9);
  EXPECT_GT(std::abs(run.last("g.crank")), 0.5);
}

// e'' + kd e' + kp e = 0, whatever the machine.
TEST(Controller, ComputedTorqueMakesTheErrorLinear) {
  const Simulation run =
      simulated_text(std::string(slider_crank) +
                     "controllers: {ctc: {type: computed_torque, on: [crank], target: ['sin(3*t)'], kp: 25, kd: 6}}\n"
                     "drives: {m: {type: dc_motor, on: crank, torque_constant: 0.2, resistance: 1, gear_ratio: 10, "
                     "rotor_inertia: 1e-4, torque: ctc.crank}}\n");
  // e(0) = -0.7, e'(0) = 3;  roots -3 +- 4i
  const auto t = run.column("t"), x = run.column("crank");
  const double a = -0.7, b = (3 + 3 * a) / 4;
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(std::sin(3 * t[k]) - x[k], std::exp(-3 * t[k]) * (a * std::cos(4 * t[k]) + b * std::sin(4 * t[k])),
                1e-8);
}

// Sampled, the same law holds in the limit of short periods, and the effort changes at samples only.
TEST(Controller, ComputedTorqueMayBeSampled) {
  const auto largest_error = [](const std::string& period) {
    const Simulation run = simulated_text(std::string(slider_crank) +
                                          "controllers: {ctc: {type: computed_torque, on: [crank], target: "
                                          "['sin(3*t)'], kp: 25, kd: 6, sampled: {period: " +
                                          period + "}}}\nforces: {drive: {type: effort, on: crank, is: ctc.crank}}\n");
    const auto t = run.column("t"), x = run.column("crank"), u = run.column("ctc.crank");
    const double a = -0.7, b = (3 + 3 * a) / 4;
    double largest = 0;
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double e = std::exp(-3 * t[k]) * (a * std::cos(4 * t[k]) + b * std::sin(4 * t[k]));
      largest = std::max(largest, std::abs(std::sin(3 * t[k]) - x[k] - e));
      if (period == "40 ms" && k > 1 && (k - 1) % 4 != 0) {
        EXPECT_EQ(u[k], u[k - 1]) << t[k];
      }
    }
    return largest;
  };
  const double coarse = largest_error("40 ms"), fine = largest_error("4 ms");
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(coarse / fine, 10, 4);  // the error of holding is proportional to the period
}

TEST(Controller, GravityCompensationMayBeSampled) {
  const Simulation run = simulated_text(
      std::string(slider_crank) +
      "controllers: {g: {type: gravity_compensation, on: [crank], sampled: {period: 10 ms}}}\nforces: {hold: "
      "{type: effort, on: crank, is: g.crank}}\n");
  for (double x : run.column("crank")) ASSERT_NEAR(x, 0.7, 1e-9);
}

// Half of what holds the crank lets it fall; rows are 10 ms apart, samples 40 ms, and a row at a sample shows what was held before it.
TEST(Controller, SampledGravityCompensationChangesAtItsSamplesOnly) {
  const Simulation run = simulated_text(
      std::string(slider_crank) +
      "controllers: {g: {type: gravity_compensation, on: [crank], sampled: {period: 40 ms}}}\nforces: {hold: "
      "{type: effort, on: crank, is: g.crank/2}}\n");
  const auto u = run.column("g.crank");
  for (std::size_t k = 2; k < u.size(); ++k) {
    if ((k - 1) % 4 == 0)
      EXPECT_NE(u[k], u[k - 1]) << k;
    else
      EXPECT_EQ(u[k], u[k - 1]) << k;
  }
}

// The output of a controller is a channel of its own name.
TEST(Controller, OutputsAreRecorded) {
  const Simulation run = simulated_text(disc("type: pd, measure: turn, target: 1, kp: 2, kd: 0.1"));
  const auto u = run.column("c"), x = run.column("turn"), v = run.column("turn'");
  for (std::size_t k = 0; k < u.size(); ++k) ASSERT_NEAR(u[k], 2 * (1 - x[k]) - 0.1 * v[k], 1e-12);
}

// The rate of what a controller integrates is known to formulas: c = 2 e + I, c' = 2 e' + e.
TEST(Controller, RatesOfStatesAreKnown) {
  const Simulation run = simulated_text(disc("type: pid, measure: turn, target: 1, kp: 2, ki: 1") +
                                        "record: {quantities: {rate: \"c'\"}}\n");
  const auto rate = run.column("rate"), x = run.column("turn"), v = run.column("turn'");
  for (std::size_t k = 0; k < rate.size(); ++k) ASSERT_NEAR(rate[k], -2 * v[k] + 1 - x[k], 1e-9);
}

TEST(Controller, ALoopWithoutDelayIsRefused) {
  try {
    prepared_text(disc("type: formula, is: 2*c2}\n  c2: {type: formula, is: c", "end: 1"));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("depends on itself"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace armature::internal
