// A supply with its battery, capacitor and chopper, which feeds motors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drive/other_drives.hpp"
#include "support/extrapolation.hpp"

namespace armature::internal {
namespace {

// A disc with a DC motor that accelerates and brakes, on a supply.
std::string on_supply(const std::string& supply, const std::string& motor, const std::string& simulate) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.05}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\n"
         "drives:\n  bus: {type: supply, " +
         supply + "}\n  m: {on: turn, supply: bus, " + motor + "}\nsimulate: {" + simulate + "}\n";
}
const std::string small_battery =
    "open_circuit: {charge: [0, 0.5, 1], voltage: [40, 48, 52]}, capacity: 0.02 A*h, charge: 0.9, resistance: 0.2, "
    "capacitance: 2e-3";
const std::string dc = "type: dc_motor, torque_constant: 0.2, resistance: 0.5, inductance: 2e-3, ";

TEST(Supply, FollowsItsDifferentialEquations) {
  const double Q = 72, R = 0.2, C = 2e-3, L = 2e-3, K = 0.2, J = 0.05;
  const auto rates = [&](Own t, const OwnState& y) {
    const Own V = y[0], charge = y[1], i = y[2], w = y[3], v = 20 * std::cos(3 * t);
    const Own E = charge > 0.5 ? 48 + 8 * (charge - 0.5) : 40 + 16 * charge, I = (E - V) / R;
    return OwnState{(I - v * i / V) / C, -I / Q, (v - 0.5 * i - K * w) / L, K * i / J};
  };
  const OwnState own = integrated(rates, {51.2, 0.9, 0, 0}, 0, 1, 4000);
  const Simulation run = simulated_text(on_supply(small_battery, dc + "voltage: 20*cos(3*t)",
                                                  "end: 1, record: 0.1, rtol: 1e-13, atol: 1e-13, integrator: dop853"));
  EXPECT_NEAR(run.last("bus.voltage"), own[0], 1e-12);
  EXPECT_NEAR(run.last("bus.charge"), own[1], 1e-12);
  EXPECT_NEAR(run.last("m.current"), own[2], 1e-12);
  EXPECT_NEAR(run.last("turn'"), own[3], 1e-12);
}

// What leaves the battery is the integral of its voltage over its charge: capacity (W(c0) - W(c)).
TEST(Supply, BalancesTheEnergyOfItsBattery) {
  const auto stored = [](double c) {
    return 72 * (c > 0.5 ? 22 + 48 * (c - 0.5) + 4 * (c - 0.5) * (c - 0.5) : 40 * c + 8 * c * c);
  };
  const Simulation run = simulated_text(on_supply(
      small_battery,
      "type: pmsm, pole_pairs: 3, flux: 0.05, resistance: 0.1, inductance: 1e-3, rotor_inertia: 1e-3, control: "
      "{bandwidth: 150 Hz}, limits: {current: 20}, torque: 'if(t < 1.5, 1.5, -1.2)'",
      "end: 2.5, record: 1 ms, rtol: 1e-11"));
  const auto charge = run.column("bus.charge"), work = run.column("work.electrical");
  double lowest = 1;
  for (std::size_t k = 0; k < charge.size(); ++k) {
    ASSERT_NEAR(work[k], stored(0.9) - stored(charge[k]), 1e-9 * stored(0.9));
    lowest = std::min(lowest, charge[k]);
  }
  EXPECT_GT(charge.back(), lowest + 1e-3);  // braking charges it again
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9 * stored(0.9));
}

// A rectifier takes nothing back: the chopper holds the link, exactly, and burns what the motor brakes.
TEST(Supply, BurnsInItsChopperWhatARectifierCannotTakeBack) {
  const Simulation run = simulated_text(on_supply(
      "voltage: 48, resistance: 0.2, capacitance: 2e-3, rectifier: true, chopper: {voltage: 55, resistance: 4}",
      dc + "voltage: 'if(t < 0.5, 40, 20)'", "end: 1, record: 1 ms, rtol: 1e-10"));
  const auto V = run.column("bus.voltage"), I = run.column("bus.current");
  EXPECT_NEAR(*std::ranges::max_element(V), 55, 1e-8);
  EXPECT_GE(*std::ranges::min_element(I), 0);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-7 * run.last("work.electrical"));
}

// A motor gets no more voltage than its supply has.
TEST(Supply, LimitsTheVoltageOfItsMotors) {
  const Simulation run = simulated_text(on_supply("voltage: 48, resistance: 0.5, capacitance: 2e-3",
                                                  dc + "voltage: 100", "end: 0.2, record: 1 ms, rtol: 1e-9"));
  const auto V = run.column("bus.voltage"), v = run.column("m.voltage");
  for (std::size_t k = 0; k < V.size(); ++k) ASSERT_NEAR(v[k], V[k], 1e-12 * 48);
  EXPECT_LT(*std::ranges::min_element(V), 40);
}

// turn = 20 t^2: the charge that a motion takes.
TEST(Supply, StaysInInverseDynamics) {
  const InvertedRun run =
      inverted_text(on_supply(small_battery, dc + "voltage: 0", "end: 1, record: 0.1, rtol: 1e-10") +
                    "inverse: {motion: {turn: 20*t^2}}\n");
  EXPECT_NEAR(run.last("m.torque"), 2, 1e-10);
  EXPECT_LT(run.last("bus.charge"), 0.9);
}

TEST(Supply, IsNamedWhereItIsMissing) {
  try {
    prepared_text(
        "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.05}}}\n"
        "joints: {turn: {type: revolute, between: [ground, disc]}}\n"
        "drives: {m: {on: turn, supply: mains, voltage: 1, " +
        dc.substr(0, dc.size() - 2) + "}}\n");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_EQ(error.diagnostics().at(0).message, "there is no supply 'mains' among the drives");
  }
}

}  // namespace
}  // namespace armature::internal
