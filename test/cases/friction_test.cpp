// Friction with the load of joints, each against a closed form or a balance of forces written down here.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "model/diagnostics.hpp"
#include "support/run_model.hpp"
#include "support/slider_crank.hpp"

namespace armature::internal {
namespace {

using std::numbers::pi;

Model loaded(const std::string& name, const Settings& settings = {}) { return shipped("elements/" + name, settings); }

// J w/(mu r m g); what it had is heat.
TEST(FrictionWithLoad, ABearingStopsItsFlywheel) {
  const double time = 0.2 * 8 / (0.1 * 0.01 * 20 * 9.81);
  EXPECT_NEAR(time, 8.1549439, 1e-7);
  const Simulation run = simulated(loaded("bearing"));
  EXPECT_NEAR(run.at(100, "turn'"), 8 * (1 - 5 / time), 1e-9);  // at 5 s
  EXPECT_NEAR(run.last("turn"), 8 * time / 2, 1e-7);
  EXPECT_NEAR(run.last("bearing.load"), 20 * 9.81, 1e-9);
  EXPECT_NEAR(run.last("heat.friction"), 6.4, 1e-8);
  EXPECT_NEAR(run.last("turn'"), 0, 1e-12);
}

// A collar carries what pulls along the shaft: its radius times that force, on top of the pin's.
TEST(FrictionWithLoad, ACollarBrakesWithTheForceAlongTheShaft) {
  const auto slowed = [](const std::string& gravity, const std::string& more) {
    return simulated_text("gravity: " + gravity + R"(
bodies: {b: {mass: 2, inertia: {xx: 0.1, yy: 1, zz: 1}}}
joints: {turn: {type: revolute, axis: x, between: [ground, b]}}
forces: {f: {type: friction, on: turn, coefficient: 0.2, radius: 10 mm)" +
                          more + R"(}}
start: {speed: {turn: 100}}
simulate: {end: 1}
)");
  };
  const auto lost = [&](const std::string& gravity, const std::string& more) {
    return 100 - slowed(gravity, more).last("turn'");
  };
  EXPECT_NEAR(lost("[-9, 0, 0]", ""), 0, 1e-9);
  EXPECT_NEAR(lost("[-9, 0, 0]", ", collar: 30 mm"), 0.2 * 0.03 * 18 / 0.1, 1e-9);
  EXPECT_NEAR(lost("[-9, 3, 4]", ", collar: 30 mm"), 0.2 * (0.03 * 18 + 0.01 * 10) / 0.1, 1e-9);
}

// Two rings 0.2 m apart, the weight 0.3 m beyond their middle: they carry W (0.5 + 0.3/0.2) up and W (0.3/0.2 - 0.5) down.
TEST(FrictionWithLoad, RingsOfAnOverhungBearingCarryMoreThanTheWeight) {
  const Simulation run = simulated_text(R"(gravity: [0, 0, -10]
bodies: {b: {mass: 2, center: [0.3, 0, 0], inertia: {xx: 0.1, yy: 1, zz: 1}}}
joints: {turn: {type: revolute, axis: x, between: [ground, b]}}
forces: {f: {type: friction, on: turn, coefficient: 0.1, radius: 10 mm, length: 0.2}}
start: {speed: {turn: 100}}
simulate: {end: 1}
)");
  EXPECT_NEAR(run.last("f.load"), 20 * (0.5 + 1.5) + 20 * (1.5 - 0.5), 1e-9);
  EXPECT_NEAR(run.last("turn'"), 100 - 0.1 * 0.01 * 60 / 0.1, 1e-9);
}

// N of the slider-crank at a crank angle: the rod's balance of moments about the crank pin, with the friction of the slider.
struct Guide {
  double normal, speed;
};
Guide guide_force(double crank, double mu) {
  const double r = 0.1, l = 0.3, rod = 1.5, m = 2, w = 30;
  const double s = -r * std::sin(crank) / l, c = std::sqrt(1 - s * s), rate = -r * std::cos(crank) * w / (l * c),
               acceleration = (r * std::sin(crank) * w * w + l * s * rate * rate) / (l * c);
  const auto along = [&](double at, double& x, double& y) {
    x = -r * std::cos(crank) * w * w + at * (-s * acceleration - c * rate * rate);
    y = -r * std::sin(crank) * w * w + at * (c * acceleration - s * rate * rate);
  };
  double gx, gy, bx, by;
  along(l / 2, gx, gy), along(l, bx, by);
  const double speed = -r * std::sin(crank) * w - l * s * rate,
               K = rod * l * l / 12 * acceleration + rod * l / 2 * (c * gy - s * gx),
               without = K / l - m * bx * s;  // = N c + mu |N| sign(speed) s
  const double direction = (speed >= 0 ? 1 : -1) * (without >= 0 ? 1 : -1);
  return {without / (c + mu * direction * s), speed};
}

TEST(FrictionWithLoad, AGuidePressesAsTheBalanceOfForcesSays) {
  const Simulation run = simulated(loaded("guide"));
  const auto load = run.column("guide.load"), force = run.column("guide.force"), t = run.column("t");
  double largest = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const Guide guide = guide_force(30 * t[i], 0.15);
    EXPECT_NEAR(load[i], std::abs(guide.normal), 1e-8) << t[i];
    if (std::abs(guide.speed) > 1e-6) {
      EXPECT_NEAR(force[i], -0.15 * std::abs(guide.normal) * (guide.speed > 0 ? 1 : -1), 1e-8) << t[i];
    }
    largest = std::max(largest, load[i]);
  }
  EXPECT_GT(largest, 50);
}

// The heat of a turn, the integral of mu |N| |speed| by the midpoint rule.
TEST(FrictionWithLoad, AGuideTakesEnergyFromEveryTurn) {
  const int n = 200000;
  double heat = 0;
  for (int k = 0; k < n; ++k) {
    const Guide guide = guide_force((k + 0.5) * 2 * pi / n, 0.15);
    heat += 0.15 * std::abs(guide.normal * guide.speed) / 30 * 2 * pi / n;
  }
  EXPECT_NEAR(heat, 1.8396390, 1e-7);
  Model model = loaded("guide");
  model.simulate.end = 2 * pi / 30;
  EXPECT_NEAR(simulated(model).last("heat.friction"), heat, 1e-7);
}

TEST(FrictionWithLoad, ASleeveSlidesBelowItsLimitAndJamsAboveIt) {
  EXPECT_NEAR(simulated(loaded("sleeve")).last("height'"), -0.5, 1e-9);
  const Simulation jammed = simulated(loaded("sleeve", {{"x", "0.2501"}}));
  EXPECT_NEAR(jammed.last("height"), 0, 1e-12);
  EXPECT_LT(simulated(loaded("sleeve", {{"x", "0.2499"}})).last("height"), -1e-4);
  EXPECT_NEAR(simulated(loaded("sleeve", {{"x", "0.2501"}, {"F", "2000"}})).last("height"), 0, 1e-12);
}

TEST(FrictionWithLoad, AWedgeNeedsTheForceOfTheTextbook) {
  const double a = 10 * pi / 180 + std::atan(0.15),
               force = 981 * (std::sin(a) + 0.15 * std::cos(a)) / (std::cos(a) - 0.15 * std::sin(a)) + 0.15 * 2 * 9.81;
  EXPECT_NEAR(force, 504.11522, 1e-5);
  const Simulation run = simulated(loaded("wedge"));
  EXPECT_NEAR(std::abs(run.last("drive")), force, 1e-8);
  EXPECT_NEAR(run.last("lift"), 0.02 * std::tan(10 * pi / 180), 1e-10);
}

// Without slope the rate of the face is the negative of the base's: one comparison. The guide rubs as if the load were about to rise.
TEST(FrictionWithLoad, AWedgeWithoutSlopeOnlyRubs) {
  const double force = 981 * 2 * 0.15 / (1 - 0.15 * 0.15) + 0.15 * 2 * 9.81;
  for (const char* a : {"0", "1e-11"}) {
    const Simulation run = simulated(loaded("wedge", {{"a", a}}));
    EXPECT_NEAR(std::abs(run.last("drive")), force, 1e-6) << a;
    EXPECT_NEAR(run.last("lift"), 0, 1e-12) << a;
  }
}

// Three slides in a plane cannot turn: which of them carries moments is not known, and pads at the ends of a length ask for it.
TEST(FrictionWithLoad, NamesTheJointWhoseLoadIsNotDetermined) {
  Model model = loaded("wedge");
  for (ForceElement& element : model.forces)
    if (element.name == "behind") element.values.set("length", parse_formula("0.1 m", element.where));
  try {
    prepared(model);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("forces.behind: the load of lift is not determined"), std::string::npos)
        << error.what();
  }
}

double spindle_torque(double direction, double mu) {
  const double F = 300 * 9.81, r = 0.01375, rise = 0.005 / (2 * pi * r), m = mu / std::cos(15 * pi / 180);
  return direction > 0 ? F * r * (rise + m) / (1 - m * rise) : F * r * (rise - m) / (1 + m * rise);
}

TEST(FrictionWithLoad, ASpindleNeedsTheTorqueOfTheTextbookUpAndDown) {
  EXPECT_NEAR(spindle_torque(1, 0.1), 6.5707086, 1e-7);
  EXPECT_NEAR(spindle_torque(-1, 0.1), -1.8364065, 1e-7);
  for (const char* speed : {"6", "-6"}) {
    const Simulation run = simulated(loaded("screw_joint", {{"speed", speed}}));
    EXPECT_NEAR(run.last("drive"), spindle_torque(std::atof(speed), 0.1), 1e-9) << speed;
  }
}

// Let go at rest: it stays where mu > cos(15 deg) tan(l), and turns down below.
TEST(FrictionWithLoad, ASpindleHoldsItselfAboveItsLimit) {
  const double limit = std::cos(15 * pi / 180) * 0.005 / (2 * pi * 0.01375);
  const auto turned = [](double mu) {
    Model model = loaded("screw_joint", {{"mu", std::to_string(mu)}});
    model.prescribed.clear();
    return simulated(model).last("turn");
  };
  EXPECT_NEAR(turned(1.001 * limit), 0, 1e-12);
  EXPECT_LT(turned(0.999 * limit), -1e-4);
}

// T i n/(J2 + J1 i^2 n) while power flows to the flywheel, T i/(J2 n + J1 i^2) while it flows back.
TEST(GearLoss, PassesAShareOfThePowerInEitherDirection) {
  const Simulation run = simulated(loaded("gear_loss"));
  EXPECT_NEAR(run.at(100, "b'"), -49.655172, 1e-6);
  EXPECT_NEAR(run.last("b'"), -49.655172413793096 + 0.5 * 57.142857142857146, 1e-6);
  // of what the motor does in the first second, a tenth is lost in the mesh once the rotor has taken its own part
  const double rotor = 0.5e-3 * std::pow(run.at(100, "a'"), 2), work = 0.8 * run.at(100, "a");
  EXPECT_NEAR(run.at(100, "heat.friction"), 0.1 * (work - rotor), 1e-6);
}

// With 0.4 forwards and none backwards the load cannot drive the motor: let go at rest, it stays. With 0.1 backwards it falls.
TEST(GearLoss, LocksItselfWithoutEfficiencyBackwards) {
  const auto turned = [](const char* backwards) {
    return simulated_text(std::string(R"(gravity: [0, 0, 0]
bodies: {rotor: {mass: 1, inertia: {xx: 0.01, yy: 1, zz: 1}}, drum: {mass: 1, inertia: {xx: 0.01, yy: 1, zz: 1}}}
joints: {a: {type: revolute, axis: x, between: [ground, rotor]}, b: {type: revolute, axis: x, between: [ground, drum]}}
constraints: {mesh: {type: gear, between: [a, b], ratio: 20}}
forces:
  load: {type: effort, on: b, is: -30}
  worm: {type: gear_loss, of: mesh, on: a, efficiency: 0.4, backwards: )") +
                          backwards + R"(}
simulate: {end: 0.5}
)")
        .last("b");
  };
  EXPECT_NEAR(turned("-0.01"), 0, 1e-12);
  EXPECT_LT(turned("0.1"), -1e-3);
}

double stick_and_slip(const std::string& model) {
  return simulated_text(R"(plane: xz
gravity: [0, 0, -10]
bodies: {block: {mass: 2}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces:
  pull: {type: effort, on: x, is: 4*t}
  table: {type: friction, on: x, )" +
                        model + R"(}
simulate: {end: 2, record: 1 ms}
)")
      .time_of("x", 1e-4);
}

// It leaves when the pull exceeds static friction: 4 N/s t = mu_s m g. Just after that kinetic friction is less.
TEST(FrictionWithLoad, FallsFromStaticToKineticFriction) {
  const double leaves = 0.3 * 20 / 4;
  EXPECT_NEAR(stick_and_slip("coefficient: 0.2, stribeck: {static: 0.3, speed: 1 mm/s}"), leaves, 0.03);
  EXPECT_GT(stick_and_slip("coefficient: 0.2, stribeck: {static: 0.3, speed: 1 mm/s}"), leaves);
  EXPECT_GT(stick_and_slip("coefficient: 0.2, breakaway: 1.5"), leaves);
  EXPECT_NEAR(stick_and_slip("coefficient: 0.2, breakaway: 1.5"), leaves, 0.03);
}

// Bristles bend by z = F/(N s0) before they slip, while the block moves by -(mu/s0) log(1 - s0 z/mu); at last it slides with mu N.
TEST(FrictionWithLoad, BristlesStickElastically) {
  const Simulation run = simulated_text(R"yaml(plane: xz
gravity: [0, 0, -10]
bodies: {block: {mass: 2}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
forces:
  pull: {type: effort, on: x, is: "if(t < 1, 2*ramp(t, 0 s, 0.5 s), 10)"}
  table: {type: friction, on: x, coefficient: 0.2, lugre: {deflection: 0.2 mm, damping: 10 s/m}}
simulate: {end: 2, record: 10 ms}
)yaml");
  EXPECT_NEAR(run.at(99, "table.deflection"), 2 / (20 * 1e3), 1e-9);
  EXPECT_NEAR(run.at(99, "x"), 2e-4 * std::log(2), 2e-6);
  EXPECT_NEAR(run.last("table.force"), -0.2 * 20, 1e-3);
  EXPECT_NEAR(run.last("table.load"), 20, 1e-9);
}

// A slider-crank that runs down by friction in its guide and in three bearings, whose loads act on each other.
Model running_down(double end) {
  Model model = read_model_text(slider_crank_text(-9.81, 3) + R"(forces:
  f1: {type: friction, on: crank, coefficient: 0.2, radius: 20 mm}
  f2: {type: friction, on: knee, coefficient: 0.2, radius: 20 mm}
  f3: {type: friction, on: pin, coefficient: 0.2, radius: 15 mm}
  f4: {type: friction, on: slide, coefficient: 0.2}
start: {keep: {crank: 0.3}, near: {slide: 0.7}, speed: {crank: 12}}
)");
  model.simulate.end = end, model.simulate.rtol = 1e-10;
  return model;
}

class EveryWay : public testing::TestWithParam<std::pair<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(FrictionWithLoad, EveryWay,
                         testing::Values(std::pair("dopri5", "multipliers"), std::pair("dopri5", "partition"),
                                         std::pair("dopri5", "null_space"), std::pair("dopri5", "udwadia_kalaba"),
                                         std::pair("dopri5", "proximal"), std::pair("dop853", "auto"),
                                         std::pair("radau5", "auto"), std::pair("cvode_bdf", "auto"),
                                         std::pair("cvode_adams", "auto"), std::pair("ida", "auto")),
                         [](const auto& info) { return std::string(info.param.first) + "_" + info.param.second; });

TEST_P(EveryWay, GivesTheSameMotion) {
  static const Simulation usual = simulated(running_down(0.5));
  Model model = running_down(0.5);
  model.simulate.integrator = GetParam().first, model.simulate.formulation = GetParam().second;
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.last("crank"), usual.last("crank"), 2e-6);
  EXPECT_NEAR(run.last("f3.load"), usual.last("f3.load"), 1e-3);
}

// It comes to rest, all four joints at once, and stays; its energy is heat.
TEST(FrictionWithLoad, AMachineStopsAndSticksInAllItsJoints) {
  const Simulation run = simulated(running_down(6));
  EXPECT_NEAR(run.last("crank'"), 0, 1e-9);
  EXPECT_NEAR(run.last("crank"), run.at(static_cast<int>(run.record.rows()) - 20, "crank"), 1e-9);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-6);
  EXPECT_GT(run.last("heat.friction"), 5);
}

// Painlevé and Klein: two sliders on parallel rails, joined by a rod at the angle p, whose mass is at its first end; only the first rail rubs. With equal
// masses the motion is unique while mu tan(p) < 2.
std::string two_sliders(double mu) {
  return R"(plane: xy
gravity: [0, 0, 0]
bodies: {rod: {mass: 0.01, inertia: {zz: 1e-3}}, a: {mass: 1}, b: {mass: 1}}
joints:
  first: {type: prismatic, axis: x, between: [ground, a]}
  second: {type: prismatic, axis: x, between: ["ground [0, 1, 0]", b]}
  pin: {type: revolute, between: [a, rod]}
  other: {type: revolute, between: ["rod [sqrt(2), 0, 0]", b]}
forces:
  rail: {type: friction, on: first, coefficient: )" +
         std::to_string(mu) + R"(}
  push: {type: effort, on: second, is: 3}
start: {keep: {first: 0}, near: {second: 1}, speed: {first: 1}}
simulate: {end: 0.2}
)";
}

// The rod passes S: 1.01 x'' = S cos p - mu |S sin p|, x'' = 3 - S cos p, which gives S.
TEST(FrictionWithLoad, SlidersOnTwoRailsMoveUniquely) {
  const double mu = 0.5, c = std::sqrt(0.5), S = 3.03 / (2.01 * c - mu * c);
  const Simulation run = simulated_text(two_sliders(mu));
  EXPECT_NEAR(run.last("rail.load"), S * c, 1e-6);
  EXPECT_NEAR(run.last("first'"), 1 + 0.2 * (3 - S * c), 1e-6);
}

TEST(FrictionWithLoad, StopsWithASentenceWhereNoMotionExists) {
  const Simulation run = simulated(prepared_text(two_sliders(2.5)));
  EXPECT_NE(run.outcome.sentence.find("forces.rail jams"), std::string::npos) << run.outcome.sentence;
}

}  // namespace
}  // namespace armature::internal
