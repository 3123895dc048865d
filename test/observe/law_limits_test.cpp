// Drives whose laws end somewhere: a run beyond that says so.
#include <gmock/gmock.h>

#include "model/findings.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string drained(const std::string& capacity) {
  return R"(
gravity: [0, 0, 0]
bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}
joints: {x: {type: revolute, axis: z, between: [ground, m], damping: 1}}
drives:
  battery: {type: supply, open_circuit: {charge: [0, 1], voltage: [40, 54]}, capacity: )" +
         capacity + R"( A*s, charge: 0.3, resistance: 0.5, capacitance: 50 mF}
  motor: {type: dc_motor, on: x, voltage: 30, torque_constant: 1, resistance: 1, supply: battery}
simulate: {end: 2 s, record: 0.1 s, integrator: cvode_bdf}
)";
}

// It takes about 12 A: an empty battery after half a second, and one that lasts.
TEST(LawLimits, ABatteryIsEmpty) {
  const Simulation run = simulated_text(drained("20"));
  EXPECT_LT(run.column("battery.charge").back(), 0);
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("drives.battery is empty")));
  ASSERT_THAT(run.outcome.findings, Not(IsEmpty()));
  EXPECT_EQ(run.outcome.findings[0].code, FindingCode::law);
  EXPECT_THAT(simulated_text(drained("2000")).outcome.findings, IsEmpty());
}

std::string driven_cylinder(const std::string& start) {
  return R"(
gravity: [0, 0, 0]
bodies: {m: {mass: 100}}
joints: {x: {type: prismatic, axis: x, between: [ground, m], damping: 10}}
drives:
  cylinder: {type: hydraulic_cylinder, on: x, valve: 0.2, bore: 50 mm, rod: 30 mm, stroke: 0.3 m, rated_flow: 1e-3 m^3/s,
             supply_pressure: 100 bar}
start: {keep: {x: )" +
         start + R"(}}
simulate: {end: 0.5 s, record: 10 ms, integrator: cvode_bdf}
)";
}

// At about 0.15 m/s: it gets from 0.1 m to 0.17 m, and from 0.25 m beyond its stroke.
TEST(LawLimits, APistonIsBeyondItsStroke) {
  EXPECT_THAT(simulated_text(driven_cylinder("0.1")).outcome.warnings(), Not(Contains(HasSubstr("beyond its stroke"))));
  EXPECT_THAT(simulated_text(driven_cylinder("0.25")).outcome.warnings(),
              Contains(HasSubstr("drives.cylinder is pulled out beyond its stroke; give its coordinate limits")));
}

std::string motor_on_20_volts(const std::string& motor) {
  return R"(
gravity: [0, 0, 0]
bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 0.05}}}
joints: {x: {type: revolute, axis: z, between: [ground, m], damping: 0.05}}
drives:
  source: {type: supply, voltage: 20, resistance: 0.01, capacitance: 50 mF}
  motor: {on: x, )" +
         motor + R"(}
simulate: {end: 2 s, record: 10 ms, integrator: cvode_bdf}
)";
}

// 10 A and 0.1 V s: it comes to 20 rad/s, at 7 V; with three times the current to 35 V.
TEST(LawLimits, ACurrentNeedsMoreVoltageThanThereIs) {
  const std::string dc = "type: dc_motor, torque_constant: 0.1, resistance: 0.5, supply: source, current: ";
  EXPECT_THAT(simulated_text(motor_on_20_volts(dc + "10")).outcome.warnings(), IsEmpty());
  EXPECT_THAT(simulated_text(motor_on_20_volts(dc + "40")).outcome.warnings(),
              Contains(HasSubstr("drives.motor needs more voltage")));
  const std::string pmsm =
      "type: pmsm, pole_pairs: 4, flux: 0.1, resistance: 0.2, inductance: 2 mH, dc_voltage: 20, current: ";
  EXPECT_THAT(simulated_text(motor_on_20_volts(pmsm + "1")).outcome.warnings(), IsEmpty());
  EXPECT_THAT(simulated_text(motor_on_20_volts(pmsm + "10")).outcome.warnings(),
              Contains(HasSubstr("drives.motor needs more voltage")));
}

// 300 A through half an ohm are 45 kW, but a source of 20 V and 0.1 Ohm has 1 kW.
TEST(LawLimits, ASupplyBreaksDown) {
  std::string text =
      motor_on_20_volts("type: dc_motor, torque_constant: 0.1, resistance: 0.5, supply: source, torque: 30");
  text.replace(text.find("0.01"), 4, "0.1");
  const Simulation run = simulated(prepared(read_model_text("armature: 1\n" + text)));
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence,
              AnyOf(HasSubstr("drives.source breaks down"), HasSubstr("drives.motor needs more voltage")));
  EXPECT_THAT(run.outcome.warnings(), Contains(HasSubstr("drives.motor needs more voltage")));
}

}  // namespace
}  // namespace armature::internal
