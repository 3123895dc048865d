// One motor with a load against closed forms; limits; gears.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// A disc of 0.02 kg m^2 on a shaft without gravity, driven through a gear of ratio r.
std::string disc(const std::string& motor, const std::string& more = "simulate: {end: 1, record: 1 ms, rtol: 1e-10}") {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\n"
         "drives:\n  m: {type: dc_motor, on: turn, " +
         motor + "}\n" + more;
}

const std::string constants =
    "torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, viscous_friction: 0.01, gear_ratio: -4, ";
constexpr double K = 0.5, R = 2, d = 0.01, r = -4, J = 0.02 + r * r * 1e-3;

// J w' = r K i - r^2 d w,  i = (V - K r w)/R:  w = w_end (1 - exp(-t/T)).
TEST(Motor, RisesToItsSpeedAsTheClosedForm) {
  const Simulation run = simulated_text(disc(constants + "voltage: 6"));
  const double damping = r * r * (d + K * K / R), w_end = r * K * 6 / R / damping, T = J / damping;
  const auto t = run.column("t"), w = run.column("turn'"), i = run.column("m.current");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = w_end * (1 - std::exp(-t[k] / T));
    ASSERT_NEAR(w[k], expected, 1e-8);
    ASSERT_NEAR(i[k], (6 - K * r * expected) / R, 1e-8);
  }
}

// With inductance: two real or complex eigenvalues of (w, i).
TEST(Motor, WithInductanceRisesAsTheClosedForm) {
  const double L = 0.05, a = -r * r * d / J, b = r * K / J, c = -K * r / L, e = -R / L;
  const Simulation run = simulated_text(disc(constants + "inductance: 50 mH, voltage: 6"));
  // w'' - (a+e) w' + (ae - bc) w = b 6/L, w(0) = 0, w'(0) = 0
  const double trace = a + e, det = a * e - b * c, w_end = b * 6 / L / det, s = trace / 2, disc2 = s * s - det;
  ASSERT_LT(disc2, 0);
  const double f = std::sqrt(-disc2);
  const auto t = run.column("t"), w = run.column("turn'");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(w[k], w_end * (1 - std::exp(s * t[k]) * (std::cos(f * t[k]) - s / f * std::sin(f * t[k]))), 1e-8);
}

TEST(Motor, CurrentLimitHoldsExactly) {
  for (const char* inductance : {"", "inductance: 5 mH, "}) {
    const Simulation run = simulated_text(disc(constants + inductance + "limits: {current: 1.5}, voltage: 6"));
    double largest = 0;
    for (double i : run.column("m.current")) largest = std::max(largest, std::abs(i));
    EXPECT_NEAR(largest, 1.5, 1e-9) << inductance;
    EXPECT_LE(largest, 1.5 + 1e-9) << inductance;
    EXPECT_LT(run.last("m.current"), 1.5);  // the speed has risen
  }
}

TEST(Motor, VoltageLimitHoldsExactly) {
  const Simulation run = simulated_text(disc(constants + "limits: {voltage: 4}, voltage: 10*sin(20*t)"));
  double largest = 0;
  for (double V : run.column("m.voltage")) largest = std::max(largest, std::abs(V));
  EXPECT_EQ(largest, 4);
}

TEST(Motor, SpeedLimitHoldsExactly) {
  const Simulation run =
      simulated_text(disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, viscous_friction: 0.001, "
                          "limits: {speed: 10}, current: 1"));
  double largest = 0;
  for (double w : run.column("m.speed")) largest = std::max(largest, std::abs(w));
  EXPECT_NEAR(largest, 10, 1e-9);
  EXPECT_NEAR(run.last("m.speed"), 10, 1e-9);
  EXPECT_NEAR(run.last("m.current"), 0.001 * 10 / 0.5, 1e-9);  // what the friction takes
}

TEST(Motor, TorqueAndCurrentSourcesDoAsTold) {
  const Simulation torque = simulated_text(disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, torque: 0.1*t"));
  EXPECT_NEAR(torque.last("turn'"), 0.1 * 0.5 / 0.02, 1e-9);
  EXPECT_NEAR(torque.last("m.current"), 0.1 / (4 * 0.5), 1e-12);
  const Simulation current = simulated_text(disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, current: 0.2"));
  EXPECT_NEAR(current.last("turn'"), 4 * 0.5 * 0.2 / 0.02, 1e-8);
}

// V = R i + K_e w + L di/dt, and the winding stores energy.
TEST(Motor, VoltageOfACurrentSourceHasItsInductivePart) {
  const Simulation run = simulated_text(disc(constants + "inductance: 0.3, current: 0.2*sin(10*t)"));
  const auto t = run.column("t"), V = run.column("m.voltage"), w = run.column("turn'");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(V[k], R * 0.2 * std::sin(10 * t[k]) + K * r * w[k] + 0.3 * 2 * std::cos(10 * t[k]), 1e-12);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
  const Simulation jumps = simulated_text(disc(constants + "inductance: 0.3, current: 'if(t > 0.5, 1, 0)'"));
  EXPECT_EQ(jumps.prepared.system->equations().warnings.size(), 1u);
}

// A start current is kept: without voltage at rest it decays with R/L.
TEST(Motor, StartsWithItsCurrent) {
  const Simulation run = simulated_text(disc("torque_constant: 1e-9, resistance: 2, inductance: 0.5, voltage: 0",
                                             "start: {keep: {turn: 0.1, m.current: 3 A}}\n"
                                             "simulate: {end: 1, record: 0.1, rtol: 1e-10}"));
  EXPECT_EQ(run.at(0, "m.current"), 3);
  EXPECT_NEAR(run.last("m.current"), 3 * std::exp(-4.0), 1e-9);
}

// At fixed steps comparisons are not located, but what is limited is limited at every evaluation and in every row.
TEST(Motor, LimitsHoldAtFixedSteps) {
  const std::string more = "simulate: {end: 1, record: 1 ms, integrator: rk4, step: 7 ms}";
  const auto largest = [](const std::vector<double>& column) {
    return std::abs(
        *std::max_element(column.begin(), column.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  };
  const Simulation volts = simulated_text(disc(constants + "limits: {voltage: 4}, voltage: 10*sin(20*t)", more));
  EXPECT_EQ(largest(volts.column("m.voltage")), 4);
  const Simulation amperes = simulated_text(disc(constants + "limits: {current: 1.5}, voltage: 10*sin(20*t)", more));
  EXPECT_EQ(largest(amperes.column("m.current")), 1.5);
}

// A current that is a state passes its limit by what it changes in a step: that is said with numbers.
TEST(Motor, SaysHowFarFixedStepsPassACurrentLimit) {
  const auto run = [](const char* integrator) {
    return simulated_text(
        disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, inductance: 2 mH, "
             "limits: {current: 2}, voltage: 24",
             std::string("simulate: {end: 0.1, record: 1 ms, integrator: ") + integrator + "}"));
  };
  const Simulation coarse = run("rk4, step: 1 ms");
  const Peak& peak = coarse.outcome.peaks.at(0);
  EXPECT_GT(peak.value, 4);
  ASSERT_EQ(coarse.outcome.warnings().size(), 3u);  // the third: the energy balance, off with steps so coarse
  EXPECT_TRUE(coarse.outcome.warnings()[1].starts_with(
      fmt::format("m.current exceeds its limit of 2 A: it reaches {:.4g} A at t = {:.4g} s, because rk4 with steps of "
                  "0.001 s",
                  peak.value, peak.t)))
      << coarse.outcome.warnings()[1];
  EXPECT_TRUE(coarse.outcome.warnings()[2].starts_with("the energy balance is off by")) << coarse.outcome.warnings()[2];
  EXPECT_EQ(run("rk4, step: 1e-6").outcome.warnings().size(), 1u);
  EXPECT_TRUE(run("dopri5").outcome.warnings().empty());
}

// At rest 12 V on 2 Ohm heat the winding: C T' = R i^2 - (T - T0)/R_th with R = R0 (1 + a (T - T0)) held by a = 0.
TEST(Motor, WindingWarmsUp) {
  const Simulation run =
      simulated_text(disc("torque_constant: 0.5, resistance: 2, current: 3, winding: {heat_capacity: 10, "
                          "thermal_resistance: 4, ambient: 300}",
                          "simulate: {end: 50, record: 1, rtol: 1e-10}"));
  EXPECT_NEAR(run.last("m.temperature"), 300 + 4 * 18 * (1 - std::exp(-50.0 / 40)), 1e-6);
}

TEST(Motor, CoulombFrictionHoldsAWeakMotor) {
  const Simulation run = simulated_text(disc(constants + "coulomb_friction: 0.6, voltage: 2"));  // 0.5 N m at the shaft
  for (double w : run.column("turn'")) ASSERT_NEAR(w, 0, 1e-12);
}

// A stiff gear follows the rigid one; energy is kept all the same.
TEST(Motor, ElasticGearTendsToTheRigidOne) {
  const std::string more = "simulate: {end: 0.5, record: 1 ms, rtol: 1e-10}";
  const Simulation rigid = simulated_text(disc(constants + "voltage: 6", more));
  const Simulation elastic =
      simulated_text(disc(constants + "elastic: {stiffness: 1e5, damping: 10}, voltage: 6", more));
  EXPECT_NEAR(elastic.last("turn"), rigid.last("turn"), 1e-4 * std::abs(rigid.last("turn")));
  EXPECT_NEAR(elastic.at(0, "m.rotor"), 0, 1e-12);
  EXPECT_NEAR(elastic.last("m.rotor") / r, elastic.last("turn"), 1e-4);
  EXPECT_LT(elastic.outcome.statistics.energy_error, 1e-8);
}

// Within the free play the rotor turns alone.
TEST(Motor, BacklashLetsTheRotorTurnAlone) {
  const Simulation run =
      simulated_text(disc("torque_constant: 0.5, resistance: 2, rotor_inertia: 1e-3, gear_ratio: 4, "
                          "elastic: {stiffness: 1e4, damping: 1, backlash: 0.02}, current: 0.01",
                          "simulate: {end: 0.2, record: 1 ms, rtol: 1e-10}"));
  const auto t = run.column("t"), rotor = run.column("m.rotor"), turn = run.column("turn");
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double free = 0.5 * 0.5 * 0.01 / 1e-3 * t[k] * t[k];
    if (free / 4 > 0.01) {
      EXPECT_GT(run.last("turn"), 0);
      return;
    }
    ASSERT_NEAR(rotor[k], free, 1e-9);
    ASSERT_EQ(turn[k], 0);
  }
  FAIL() << "the play was never used up";
}

// Viscous friction stands on the motor's side: the gear passes its share of K_m i - d w. At constant speed the joint's own
// damping b takes all of it: n r (K_m i - r d x') = b x'.
TEST(Motor, EfficiencyActsBehindTheMotorsFriction) {
  const Simulation run = simulated_text(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
      "joints: {turn: {type: revolute, between: [ground, disc], damping: 0.5}}\n"
      "drives: {m: {type: dc_motor, on: turn, torque_constant: 0.5, resistance: 2, gear_ratio: 4, viscous_friction: "
      "0.01, "
      "efficiency: 0.8, current: 0.2}}\nsimulate: {end: 20, record: 1, rtol: 1e-10}");
  const double speed = 0.8 * 4 * 0.5 * 0.2 / (0.5 + 0.8 * 16 * 0.01);
  EXPECT_NEAR(run.last("turn'"), speed, 1e-8);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-8);
}

TEST(Motor, EfficiencyLosesItsShare) {
  const Simulation run =
      simulated_text(disc("torque_constant: 0.5, resistance: 2, gear_ratio: 4, efficiency: 0.8, current: 0.2"));
  EXPECT_NEAR(run.last("turn'"), 0.8 * 4 * 0.5 * 0.2 / 0.02, 1e-8);
  EXPECT_NEAR(run.last("heat.friction"), 0.2 * (run.last("work.electrical") - run.last("heat.joule")), 1e-8);
}

}  // namespace
}  // namespace armature::internal
