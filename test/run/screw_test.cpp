// The screw joint: against closed forms, and against a cylindrical joint whose slide is prescribed.
#include <gmock/gmock.h>

#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

constexpr double pitch = 5e-3, lead = pitch / (2 * std::numbers::pi);
constexpr double torque = 0.1, m = 8, J = 2e-5, g = 9.81;

// Energy: 1/2 (J + m l^2) w^2, and the torque lifts the table by l in a radian.
double acceleration() { return (torque - m * g * lead) / (J + m * lead * lead); }

void expect_lifted(const Simulation& run) {
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const double angle = 0.5 * acceleration() * 0.5 * 0.5;
  EXPECT_NEAR(run.last("guide"), lead * angle, 1e-7 * lead * angle);  // rtol is 1e-8
  EXPECT_NEAR(run.last("bearing"), -angle, 1e-7 * angle);
  EXPECT_NEAR(run.last("thread"), angle, 1e-7 * angle);  // 30 turns, counted
  EXPECT_NEAR(run.last("thread'"), acceleration() * 0.5, 1e-7 * acceleration());
}

TEST(Screw, LiftsATableInALoopThatItCloses) { expect_lifted(simulated(shipped("lead_screw"))); }

TEST(Screw, LiftsItWhicheverJointClosesTheLoop) {
  for (const int cut : {0, 1}) {
    Model model = shipped("lead_screw");
    model.joints[2].cut = false;
    model.joints[static_cast<std::size_t>(cut)].cut = true;
    SCOPED_TRACE(model.joints[static_cast<std::size_t>(cut)].name);
    expect_lifted(simulated(model));
  }
}

// The same machine along a slanted axis, where zeros of its rows are round-off. Inertia: 4e-3 (1 - n n') + J n n'.
TEST(Screw, LiftsATableAlongASlantedAxis) {
  expect_lifted(simulated(prepared_text(R"(gravity: [0, -5.886, -7.848]
bodies:
  spindle: {mass: 0.5, center: [0, 0.09, 0.12], inertia: {xx: 4e-3, yy: 2.5672e-3, zz: 1.4528e-3, yz: -1.9104e-3}}
  table: {mass: 8, inertia: {box: [0.2, 0.2, 0.2]}}
joints:
  bearing: {type: revolute, axis: [0, 3, 4], between: [ground, spindle]}
  guide: {type: prismatic, axis: [0, 3, 4], between: [ground, table]}
  thread: {type: screw, pitch: 5 mm, axis: [0, 3, 4], between: [spindle, table], cut: true}
forces: {motor: {type: effort, on: bearing, is: -0.1}}
simulate: {end: 0.5, record: 0.005}
)")));
}

TEST(Screw, LiftsItByEveryImplicitMethodAndFormulation) {
  for (const char* integrator : {"radau5", "cvode_bdf", "ida"}) {
    Model model = shipped("lead_screw");
    model.simulate.integrator = integrator;
    const Simulation run = simulated(model);
    EXPECT_NEAR(run.last("guide") / (0.125 * lead * acceleration()), 1, 1e-5) << integrator;
  }
  for (const char* formulation : {"null_space", "udwadia_kalaba", "proximal"}) {
    Model model = shipped("lead_screw");
    model.simulate.formulation = formulation;
    expect_lifted(simulated(model));
  }
}

// The thread carries the table: force m (g + z''), and the moment that pushes it up the thread, force times lead.
TEST(Screw, TransmitsForceAndMoment) {
  const Simulation run = simulated(shipped("lead_screw"));
  const double force = m * (g + lead * acceleration());
  EXPECT_NEAR(run.at(50, "thread.fz"), force, 1e-6 * force);
  EXPECT_NEAR(std::abs(run.at(50, "thread.mz")), force * lead, 1e-6 * force * lead);
}

// A nut on a spindle that stands: it falls, turning, with m g l = (J + m l^2) q''.
std::string falling_nut(const std::string& sign) {
  return R"yaml(gravity: [0, 0, -9.81]
bodies: {nut: {mass: 2, inertia: {xx: 1e-3, yy: 1e-3, zz: 4e-4}}}
joints: {thread: {type: screw, pitch: )yaml" +
         sign + R"yaml(40 mm, axis: z, between: [ground, nut]}}
record: {quantities: {z: "dot(nut, [0, 0, 1])"}}
simulate: {end: 1, record: 0.1}
)yaml";
}

TEST(Screw, LetsANutFallInTheTree) {
  const double l = 0.04 / (2 * std::numbers::pi), q = -0.5 * 2 * g * l / (4e-4 + 2 * l * l);
  const Simulation right = simulated(prepared_text(falling_nut(""))), left = simulated(prepared_text(falling_nut("-")));
  EXPECT_NEAR(right.last("thread"), q, 1e-7 * std::abs(q));
  EXPECT_NEAR(right.last("z"), l * q, 1e-7 * std::abs(l * q));
  EXPECT_NEAR(left.last("thread"), -q, 1e-7 * std::abs(q));  // a left-handed thread turns the other way
  EXPECT_NEAR(left.last("z"), l * q, 1e-7 * std::abs(l * q));
  EXPECT_LT(right.outcome.statistics.energy_error, 1e-7 * right.outcome.statistics.energy_size);
}

// An arm that leans, hangs eccentrically on a slanted screw and carries a pendulum, so that all terms of a helical motion count.
std::string eccentric(const std::string& joint, const std::string& more) {
  return R"(gravity: [1, -2, -9.81]
bodies:
  carriage: {mass: 3, center: [0.1, 0.2, 0.05], inertia: {xx: 0.1, yy: 0.2, zz: 0.3, xy: 0.01}}
  arm: {mass: 2, center: [0.1, 0.2, -0.3], inertia: {xx: 0.03, yy: 0.04, zz: 0.05, yz: 0.005}}
  bob: {mass: 1, center: [0, 0, -0.4], inertia: {xx: 0.02, yy: 0.02, zz: 0.01}}
joints:
  swing: {type: revolute, axis: [0, 1, 1], between: [ground, carriage]}
  )" + joint +
         R"(
  hang: {type: spherical, between: ["arm [0.2, 0.1, -0.5]", bob]}
)" + more +
         R"(
simulate: {end: 1, record: 0.1, rtol: 1e-10}
)";
}

TEST(Screw, MovesAsACylindricalJointWhoseSlideIsPrescribed) {
  const std::string place = R"(axis: [0.6, 0, 0.8], between: ["carriage [0.3, 0, 0]", "arm [0, 0.1, 0]"]})";
  const std::string start = "start: {speed: {swing: 1, ";
  const std::string thread = "\nconstraints: {thread: {type: prescribed, zero: \"s.slide - (0.3 m)*s.angle/(2*pi)\"}}";
  const Simulation screw =
      simulated(prepared_text(eccentric("s: {type: screw, pitch: 0.3 m, " + place, start + "s: 3}}")));
  const Simulation slide =
      simulated(prepared_text(eccentric("s: {type: cylindrical, " + place, start + "s.angle: 3}}" + thread)));
  for (int row = 0; row <= 10; ++row) {
    EXPECT_NEAR(screw.at(row, "s"), slide.at(row, "s.angle"), 1e-7) << row;
    EXPECT_NEAR(screw.at(row, "swing"), slide.at(row, "swing"), 1e-7) << row;
    EXPECT_NEAR(screw.at(row, "hang.wx"), slide.at(row, "hang.wx"), 1e-6) << row;
  }
}

// The other side first: b stands on the ground's side of the tree.
TEST(Screw, IsTheSameSeenFromItsOtherBody) {
  const Simulation one = simulated(prepared_text(falling_nut("")));
  std::string text = falling_nut("");
  text.replace(text.find("[ground, nut]"), 13, "[nut, ground]");
  const Simulation other = simulated(prepared_text(text));
  EXPECT_NEAR(other.last("z"), one.last("z"), 1e-7);
  EXPECT_NEAR(other.last("thread"), -one.last("thread"), 1e-6);
}

// A value that is kept counts whole turns, also of a joint that closes a loop.
TEST(Screw, StartsInTheTurnThatIsAskedFor) {
  Model model = shipped("lead_screw", {{"start.keep.thread", "50"}, {"start.speed.thread", "7"}});
  const Prepared start = prepared(model);
  model.simulate.end = 1e-6, model.simulate.record = 1e-6;
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.at(0, "thread"), 50, 1e-9);
  EXPECT_NEAR(run.at(0, "guide"), 50 * lead, 1e-12);
  EXPECT_NEAR(run.at(0, "guide'"), 7 * lead, 1e-12);
  EXPECT_NEAR(std::remainder(run.at(0, "bearing") + 50, 2 * std::numbers::pi), 0, 1e-9);
}

}  // namespace
}  // namespace armature::internal
