// Equilibria, linearised motions and eigenvalues against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/request_error.hpp"
#include "modes/eigenmodes.hpp"
#include "modes/eigenvalue_sensitivity.hpp"
#include "modes/modes_study.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Complex = std::complex<double>;

// A model settled and linearised; parameters in `free` can be differentiated by.
struct Small {
  std::vector<std::string> inputs;
  Prepared start;
  Equilibrium equilibrium;
  Linearization linear;
  std::vector<Eigenmode> modes;

  explicit Small(const Model& model, std::vector<std::string> free = {}) {
    const Model with = with_inputs(model, inputs);
    free.insert(free.end(), inputs.begin(), inputs.end());
    start = compile(with, free);
    assemble_start(start);
    start.system = with_jacobian(*start.system);
    equilibrium = find_equilibrium(start.system, start.start);
    EXPECT_TRUE(equilibrium.found) << equilibrium.sentence;
    linear = linearize(start.system, equilibrium.state, inputs);
    modes = eigenmodes(linear, start.system->layout().nq);
  }
  double position(const std::string& name) const {
    const auto& positions = start.system->equations().positions;
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (positions[i].name == name) return equilibrium.state.x[static_cast<Eigen::Index>(i)];
    throw std::out_of_range(name);
  }
  Eigen::MatrixXcd sensitivity() const {
    std::vector<Complex> eigenvalues;
    for (const Eigenmode& mode : modes) eigenvalues.push_back(mode.eigenvalue);
    return eigenvalue_sensitivity(start.system, equilibrium, eigenvalues);
  }
};

Model text(const std::string& text) { return read_model_text("armature: 1\n" + text); }

// A four-bar that falls from its start, its coupler one beam of some elements or as many beams fixed to each other.
Model falling_four_bar(int beams, int elements, const std::string& frame) {
  const std::string n = std::to_string(beams), l = std::to_string(0.5 / beams);
  std::string text =
      "plane: xy\ngravity: [0, -9.81, 0]\nbodies:\n"
      "  crank: {mass: 1, center: [0.1, 0, 0], inertia: {rod: 0.2}}\n"
      "  rocker: {mass: 1, center: [0.2, 0, 0], inertia: {rod: 0.4}}\n"
      "  b{i}: {for: {i: 1.." +
      n + "}, beam: {length: " + l + ", section: {rectangle: [3 mm, 30 mm]}, E: 71 GPa, rho: 2712, frame: " + frame +
      ", elements: " + std::to_string(elements) +
      "}}\n"
      "joints:\n  a: {type: revolute, between: [ground, crank]}\n"
      "  k: {type: revolute, between: [\"crank [0.2, 0, 0]\", b1]}\n"
      "  e: {type: revolute, between: [\"b" +
      n + " [" + l +
      ", 0, 0]\", \"rocker [0.4, 0, 0]\"]}\n"
      "  d: {type: revolute, between: [\"ground [0.5, 0, 0]\", rocker]}\n";
  for (int i = 1; i < beams; ++i)
    text += "  j" + std::to_string(i) + ": {type: fixed, between: [\"b" + std::to_string(i) + " [" + l +
            ", 0, 0]\", b" + std::to_string(i + 1) + "]}\n";
  return read_model_text("armature: 1\n" + text + "start: {keep: {a: 1.2}, near: {d: 1.6}}\n");
}

// The rigid machine falls by three radians while its stiff beams follow. Both models have the same shapes of the coupler, up to
// terms of higher order in its deflection of 0.1 mm.
TEST(Modes, OfALinkOfSeveralBeamsAreThoseOfOneBeamWithAsManyElements) {
  for (const auto& [beams, frame] : {std::pair{4, "clamped"}, {8, "chord"}}) {
    const Small one(falling_four_bar(1, beams, frame)), several(falling_four_bar(beams, 1, frame));
    EXPECT_NEAR(one.position("a"), -1.7812, 1e-4) << beams;
    EXPECT_NEAR(several.position("a"), one.position("a"), 1e-7) << beams;
    for (int mode : {0, 1, 2})
      EXPECT_NEAR(several.modes[mode].frequency(), one.modes[mode].frequency(), 1e-5 * one.modes[mode].frequency())
          << beams << " " << mode;
  }
}

// Matrices without columns; the debug preset's sanitizers look at what is done with them.
TEST(Modes, OfAModelWithoutFreedomAreNone) {
  const Small held(
      text("gravity: [0, 0, -9.81]\nbodies: {b: {mass: 1, center: [0, 0, -2], inertia: none}}\n"
           "joints: {h: {type: revolute, axis: y, between: [ground, b]}}\n"
           "constraints: {c: {type: prescribed, zero: h - 1}}\n"));
  EXPECT_TRUE(held.modes.empty());
  EXPECT_NEAR(held.position("h"), 1, 1e-12);
}

// The nearest equilibrium is the upright one, but nothing falls there.
TEST(Modes, SlidesDownhillFromNearTheTop) {
  for (const char* angle : {"3.0", "3.1", "3.14"}) {
    const Small pendulum(
        text("gravity: [0, 0, -9.81]\nbodies: {b: {mass: 1, center: [0, 0, -2], inertia: none}}\n"
             "joints: {h: {type: revolute, axis: y, between: [ground, b]}}\nstart: {keep: {h: " +
             std::string(angle) + "}}\n"));
    EXPECT_NEAR(std::remainder(pendulum.position("h"), 2 * M_PI), 0, 1e-9) << angle;
  }
}

// omega = sqrt(g/l) and d omega/dl = -omega/(2 l); let go from the horizontal it settles below.
TEST(Modes, PendulumSettlesAndSwings) {
  const Small pendulum(shipped("pendulum"), {"length"});
  EXPECT_NEAR(pendulum.position("swing"), 1.5 * M_PI, 1e-12);
  ASSERT_EQ(pendulum.modes.size(), 1u);
  const double omega = std::sqrt(9.81);
  EXPECT_NEAR(pendulum.modes[0].eigenvalue.imag(), omega, 1e-12);
  EXPECT_NEAR(pendulum.modes[0].eigenvalue.real(), 0, 1e-12);
  EXPECT_NEAR(pendulum.sensitivity()(0, 0).imag(), -omega / 2, 1e-12);
}

TEST(Modes, AnEquilibriumThatIsUnstableIsKeptWhereTheStartIsOnIt) {
  Model model = shipped("pendulum");
  model.start.keep[0].value = parse_formula("pi/2", {});
  const Small pendulum(model);
  ASSERT_EQ(pendulum.modes.size(), 2u);  // two real ones
  EXPECT_NEAR(std::abs(pendulum.modes[0].eigenvalue), std::sqrt(9.81), 1e-10);
  EXPECT_LT(std::min(pendulum.modes[0].damping(), pendulum.modes[1].damping()), 0);
}

// The four-bar with its crank angle a as the one coordinate: l1 e^ia + l2 e^ib = d + l3 e^ic gives b(a), c(a) and their
// derivatives; V(a) and J(a) then give V'(a) = 0 and omega^2 = V''/J.
TEST(Modes, FourBarAboutItsEquilibrium) {
  const Small machine(shipped("four_bar"));
  const double l1 = 0.3, l2 = 0.7, l3 = 0.6, g = 9.81, m1 = 2 * l1, m2 = 2 * l2, m3 = 2 * l3;
  const double a = machine.position("crank_angle"), b = a + machine.position("B"), c = machine.position("rocker_angle");
  const double b1 = -l1 * std::sin(a - c) / (l2 * std::sin(b - c)), c1 = l1 * std::sin(a - b) / (l3 * std::sin(c - b));
  const double b2 = -l1 / l2 *
                    (std::cos(a - c) * (1 - c1) * std::sin(b - c) - std::sin(a - c) * std::cos(b - c) * (b1 - c1)) /
                    std::pow(std::sin(b - c), 2);
  const double c2 = l1 / l3 *
                    (std::cos(a - b) * (1 - b1) * std::sin(c - b) - std::sin(a - b) * std::cos(c - b) * (c1 - b1)) /
                    std::pow(std::sin(c - b), 2);
  const double slope =
      g * ((m1 / 2 + m2) * l1 * std::cos(a) + m2 * l2 / 2 * b1 * std::cos(b) + m3 * l3 / 2 * c1 * std::cos(c));
  const double stiffness =
      g * (-(m1 / 2 + m2) * l1 * std::sin(a) + m2 * l2 / 2 * (b2 * std::cos(b) - b1 * b1 * std::sin(b)) +
           m3 * l3 / 2 * (c2 * std::cos(c) - c1 * c1 * std::sin(c)));
  const double inertia = m1 * l1 * l1 / 3 + m2 * (l1 * l1 + l2 * l2 / 3 * b1 * b1 + l1 * l2 * b1 * std::cos(a - b)) +
                         m3 * l3 * l3 / 3 * c1 * c1;
  EXPECT_NEAR(slope, 0, 1e-11);
  ASSERT_EQ(machine.modes.size(), 1u);
  EXPECT_NEAR(machine.modes[0].eigenvalue.imag(), std::sqrt(stiffness / inertia), 1e-10);
  // the shape has the dependent coordinates too: dB/da = b' - 1
  const auto& shape = machine.modes[0].shape;
  const auto& positions = machine.start.system->equations().positions;
  const auto entry = [&](const std::string& name) {
    for (std::size_t i = 0; i < positions.size(); ++i)
      if (positions[i].name == name) return shape[static_cast<Eigen::Index>(i)];
    throw std::out_of_range(name);
  };
  EXPECT_NEAR((entry("B") / entry("crank_angle")).real(), b1 - 1, 1e-10);
  EXPECT_NEAR((entry("rocker_angle") / entry("crank_angle")).real(), c1, 1e-10);
}

// Two independent builds of the five-bar robot give these.
TEST(Modes, FiveBarWithFlexibleLinks) {
  for (const char* file : {"five_bar", "five_bar_lagrangian"}) {
    const Small robot(shipped(file));
    ASSERT_EQ(robot.modes.size(), 10u) << file;
    EXPECT_NEAR(robot.modes[0].eigenvalue.real(), -2.3695, 5e-5) << file;
    EXPECT_NEAR(robot.modes[1].eigenvalue.real(), -2.3721, 5e-5) << file;
    EXPECT_NEAR(robot.modes[6].eigenvalue.real(), -0.2431, 5e-5) << file;
    EXPECT_NEAR(robot.modes[6].eigenvalue.imag(), 198.957, 5e-4) << file;
    EXPECT_NEAR(robot.position("theta11"), 2.001377112, 5e-10) << file;
    EXPECT_NEAR(robot.position("theta22"), -1.076764793, 5e-10) << file;
  }
}

// Central differences of the eigenvalues of models built with another value: an error of h^2 and of round-off / h.
TEST(Modes, SensitivitiesAreSlopesOfEigenvalues) {
  const Small robot(shipped("five_bar"), {"l1", "r"});
  const Eigen::MatrixXcd exact = robot.sensitivity();
  const auto& names = robot.start.system->equations().p_name;
  for (const auto& [name, value, h] : {std::tuple{"l1", 0.4, 1e-5}, {"r", -10.0, 1e-3}}) {
    const auto column = std::find(names.begin(), names.end(), name) - names.begin();
    const Small more(shipped("five_bar", {{name, std::to_string(value + h)}}));
    const Small less(shipped("five_bar", {{name, std::to_string(value - h)}}));
    for (std::size_t k = 4; k < 10; ++k) {
      const Complex slope = (more.modes[k].eigenvalue - less.modes[k].eigenvalue) / (2 * h);
      EXPECT_NEAR(std::abs(exact(static_cast<Eigen::Index>(k), column) - slope), 0, 1e-6 * (10 + std::abs(slope)))
          << name << " of mode " << k;
    }
  }
}

// A rotor driven by a motor with inductance: A, B of (angle, speed, current), and the current as output.
TEST(Modes, MotorIsTheTextbooksLinearSystem) {
  const Small motor(text(R"(
gravity: [0, 0, 0]
bodies: {rotor: {mass: 1, inertia: {zz: 0.5}}}
joints: {angle: {type: revolute, between: [ground, rotor], damping: 0.2, spring: {stiffness: 3}}}
drives: {m: {type: dc_motor, on: angle, torque_constant: 0.4, back_emf_constant: 0.4, resistance: 2, inductance: 0.1, voltage: 0}}
plane: xy
)"));
  ASSERT_THAT(motor.linear.states, testing::ElementsAre("angle", "angle'", "m.current"));
  ASSERT_THAT(motor.linear.inputs, testing::ElementsAre("u.m"));
  Eigen::Matrix3d A;
  A << 0, 1, 0, -3 / 0.5, -0.2 / 0.5, 0.4 / 0.5, 0, -0.4 / 0.1, -2 / 0.1;
  EXPECT_LT((motor.linear.A - A).norm(), 1e-12);
  EXPECT_LT((motor.linear.B - Eigen::Vector3d(0, 0, 10)).norm(), 1e-12);
  const auto& outputs = motor.linear.outputs;
  const auto voltage = std::find(outputs.begin(), outputs.end(), "m.voltage") - outputs.begin();
  ASSERT_LT(voltage, static_cast<std::ptrdiff_t>(outputs.size()));
  EXPECT_NEAR(motor.linear.D(voltage, 0), 1, 1e-15);
  EXPECT_NEAR(motor.linear.C.row(voltage).norm(), 0, 1e-15);
}

// A body on a ball joint swings about two axes with m g l / I each, and turns freely about the vertical.
TEST(Modes, BodyOnABallJoint) {
  const Small body(text(R"(
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 2, center: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.3, zz: 0.2}}}
joints: {ball: {type: spherical, between: [ground, bob]}}
)"));
  std::vector<double> frequencies;
  for (const Eigenmode& mode : body.modes)
    if (mode.oscillates()) frequencies.push_back(mode.eigenvalue.imag());
  ASSERT_EQ(frequencies.size(), 2u);
  EXPECT_NEAR(frequencies[0], std::sqrt(2 * 9.81 * 0.5 / (0.3 + 0.5)), 1e-10);
  EXPECT_NEAR(frequencies[1], std::sqrt(2 * 9.81 * 0.5 / (0.1 + 0.5)), 1e-10);
}

// A string of tension T with a mass in its middle: only the force of the loop stiffens it. Two massless-free links held by
// a pull at the end: k = 2 T / l across.
TEST(Modes, ForcesOfLoopsStiffen) {
  const double pull = 80, l = 0.5, mass = 0.4;
  const Small string(text(R"(
plane: xy
gravity: [0, 0, 0]
bodies: {bead: {mass: 0.4, inertia: {zz: 1}}, hook: {mass: 1}}
joints:
  at: {type: planar, between: [ground, bead], axis: z, spring: {angle: {stiffness: 1}}}
  end: {type: prismatic, axis: x, between: [ground, hook]}
constraints:
  left: {type: distance, between: [ground, bead], length: 0.5}
  right: {type: distance, between: [bead, hook], length: 0.5}
forces: {pull: {type: effort, on: end, is: 80}}
start: {keep: {at.y: 0.1}, near: {at.x: 0.5, end: 1}}
)"));
  EXPECT_NEAR(string.position("at.y"), 0, 1e-10);
  ASSERT_EQ(string.modes.size(), 2u);  // and the turning of the bead, at 1 rad/s
  EXPECT_NEAR(string.modes[1].eigenvalue.imag(), std::sqrt(2 * pull / l / mass), 1e-8);
}

TEST(Modes, ADrivenMachineHasNoEquilibrium) {
  Prepared start = prepared(shipped("slider_crank"));
  start.system = with_jacobian(*start.system);
  const Equilibrium none = find_equilibrium(start.system, start.start);
  EXPECT_FALSE(none.found);
  EXPECT_THAT(none.sentence, testing::HasSubstr("no equilibrium was found from the start"));
}

TEST(Modes, RefusesASingularPose) {
  Model model = shipped("slider_crank_equal");
  model.start.keep[0].value = parse_formula("pi/2", {});
  model.start.near[0].value = parse_formula("-pi", {});
  model.start.near[1].value = parse_formula("0", {});
  Prepared start = prepared(model);
  start.system = with_jacobian(*start.system);
  EXPECT_THROW(linearize(start.system, start.start, {}), std::runtime_error);
}

// A mass on a spring: s = +-i sqrt(k/m), ds/dk = i/(2 sqrt(k m)).
// A blade on a hub that turns by w, rectangular and hinged at R from the axis: of the hub at constant speed its frequency is
// sqrt(k/J + w^2 R m c/J), J about the hinge, c the way to its center; at rest sqrt(k/J). The hub is heavy.
TEST(FindModes, SaysThatTheSpeedOfAMovingStartIsDropped) {
  const auto found = [](bool equilibrium, const std::string& speed) {
    return find_modes(read_model_text(R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies: {hub: {mass: 1, inertia: {zz: 1e6}}, blade: {mass: 0.4, inertia: {zz: 0.012}}}
joints:
  turn: {type: revolute, between: [ground, hub]}
  flap: {type: revolute, between: ["hub [0.3, 0, 0]", "blade [-0.3, 0, 0]"], spring: {stiffness: 20}}
start: {keep: {turn: 0, flap: 0}, speed: {turn: )yaml" +
                                      speed + "}}"),
                      {.equilibrium = equilibrium});
  };
  const auto fastest = [](const ModesResult& result) {
    double frequency = 0;
    for (const Eigenmode& mode : result.modes) frequency = std::max(frequency, mode.frequency());
    return frequency;
  };
  const double J = 0.012 + 0.4 * 0.09;
  const ModesResult dropped = found(true, "20"), kept = found(false, "20"), resting = found(true, "0");
  EXPECT_NEAR(fastest(dropped), std::sqrt(20 / J), 1e-4);
  EXPECT_NEAR(fastest(kept), std::sqrt((20 + 400 * 0.3 * 0.4 * 0.3) / J), 1e-4);
  EXPECT_THAT(dropped.warnings,
              testing::ElementsAre("the start moves (turn' = 20 rad/s), but these are vibrations about an equilibrium "
                                   "at rest: the speed is dropped. To keep it, linearize about the start itself "
                                   "(--no-equilibrium)"));
  EXPECT_THAT(kept.warnings, testing::IsEmpty());
  EXPECT_THAT(resting.warnings, testing::IsEmpty());
}

TEST(FindModes, IsOneCallFromAModelToItsModes) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
parameters: {k: 4 N/m}
bodies: {mass: {mass: 1 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: k}}}
start: {keep: {x: 1}}
)");
  const ModesResult result = find_modes(model, {.sensitivity = {"k"}});
  ASSERT_EQ(result.modes.size(), 1u);
  EXPECT_NEAR(std::abs(result.modes[0].eigenvalue - Complex(0, 2)), 0, 1e-9);
  EXPECT_NEAR(std::abs(result.sensitivity(0, 0) - Complex(0, 0.25)), 0, 1e-9);
  EXPECT_THROW(find_modes(model, {.sensitivity = {"c"}}), RequestError);
  EXPECT_THROW(find_modes(model, {.equilibrium = false, .sensitivity = {"k"}}), RequestError);
}

}  // namespace
}  // namespace armature::internal
