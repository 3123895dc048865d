// Inverse dynamics of motions that rest on the way, of gears whose losses change sides, and of what sticks.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverse.hpp"
#include "inverse/inverse_study.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using ::testing::HasSubstr;

struct RestingInverse {
  MemoryRecorder record;
  Outcome outcome;
  std::vector<double> column(const std::string& name) const { return record.column(name); }
};

RestingInverse rows_of_inverse(const std::string& text) {
  const Model model = read_model_text("armature: 1\nplane: xy\n" + text);
  Prepared start = compile_inverse(model);
  assemble_start(start);
  EXPECT_EQ(start.failure, "");
  RestingInverse result;
  result.outcome = inverse(model, start, result.record);
  return result;
}

// A gear 8:1 swings an arm by r = 0.3 + 1.2 sin(2 t); the load at the arm is T = 1.18 r'' + 2 9.81 0.3 cos r. Of the power that goes to
// the arm n arrives, of the power that comes back n_b: effort = 0.05 8 r'' + T/(8 n) where T r' > 0, else 0.05 8 r'' + n_b T/8.
TEST(InverseOfALossyGear, IsRightWhereTheLoadChangesItsSign) {
  for (const auto& [n, back] : {std::pair{0.8, 0.6}, {0.9, 0.95}, {0.5, 0.3}, {0.8, 0.01}}) {
    SCOPED_TRACE(fmt::format("{} forwards, {} backwards", n, back));
    const RestingInverse found = rows_of_inverse(fmt::format(R"yaml(
gravity: [0, -9.81, 0]
bodies: {{a: {{mass: 1, inertia: {{zz: 0.05}}}}, b: {{mass: 2, center: [0.3, 0, 0], inertia: {{zz: 1}}}}}}
joints:
  p: {{type: revolute, between: [ground, a]}}
  r: {{type: revolute, between: [ground, b]}}
constraints: {{g: {{type: gear, between: [p, r], ratio: 8}}}}
forces: {{l: {{type: gear_loss, of: g, on: p, efficiency: {}, backwards: {}}}}}
inverse: {{motion: {{r: "0.3 + 1.2*sin(2*t)"}}, actuators: [p]}}
simulate: {{end: 2, record: 3 ms}}
)yaml",
                                                             n, back));
    ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
    const auto t = found.column("t"), effort = found.column("effort.p");
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double v = 2.4 * std::cos(2 * t[k]), a = -4.8 * std::sin(2 * t[k]),
                   load = 1.18 * a + 2 * 9.81 * 0.3 * std::cos(0.3 + 1.2 * std::sin(2 * t[k]));
      ASSERT_NEAR(effort[k], 0.4 * a + (load * v > 0 ? load / (8 * n) : load * back / 8), 1e-10) << "t = " << t[k];
    }
  }
}

// --- a move of 0.35 s, a rest of 0.05 s, the move back, a rest

const char* const moves_and_rests =
    R"yaml(inverse: {motion: {turn: "40 deg + 100 deg*(quintic(t, 0 s, 0.35 s) - quintic(t, 0.4 s, 0.75 s))"
}
}
simulate: {end: 0.8 s, record: 12.5 ms}
)yaml";

// An arm with a weight; or a slider-crank, whose loop is closed anew at each row.
std::string arm_or_crank(bool loop, const std::string& friction, const std::string& forces) {
  return loop ? fmt::format(R"(
gravity: [0, -9.81, 0]
bodies:
  crank: {{mass: 1 kg, inertia: {{zz: 0.02}}}}
  rod: {{mass: 1 kg, center: [0.1, 0, 0], inertia: {{rod: 0.2 m}}}}
  ram: {{mass: 10 kg}}
joints:
  turn: {{type: revolute, between: [ground, crank]}}
  pin: {{type: revolute, between: ["crank [0.05, 0, 0]", rod]}}
  end: {{type: revolute, between: ["rod [0.2, 0, 0]", ram]}}
  slide: {{type: prismatic, axis: x, between: [ground, ram]{}}}
start: {{keep: {{turn: 40 deg}}, near: {{slide: 0.25}}}}
{})",
                            friction, forces)
              : fmt::format(R"(
gravity: [0, -9.81, 0]
bodies: {{crank: {{mass: 1 kg, center: [0.1, 0, 0], inertia: {{zz: 0.02}}}}}}
joints: {{turn: {{type: revolute, between: [ground, crank]{}}}}}
{})",
                            friction, forces);
}

struct DriveText {
  const char *name, *keys;
};

constexpr DriveText drive_texts[] = {
    {"dc motor", "type: dc_motor, torque_constant: 0.1, resistance: 1, voltage: 0"},
    {"dc motor with inductance", "type: dc_motor, torque_constant: 0.1, resistance: 1, inductance: 1e-3, voltage: 0"},
    {"pmsm", "type: pmsm, torque: 0, pole_pairs: 4, flux: 0.1, resistance: 0.2, inductance: 2e-3"},
    {"brushless",
     "type: brushless, voltage: 0, dc_voltage: 48, phase_constant: 0.1, resistance: 0.5, inductance: 1e-4, pole_pairs: "
     "4"},
    {"servo", "type: servo, torque: 0, peak: {speed: [0, 3000 rpm], torque: [24, 24]}"},
    {"elastic gear", "type: dc_motor, torque_constant: 0.1, resistance: 1, voltage: 0, elastic: {stiffness: 5000}"},
};

std::string with_drive(bool loop, const DriveText& drive, double ratio, const std::string& of_drive,
                       const std::string& of_joint, const std::string& forces) {
  return arm_or_crank(loop, of_joint, forces) +
         fmt::format("drives: {{motor: {{on: turn, gear_ratio: {}, rotor_inertia: 18e-4, {}{}}}}}\n", ratio, drive.keys,
                     of_drive) +
         moves_and_rests;
}

// 1 and -1 while it moves and where it begins to; 0 at rest.
int direction_at(double t) {
  const double early = 1e-9;
  return t < 0.35 - early ? 1 : t < 0.4 - early ? 0 : t < 0.75 - early ? -1 : 0;
}

constexpr double ratios[] = {6, 7, 7.5, 8, 8.5, 9, 9.7, 10, 11, 13.3};

// Friction adds its own power over the speed to the torque without it, and nothing at rest: the torque that holds the pose by itself.
TEST(InverseAtRest, HoldsThePoseWithoutFriction) {
  for (const bool loop : {false, true})
    for (const DriveText& drive : drive_texts)
      for (const double ratio : ratios) {
        SCOPED_TRACE(fmt::format("{}, {}, ratio {}", loop ? "loop" : "arm", drive.name, ratio));
        const RestingInverse without = rows_of_inverse(with_drive(loop, drive, ratio, "", "", ""));
        ASSERT_EQ(without.outcome.status, RunStatus::finished) << without.outcome.sentence;
        const RestingInverse dry = rows_of_inverse(with_drive(loop, drive, ratio, ", coulomb_friction: 0.05",
                                                              fmt::format(", friction: {}", loop ? 40 : 3), ""));
        ASSERT_EQ(dry.outcome.status, RunStatus::finished) << dry.outcome.sentence;
        const auto t = dry.column("t"), torque = dry.column("motor.torque"), plain = without.column("motor.torque"),
                   turn = dry.column("turn'"), slide = dry.column(loop ? "slide'" : "turn'");
        for (std::size_t k = 0; k < t.size(); ++k) {
          const double arm =
              direction_at(t[k]) == 0 || std::abs(turn[k]) < 1e-3 ? 0 : (loop ? 40 : 3) * std::abs(slide[k] / turn[k]);
          if (direction_at(t[k]) != 0 && arm == 0) continue;  // it has just begun: the arm of the friction is 0/0
          if (direction_at(t[k]) != 0 && std::string(drive.name) == "elastic gear") continue;  // the twist follows, too
          ASSERT_NEAR(torque[k], plain[k] + direction_at(t[k]) * (arm + 0.05 * ratio), 1e-7) << "t = " << t[k];
        }
      }
}

// Loads of joints and gears with losses: at rest the first take no part, and of the others the mean of both sides acts.
TEST(InverseAtRest, KnowsLoadsAndLosses) {
  const double n = 0.8;
  for (const bool loop : {false, true})
    for (const DriveText& drive : drive_texts) {
      SCOPED_TRACE(fmt::format("{}, {}", loop ? "loop" : "arm", drive.name));
      const RestingInverse without = rows_of_inverse(with_drive(loop, drive, 8, "", "", ""));
      const RestingInverse loaded = rows_of_inverse(with_drive(
          loop, drive, 8, "", "", "forces: {mu: {type: friction, on: turn, coefficient: 0.2, radius: 0.02}}\n"));
      const RestingInverse lossy =
          rows_of_inverse(with_drive(loop, drive, 8, fmt::format(", efficiency: {}", n), "", ""));
      ASSERT_EQ(loaded.outcome.status, RunStatus::finished) << loaded.outcome.sentence;
      ASSERT_EQ(lossy.outcome.status, RunStatus::finished) << lossy.outcome.sentence;
      const auto t = without.column("t"), torque = without.column("motor.torque");
      for (std::size_t k = 0; k < t.size(); ++k) {
        if (direction_at(t[k]) != 0) continue;
        ASSERT_NEAR(loaded.column("motor.torque")[k], torque[k], 1e-7) << "t = " << t[k];
        ASSERT_NEAR(lossy.column("motor.torque")[k], 2 * torque[k] / (n + 1 / n), 1e-7) << "t = " << t[k];
      }
    }
}

// --- what sticks where the motion leaves it free

// Locked, the freewheel takes the wheel along: (0.1 + 0.4) r''; from the largest speed on the wheel goes on, and the effort is 0.1 r''.
TEST(InverseOfAFreewheel, FollowsItsLocking) {
  const RestingInverse found = rows_of_inverse(R"yaml(
gravity: [0, 0, 0]
bodies: {rotor: {mass: 3, inertia: {zz: 0.1}}, flywheel: {mass: 8, inertia: {zz: 0.4}}}
joints:
  motor: {type: revolute, between: [ground, rotor]}
  wheel: {type: revolute, between: [ground, flywheel]}
forces: {hub: {type: freewheel, between: [motor, wheel], capacity: 500}}
inverse: {motion: {motor: "3*sin(t)^2"}, actuators: [motor]}
simulate: {end: 1.5 s, record: 1 ms}
)yaml");
  ASSERT_EQ(found.outcome.status, RunStatus::finished) << found.outcome.sentence;
  EXPECT_LT(found.outcome.statistics.integrator.steps, 1000);
  const auto t = found.column("t"), effort = found.column("effort.motor"), wheel = found.column("wheel'");
  for (std::size_t k = 0; k < t.size(); ++k) {
    if (std::abs(t[k] - M_PI / 4) < 1e-3) continue;
    const bool locked = t[k] < M_PI / 4;
    ASSERT_NEAR(effort[k], (locked ? 0.5 : 0.1) * 6 * std::cos(2 * t[k]), 1e-6) << "t = " << t[k];
    ASSERT_NEAR(wheel[k], locked ? 3 * std::sin(2 * t[k]) : 3, 1e-5) << "t = " << t[k];
  }
}

// A winding that warms up follows the efforts, so that the wheel is integrated with them: where the freewheel locks is not located.
TEST(InverseOfAFreewheel, SaysWhereItIsNotFollowed) {
  const auto warnings = [](const std::string& winding) {
    return rows_of_inverse(fmt::format(R"yaml(
gravity: [0, 0, 0]
bodies: {{rotor: {{mass: 3, inertia: {{zz: 0.1}}}}, flywheel: {{mass: 8, inertia: {{zz: 0.4}}}}}}
joints:
  motor: {{type: revolute, between: [ground, rotor]}}
  wheel: {{type: revolute, between: [ground, flywheel]}}
forces: {{hub: {{type: freewheel, between: [motor, wheel], capacity: 500}}}}
drives: {{m: {{type: dc_motor, on: motor, torque_constant: 10, resistance: 1, voltage: 0{}}}}}
inverse: {{motion: {{motor: "2*t + sin(2*t)"}}}}
start: {{speed: {{wheel: 3}}}}
simulate: {{end: 4 s, record: 10 ms}}
)yaml",
                                       winding))
        .outcome.warnings();
  };
  EXPECT_THAT(warnings(""), testing::IsEmpty());
  EXPECT_THAT(warnings(", winding: {heat_capacity: 50, thermal_resistance: 2, ambient: 293}"),
              testing::ElementsAre(HasSubstr("(freewheel hub). Inverse dynamics does not locate such changes")));
}

// --- words

// The block slides on a line 0.3 m above the crank's pivot, the crank has 0.1 m and the rod 0.25 m: they reach it while sin(turn) >= 0.5,
// to 150 deg, at t = 5 pi/6 - 1.5.
TEST(InverseBeyondReach, NamesTheLoop) {
  const RestingInverse found = rows_of_inverse(R"yaml(
gravity: [0, 0, 0]
bodies: {crank: {mass: 1, inertia: {zz: 0.02}}, rod: {mass: 1, inertia: {zz: 0.02}}, block: {mass: 1}}
joints:
  turn: {type: revolute, between: [ground, crank]}
  pin: {type: revolute, between: ["crank [0.1, 0, 0]", rod]}
  slide: {type: prismatic, axis: x, between: ["ground [0, 0.3, 0]", block]}
  foot: {type: revolute, between: ["rod [0.25, 0, 0]", block], cut: true}
start: {keep: {turn: 1.5}, near: {slide: 0.1}}
inverse: {motion: {turn: "1.5 + t"}, actuators: [turn]}
simulate: {end: 2 s, record: 10 ms}
)yaml");
  EXPECT_EQ(found.outcome.status, RunStatus::failed);
  EXPECT_NEAR(found.outcome.last.t, 5 * M_PI / 6 - 1.5, 0.01);  // the row before
  EXPECT_THAT(found.outcome.sentence, HasSubstr("the prescribed motion cannot be followed past t = 1.1179938"));
  EXPECT_THAT(found.outcome.sentence, HasSubstr("s: loop 'foot' cannot close there (turn = "));
}

// Determinants are of the machine's own rows: with those of the motion they were refused.
TEST(InverseOfAModel, LeavesOutDeterminants) {
  Model model = shipped("rrr_motors");
  model.controllers.clear();
  model.simulate.end = 0.1, model.simulate.record = 0.01;
  const Prepared start = compile(model);
  for (const Drive& drive : model.drives) model.motion.push_back({drive.on, {}, {}});
  Prepared own = start;
  assemble_start(own);
  for (DesiredMotion& wanted : model.motion)
    for (std::size_t i = 0; i < own.system->equations().positions.size(); ++i)
      if (own.system->equations().positions[i].name == wanted.name)
        wanted.is = parse_formula(fmt::format("{:.17g}", own.start.x[static_cast<Eigen::Index>(i)]), {});
  Prepared moved = compile_inverse(model);
  assemble_start(moved);
  MemoryRecorder record;
  const Outcome outcome = inverse(model, moved, record);
  EXPECT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
  EXPECT_THAT(outcome.warnings(), testing::Contains(HasSubstr("the determinants type_I")));
}

}  // namespace
}  // namespace armature::internal
