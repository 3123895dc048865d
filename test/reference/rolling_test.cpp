// Constraints on velocities alone, against exact motions.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "inspect/check.hpp"
#include "model/formulations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

const char* const disc = R"(
plane: xy
gravity: [0, -9.81, 0]
parameters: {slope: 20 deg, r: 0.1 m, m: 2 kg}
bodies: {disc: {mass: m, inertia: {zz: m*r^2/2}}}
points: {top: [0, 0, 0]}
joints: {j: {type: planar, between: [ground, disc]}}
constraints: {roll: {type: rolling, between: [{circle: disc, radius: r}, {plane: ground, normal: "[sin(slope), cos(slope), 0]"}]}}
start: {keep: {j.x: r*sin(slope), j.y: r*cos(slope)}}
)";

// A uniform disc rolls down with 2/3 g sin(slope); the ground holds it with m g cos(slope) and a third of m g sin(slope).
void expect_rolling_down(const std::string& options, double tolerance) {
  const Simulation run = simulated_text(std::string(disc) + "simulate: {end: 2, record: 10 ms, " + options + "}\n");
  const double slope = 20 * std::numbers::pi / 180, way = 0.5 * (2.0 / 3 * 9.81 * std::sin(slope)) * 4;
  EXPECT_NEAR(run.last("j.x"), 0.1 * std::sin(slope) + way * std::cos(slope), tolerance) << options;
  EXPECT_NEAR(run.last("j.y"), 0.1 * std::cos(slope) - way * std::sin(slope), tolerance) << options;
  EXPECT_NEAR(run.last("j.angle"), -way / 0.1, 10 * tolerance) << options;
  EXPECT_NEAR(std::abs(run.last("lambda.roll.gap")), 2 * 9.81 * std::cos(slope), 100 * tolerance) << options;
  EXPECT_NEAR(std::abs(run.last("lambda.roll.slip")), 2 * 9.81 * std::sin(slope) / 3, 100 * tolerance) << options;
}

TEST(Rolling, ADiscRollsDownASlope) { expect_rolling_down("rtol: 1e-10", 1e-10); }

TEST(Rolling, EveryFormulationRollsADiscDown) {
  for (const auto& formulation : formulation_table)
    expect_rolling_down("rtol: 1e-10, formulation: " + std::string(formulation.name), 1e-9);
}

TEST(Rolling, BaumgarteAndImplicitIntegratorsRollADiscDown) {
  expect_rolling_down("integrator: rk4, step: 1 ms, stabilization: {baumgarte: {alpha: 20, beta: 100}}", 1e-9);
  expect_rolling_down("integrator: ida, rtol: 1e-10", 1e-6);
  expect_rolling_down("integrator: cvode_bdf, rtol: 1e-10", 1e-6);
  expect_rolling_down("integrator: radau5, rtol: 1e-10", 1e-7);
}

// Chaplygin's sleigh from rest of its blade, with the spin w0: its center of mass is a before the blade,
//   v = V tanh(b t),   w = w0/cosh(b t),   V = w0 sqrt((J + m a^2)/m),   b = a w0^2/V,   heading = 2 w0/b atan(tanh(b t/2))
const char* const sleigh = R"(
plane: xy
gravity: [0, 0, 0]
bodies: {sleigh: {mass: 3, center: [0.4, 0, 0], inertia: {zz: 0.2}}}
joints: {j: {type: planar, between: [ground, sleigh]}}
constraints: {blade: {type: knife_edge, between: [sleigh, ground], across: y}}
start: {speed: {j.angle: 2}}
)";

TEST(Rolling, ChaplyginSleigh) {
  for (const char* options :
       {"rtol: 1e-12", "rtol: 1e-12, formulation: udwadia_kalaba", "rtol: 1e-12, integrator: dop853",
        "integrator: rk4, step: 0.2 ms, formulation: null_space"}) {
    const Simulation run = simulated_text(std::string(sleigh) + "simulate: {end: 4, record: 10 ms, " + options + "}\n");
    const double V = 2 * std::sqrt((0.2 + 3 * 0.16) / 3), b = 0.4 * 4 / V, t = 4;
    const double heading = 2 * 2 / b * std::atan(std::tanh(b * t / 2));
    EXPECT_NEAR(run.last("j.angle'"), 2 / std::cosh(b * t), 1e-9) << options;
    EXPECT_NEAR(run.last("j.angle"), heading, 1e-9) << options;
    EXPECT_NEAR(std::hypot(run.last("j.x'"), run.last("j.y'")), V * std::tanh(b * t), 1e-9) << options;
    EXPECT_NEAR(std::atan2(run.last("j.y'"), run.last("j.x'")), heading, 1e-9) << options;
    EXPECT_LT(run.outcome.statistics.energy_error, 1e-9) << options;
  }
}

TEST(Rolling, DegreesOfFreedomOfPositionsAndOfVelocities) {
  const Prepared start = prepared_text(sleigh);
  const CheckReport report = check(read_model_text(std::string("armature: 1\n") + sleigh), *start.system, start.start);
  EXPECT_EQ(report.degrees_of_freedom, 2);
  EXPECT_EQ(report.position_degrees_of_freedom, 3);
}

// A uniform ball on a turntable that turns with W goes around a circle with 2/7 W, whatever the radius and the place (Earnshaw).
TEST(Rolling, ABallOnATurntable) {
  const Simulation run = simulated_text(R"(
gravity: [0, 0, -9.81]
parameters: {W: 3 rad/s, r: 0.1 m}
bodies:
  table: {mass: 10, inertia: {zz: 5}}
  ball: {mass: 1, inertia: {sphere: r}}
joints:
  turn: {type: revolute, axis: z, between: [ground, table]}
  j: {type: free, between: [ground, ball]}
constraints:
  drive: {type: prescribed, zero: turn - W*t}
  roll: {type: rolling, between: [{sphere: ball, radius: r}, {plane: table, normal: z}]}
start: {keep: {j.x: 0.5, j.z: r}, speed: {j.x: 0.2, j.y: 0.6, near: {turn: 3}}}
simulate: {end: 5, record: 10 ms, rtol: 1e-11}
)");
  // v turns with 2/7 W: p = c + v0 x …
  const double w = 2.0 / 7 * 3, t = 5, vx = 0.2, vy = 0.6;
  const double cx = 0.5 - vy / w, cy = vx / w;
  const double px = cx + (vy * std::cos(w * t) + vx * std::sin(w * t)) / w,
               py = cy + (vy * std::sin(w * t) - vx * std::cos(w * t)) / w;
  EXPECT_NEAR(run.last("j.x"), px, 1e-8);
  EXPECT_NEAR(run.last("j.y"), py, 1e-8);
}

// A planet wheel that rolls on a fixed sun: the carrier turns once while the wheel turns 1 + R/r times.
TEST(Rolling, AWheelRollsOnAWheel) {
  const Simulation run = simulated_text(R"(
plane: xy
gravity: [0, 0, 0]
bodies:
  carrier: {mass: 1, inertia: {zz: 0.1}}
  wheel: {mass: 1, inertia: {zz: 0.01}}
joints:
  turn: {type: revolute, between: [ground, carrier]}
  axle: {type: revolute, between: ["carrier [0.5, 0, 0]", wheel]}
constraints: {mesh: {type: rolling, between: [{circle: wheel, radius: 0.2}, {circle: ground, radius: 0.3}]}}
start: {speed: {turn: 1}}
simulate: {end: 3, record: 10 ms, rtol: 1e-10}
)");
  EXPECT_NEAR(run.last("turn"), 3, 1e-9);
  EXPECT_NEAR(run.last("axle"), 3 * 0.3 / 0.2, 1e-9);
}

}  // namespace
}  // namespace armature::internal
