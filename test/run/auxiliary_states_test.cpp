// Auxiliary states of the file: quantities with a rate of their own.
#include <gmock/gmock.h>

#include <cmath>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

const std::string free_rotor = R"(gravity: [0, 0, 0]
bodies: {wheel: {mass: 1 kg, inertia: {zz: 0.02}}}
joints: {angle: {type: revolute, axis: z, between: [ground, wheel]}}
)";

TEST(AuxiliaryStates, FollowTheirRateFromTheirStart) {
  const Simulation run = simulated_text(free_rotor + R"(
parameters: {T: 2 s}
states: {p: {rate: -p/T, start: 3 K, unit: K}}
define: {rate_of_p: "p'"}
simulate: {end: 4 s, record: 0.5 s, rtol: 1e-10}
)");
  for (int row = 0; row < 9; ++row) {
    const double exact = 3 * std::exp(-0.25 * row);
    EXPECT_NEAR(run.at(row, "p"), exact, 1e-8);
    EXPECT_NEAR(run.at(row, "rate_of_p"), -exact / 2, 1e-8);
  }
}

// The current of a winding, written out, drives the wheel as the motor of the file does.
TEST(AuxiliaryStates, ActBackOnTheMotion) {
  const std::string options = "simulate: {end: 0.5 s, record: 50 ms, rtol: 1e-10}\n";
  const Simulation own = simulated_text(free_rotor + R"(
parameters: {k: 0.1, R: 1 Ohm, L: 20 mH, u: 12 V}
states: {i: {rate: "(u - R*i - k*(1 V*s)*angle')/L", unit: A}}
forces: {torque: {type: effort, on: angle, is: k*(1 N*m/A)*i}}
)" + options);
  const Simulation motor = simulated_text(free_rotor + R"(
drives: {m: {type: dc_motor, on: angle, voltage: 12 V, torque_constant: 0.1, resistance: 1 Ohm, inductance: 20 mH}}
)" + options);
  for (int row = 0; row <= 10; ++row) {
    EXPECT_NEAR(own.at(row, "angle"), motor.at(row, "angle"), 1e-8);
    EXPECT_NEAR(own.at(row, "i"), motor.at(row, "m.current"), 1e-7);
  }
}

// A state that follows another, in either order.
TEST(AuxiliaryStates, UseOneAnother) {
  const Simulation run = simulated_text(free_rotor + R"(
states:
  second: {rate: first}
  first: {rate: 1 - second}
simulate: {end: 1 s, record: 1 s, rtol: 1e-10}
)");
  EXPECT_NEAR(run.at(1, "first"), std::sin(1), 1e-8);
  EXPECT_NEAR(run.at(1, "second"), 1 - std::cos(1), 1e-8);
}

TEST(AuxiliaryStates, OfAStartBeginThere) {
  const Simulation run = simulated_text(free_rotor + R"(
states: {p: {rate: 0, start: 3}}
start: {keep: {p: 5}}
simulate: {end: 1 s, record: 1 s}
)");
  EXPECT_EQ(run.at(0, "p"), 5);
}

std::string complaint(const std::string& states) {
  try {
    prepared_text(free_rotor + states);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "none";
}

TEST(AuxiliaryStates, AreRefusedWithASentence) {
  EXPECT_THAT(complaint("states: {p: {start: 3}}\n"), HasSubstr("states.p: 'rate' is missing"));
  EXPECT_THAT(complaint("states: {p: {rate: 3 K, unit: K}}\n"), HasSubstr("states.p.rate: expected K/s"));
  EXPECT_THAT(complaint("states: {p: {rate: 0, start: 3 m, unit: K}}\n"), HasSubstr("states.p.start: expected K"));
  EXPECT_THAT(complaint("states: {p: {rate: 0, start: t}}\n"), HasSubstr("states.p.start:"));
  EXPECT_THAT(complaint("states: {p: {rate: q}}\n"), HasSubstr("unknown name 'q'"));
  EXPECT_THAT(complaint("states: {p: {rate: 0, unit: deg}}\n"), HasSubstr("'deg' is not an SI unit"));
  EXPECT_THAT(complaint("states: {angle: {rate: 0}}\n"), HasSubstr("angle"));
}

}  // namespace
}  // namespace armature::internal
