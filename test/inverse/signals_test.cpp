// Accelerations, orientations, reactions and multipliers as names in formulas, against closed forms and against the columns that
// are recorded without any formula.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverse_study.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

constexpr double g = 9.81;

// A rod of two metres, hung up at its end: theta'' = -m g sin(theta)/J with J = m l^2/12 + m, m = 1.
const std::string rod = R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies:
  rod: {mass: 1 kg, center: [1, 0, 0], inertia: {rod: 2}, points: {tip: [2, 0, 0]}}
joints:
  theta: {type: revolute, between: [ground, rod]}
start: {keep: {theta: 0.3}}
simulate: {end: 1 s, record: 0.1 s, rtol: 1e-11}
)yaml";

double rod_acceleration(double theta) { return -g * std::cos(theta) / (4.0 / 3.0); }

TEST(AccelerationInFormulas, IsThatOfTheMotion) {
  const Simulation run = simulated(read_model_text(rod + "define: {a: \"theta''\", tip_a: \"rod.tip''\"}\n"));
  for (int row = 0; row <= 10; ++row) {
    const double angle = run.at(row, "theta"), w = run.at(row, "theta'"), a = rod_acceleration(angle);
    EXPECT_NEAR(run.at(row, "a"), a, 1e-12);
    EXPECT_NEAR(run.at(row, "tip_a.x"), 2 * (-a * std::sin(angle) - w * w * std::cos(angle)), 1e-11);
    EXPECT_NEAR(run.at(row, "tip_a.y"), 2 * (a * std::cos(angle) - w * w * std::sin(angle)), 1e-11);
  }
}

TEST(AccelerationInFormulas, LeavesTheMotionAsItIs) {
  const Simulation plain = simulated(read_model_text(rod)),
                   observed = simulated(read_model_text(rod + "define: {a: \"theta''\", f: theta.fx}\n"));
  for (int row = 0; row <= 10; ++row) {
    EXPECT_EQ(plain.at(row, "theta"), observed.at(row, "theta"));
    EXPECT_EQ(plain.at(row, "theta'"), observed.at(row, "theta'"));
  }
}

// How fast and which way a body is turned; in the plane its angle counts whole turns.
TEST(OrientationInFormulas, IsThatOfTheBody) {
  const Simulation run =
      simulated(read_model_text(rod + "define: {w: rod.w.z, angle: rod.angle, axis: rod.ex, turn: \"rod.w'.z\"}\n",
                                "m.yaml", {{"start.keep.theta", "7"}}));
  for (int row = 0; row <= 10; ++row) {
    const double angle = run.at(row, "theta");
    EXPECT_NEAR(run.at(row, "w"), run.at(row, "theta'"), 1e-13);
    EXPECT_NEAR(run.at(row, "turn"), rod_acceleration(angle), 1e-12);
    EXPECT_NEAR(run.at(row, "angle"), angle, 1e-12);
    EXPECT_NEAR(run.at(row, "axis.x"), std::cos(angle), 1e-13);
    EXPECT_NEAR(run.at(row, "axis.y"), std::sin(angle), 1e-13);
  }
}

// R = Rz(yaw) Ry(pitch) Rx(roll) of three joints in a row.
TEST(OrientationInFormulas, HasRollPitchAndYaw) {
  const Simulation run = simulated(read_model_text(R"yaml(armature: 1
gravity: [0, 0, 0]
bodies:
  a: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
  c: {mass: 1 kg, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  yaw: {type: revolute, axis: z, between: [ground, a]}
  pitch: {type: revolute, axis: y, between: [a, b]}
  roll: {type: revolute, axis: x, between: [b, c]}
start: {keep: {yaw: 0.4, pitch: -0.3, roll: 0.2}, speed: {yaw: 1, pitch: 0.5, roll: 2}}
simulate: {end: 0.2 s, record: 0.1 s}
define: {r: c.roll, p: c.pitch, y: c.yaw, w: c.w}
)yaml"));
  for (int row = 0; row <= 2; ++row) {
    EXPECT_NEAR(run.at(row, "r"), run.at(row, "roll"), 1e-12);
    EXPECT_NEAR(run.at(row, "p"), run.at(row, "pitch"), 1e-12);
    EXPECT_NEAR(run.at(row, "y"), run.at(row, "yaw"), 1e-12);
  }
  // the rates add up about the axes of the joints
  const double c = std::cos(0.4), s = std::sin(0.4);
  EXPECT_NEAR(run.at(0, "w.x"), -0.5 * s + 2 * std::cos(-0.3) * c, 1e-12);
  EXPECT_NEAR(run.at(0, "w.y"), 0.5 * c + 2 * std::cos(-0.3) * s, 1e-12);
  EXPECT_NEAR(run.at(0, "w.z"), 1 + 2 * -std::sin(-0.3), 1e-12);
}

void expect_formulas_as_recorded(Model model) {
  const std::vector<std::string> joints = model.record.reactions;
  for (const std::string& joint : joints)
    for (const char* part : {"fx", "fy", "mz"})
      model.definitions.emplace_back("signal_" + joint + "_" + part, parse_formula(joint + "." + part, {}));
  const Simulation run = simulated(model);
  for (int row = 0; row <= 10; ++row)
    for (const std::string& joint : joints)
      for (const std::string part : {"fx", "fy", "mz"}) {
        const double recorded = run.at(row, joint + "." + part);
        EXPECT_NEAR(run.at(row, "signal_" + joint + "_" + part), recorded, 1e-8 * (1 + std::abs(recorded)))
            << joint << "." << part << " in row " << row;
      }
}

TEST(ReactionInFormulas, IsTheRecordedOne) {
  Model model = shipped("four_bar");
  model.record.reactions = {"crank_angle", "B", "C", "rocker_angle"};
  model.simulate.end = 1, model.simulate.record = 0.1;
  expect_formulas_as_recorded(model);
}

// The same linkage in space: three rows depend on the others, and both ways take the multipliers of least norm.
TEST(ReactionInFormulas, IsTheRecordedOneOfRedundantLoops) {
  Model model = shipped("four_bar");
  model.plane.clear();
  model.record.reactions = {"crank_angle", "B", "C", "rocker_angle"};
  model.simulate.end = 1, model.simulate.record = 0.1;
  for (Joint& joint : model.joints)
    if (!joint.axis_a.given()) joint.axis_a = parse_formula("[0, 0, 1]", {});
  expect_formulas_as_recorded(model);
}

TEST(MultiplierInFormulas, IsTheRecordedOne) {
  Model model = shipped("four_bar");
  model.simulate.end = 0.2, model.simulate.record = 0.1;
  const Simulation plain = simulated(model);
  std::string row_name;
  for (const ConstraintRow& row : plain.prepared.system->equations().rows) row_name = row.name;
  model.definitions.emplace_back("signal", parse_formula("lambda." + row_name, {}));
  const Simulation run = simulated(model);
  for (int row = 0; row <= 2; ++row)
    EXPECT_NEAR(run.at(row, "signal"), run.at(row, "lambda." + row_name),
                1e-9 * std::abs(run.at(row, "signal")) + 1e-9);
}

// A block on a rail that a crank turns slowly: what the rail must bear is a force at the block, and nearly no moment there.
const std::string rail = R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies:
  lever: {mass: 1 kg, inertia: {zz: 0.1}}
  block: {mass: 2 kg, inertia: none}
joints:
  turn: {type: revolute, between: [ground, lever]}
  slot: {type: prismatic, axis: x, between: [lever, block]}
start: {keep: {slot: 3, turn: 0}, speed: {turn: 1}}
forces: {push: {type: force, on: block, is: [0, 50, 0]}}
simulate: {end: 0.2 s, record: 0.1 s}
)yaml";

TEST(ReactionOfASlide, IsTakenAtTheBlock) {
  const Simulation at_block = simulated(read_model_text(rail + "record: {reactions: [slot]}\n"));
  const Simulation at_lever = simulated(read_model_text(rail + "record: {reactions: {slot: {at: first}}}\n"));
  for (int row = 0; row <= 2; ++row) {
    EXPECT_NEAR(at_block.at(row, "slot.mz"), 0, 1e-9);
    EXPECT_NEAR(at_lever.at(row, "slot.mz"), at_lever.at(row, "slot") * at_lever.at(row, "slot.fy"), 1e-9);
    EXPECT_GT(std::abs(at_lever.at(row, "slot.mz")), 0.1);
  }
}

TEST(ReactionOfASlide, IsGivenInTheAxesThatTheFileChooses) {
  const Simulation lever = simulated(read_model_text(rail + "record: {reactions: [slot]}\n"));
  const Simulation ground = simulated(read_model_text(rail + "record: {reactions: {slot: {axes: ground}}}\n"));
  for (int row = 0; row <= 2; ++row) {
    const double angle = lever.at(row, "turn"), x = lever.at(row, "slot.fx"), y = lever.at(row, "slot.fy");
    EXPECT_NEAR(ground.at(row, "slot.fx"), x * std::cos(angle) - y * std::sin(angle), 1e-9);
    EXPECT_NEAR(ground.at(row, "slot.fy"), x * std::sin(angle) + y * std::cos(angle), 1e-9);
  }
}

std::string complaint_of(const std::string& text) {
  try {
    prepared(read_model_text(text));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(AlgebraicLoop, IsRefusedByName) {
  EXPECT_THAT(complaint_of(rod + "forces: {push: {type: effort, on: theta, is: \"-0.5*theta''^2\"}}\n"),
              HasSubstr("'-0.5*theta''^2' depends on an acceleration, which the force itself changes at once"));
  EXPECT_THAT(complaint_of(rod + "forces: {push: {type: effort, on: theta, is: -0.1*theta.fx^2}}\n"),
              HasSubstr("'-0.1*theta.fx^2' depends on a reaction or a multiplier"));
  EXPECT_EQ(complaint_of(rod + "forces: {push: {type: effort, on: theta, is: \"-0.5*theta'' - 0.1*theta.fx\"}}\n"), "");
  EXPECT_THAT(complaint_of(rod + "constraints: {c: {type: prescribed, zero: \"theta'' - 1\"}}\n"),
              HasSubstr("must depend on positions and t only, but it depends on an acceleration"));
  EXPECT_THAT(complaint_of(rod + "define: {j: \"theta'''\"}\n"),
              HasSubstr("the derivative of an acceleration, a multiplier or a reaction is not available"));
}

// x'' = (u - x)/m with the filter T y' = x'' - y: a force -k y on it is no loop.
TEST(FilteredAcceleration, ActsAsTheFilterSays) {
  const std::string text = R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {cart: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart], spring: {stiffness: 8 N/m}}}
start: {keep: {x: 1}}
simulate: {end: 2 s, record: 0.1 s, rtol: 1e-11}
)yaml";
  const Simulation run = simulated(read_model_text(
      text + "states: {y: {rate: \"(x'' - y)/0.1\"}}\nforces: {damper: {type: effort, on: x, is: -0.5*y}}\n"));
  // the same as x'' written out by hand
  const Simulation by_hand = simulated(read_model_text(
      text +
      "states: {y: {rate: \"((-8*x - 0.5*y)/2 - y)/0.1\"}}\nforces: {damper: {type: effort, on: x, is: -0.5*y}}\n"));
  for (int row = 0; row <= 20; ++row) EXPECT_NEAR(run.at(row, "x"), by_hand.at(row, "x"), 1e-10);
}

// At a sample the acceleration is that before the sample acts: u_k = -x''(t_k) with x'' = u_(k-1) + 1 gives -1, 0, -1, 0.
TEST(SampledAcceleration, IsThatOfTheSampleInstant) {
  const Simulation run = simulated(read_model_text(R"yaml(armature: 1
plane: xy
gravity: [1, 0, 0]
bodies: {cart: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}
controllers: {u: {type: formula, is: "-x''", sampled: {period: 0.1 s}}}
forces: {push: {type: effort, on: x, is: u}}
simulate: {end: 0.35 s, record: 0.05 s}
define: {a: "x''"}
)yaml"));
  EXPECT_NEAR(run.at(1, "a"), 0, 1e-12);
  EXPECT_NEAR(run.at(3, "a"), 1, 1e-12);
  EXPECT_NEAR(run.at(5, "a"), 0, 1e-12);
  EXPECT_NEAR(run.at(7, "a"), 1, 1e-12);
}

TEST(IntegralOfAController, IsANameInFormulas) {
  const Simulation run = simulated(
      read_model_text(rod + "controllers: {hold: {type: pid, target: 1, measure: theta, kp: 1, ki: 2}}\n"
                            "forces: {push: {type: effort, on: theta, is: hold}}\ndefine: {twice: 2*hold.integral}\n"));
  for (int row = 0; row <= 10; ++row) EXPECT_EQ(run.at(row, "twice"), 2 * run.at(row, "hold.integral"));
}

TEST(KinematicAccelerations, AreThoseOfTheDrivenMotion) {
  Model model = driven(read_model_text(rod + "define: {a: \"theta''\", force: theta.fx}\n"), "theta", "sin(2*t)");
  const Prepared start = prepare_kinematics(model);
  MemoryRecorder record;
  const Outcome outcome = record_kinematics(model, start, record, {});
  const auto t = record.column("t"), a = record.column("a");
  ASSERT_EQ(t.size(), 11u);
  for (std::size_t i = 0; i < t.size(); ++i) EXPECT_NEAR(a[i], -4 * std::sin(2 * t[i]), 1e-10);
  EXPECT_TRUE(record.column("force").empty());
  EXPECT_THAT(outcome.warnings(), testing::Contains(HasSubstr("it leaves out what depends on them: force")));
}

// m = 1, J = 4/3 about the hinge; the motor turns four times as fast and has L di/dt.
const std::string driven_rod = rod + R"yaml(
drives:
  motor: {type: dc_motor, on: theta, gear_ratio: 4, torque_constant: 0.5, resistance: 2, inductance: 0.1, voltage: 1}
inverse: {motion: {theta: "0.3 + t^3"}}
define:
  power: motor.power
  height: rod.tip.y
  a: "theta''"
record: {reactions: [theta], quantities: {own_force: theta.fx, twice: 2*motor.voltage}}
)yaml";

TEST(InverseRows, HaveWhatTheFileDefines) {
  const Model model = read_model_text(driven_rod);
  const Prepared start = prepare_inverse(model);
  MemoryRecorder record;
  const Outcome outcome = inverse(model, start, record);
  ASSERT_EQ(outcome.status, RunStatus::finished) << outcome.sentence;
  const auto column = [&](const std::string& name) {
    const auto values = record.column(name);
    EXPECT_EQ(values.size(), 11u) << name;
    return values;
  };
  const auto t = column("t"), torque = column("motor.torque"), current = column("motor.current"),
             voltage = column("motor.voltage"), speed = column("motor.speed"), power = column("motor.power"),
             own_power = column("power"), twice = column("twice"), height = column("height"), a = column("a"),
             force = column("theta.fx"), own_force = column("own_force");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double angle = 0.3 + std::pow(t[i], 3), w = 3 * t[i] * t[i];
    EXPECT_NEAR(torque[i], 4.0 / 3.0 * 6 * t[i] + g * std::cos(angle), 1e-9);
    const double i_rate = (8 - g * std::sin(angle) * w) / 2;
    EXPECT_NEAR(current[i], torque[i] / 2, 1e-9);
    EXPECT_NEAR(voltage[i], 2 * current[i] + 0.5 * 4 * w + 0.1 * i_rate, 1e-9);
    EXPECT_NEAR(speed[i], 4 * w, 1e-9);
    EXPECT_NEAR(power[i], current[i] * voltage[i], 1e-9);
    EXPECT_NEAR(own_power[i], power[i], 1e-9);
    EXPECT_NEAR(twice[i], 2 * voltage[i], 1e-9);
    EXPECT_NEAR(height[i], 2 * std::sin(angle), 1e-9);
    EXPECT_NEAR(a[i], 6 * t[i], 1e-9);
    EXPECT_NEAR(own_force[i], force[i], 1e-9);
  }
  const auto unit = [&](const std::string& name) {
    for (const Channel& channel : record.channels())
      if (channel.name == name) return channel.unit;
    return std::string("none");
  };
  EXPECT_EQ(unit("motor.torque"), "N m");
  EXPECT_EQ(unit("power"), "W");
  EXPECT_EQ(unit("height"), "m");
  ASSERT_FALSE(outcome.peaks.empty());
  EXPECT_EQ(outcome.peaks.front().name, "motor.torque");
}

// A car that sinks onto its spring: m g = k x.
TEST(StartInEquilibrium, IsWhereForcesBalance) {
  const std::string car = R"yaml(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {car: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: y, between: [ground, car], spring: {stiffness: 100 N/m}, damping: 1}}
simulate: {end: 1 s, record: 0.1 s}
)yaml";
  for (const std::string start : {"start: equilibrium\n", "start: {equilibrium: true, near: {x: 0.1}}\n"}) {
    const Simulation run = simulated(read_model_text(car + start));
    for (int row = 0; row <= 10; ++row) EXPECT_NEAR(run.at(row, "x"), -2 * g / 100, 1e-9);
  }
}

}  // namespace
}  // namespace armature::internal
