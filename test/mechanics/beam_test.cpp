// Beams against closed forms: frequencies, static deflection, a spinning cantilever, columns.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/lagrange.hpp"
#include "support/linearized.hpp"

namespace armature::internal {
namespace {

constexpr double pi = std::numbers::pi;

// The beam of the five-bar robot.
constexpr double l = 0.5, E = 7.102e10, rho = 2712, A = 0.03 * 0.003, I = 0.03 * 0.003 * 0.003 * 0.003 / 12;
const double unit_frequency = std::sqrt(E * I / (rho * A)) / (l * l);  // rad/s
const double clamped_free = 1.875104068711961 * 1.875104068711961;     // first root of cos b cosh b = -1, squared

struct Options {
  int elements = 1;
  std::string frame = "clamped";
  bool foreshortening = true;
  std::string gravity = "[0, 0, 0]";
  std::string joint = "fixed";
  std::string rest = "";  // further sections
  std::string damping = "{}";
};

Model beam(const Options& o) {
  return read_model_text("armature: 1\nplane: xy\ngravity: " + o.gravity +
                         "\nbodies:\n  b:\n    beam: {length: 0.5, section: {rectangle: [3 mm, 30 mm]}, E: 7.102e10, "
                         "rho: 2712, elements: " +
                         std::to_string(o.elements) + ", frame: " + o.frame +
                         ", foreshortening: " + (o.foreshortening ? "true" : "false") + ", damping: " + o.damping +
                         "}\n    points: {tip: [0.5, 0, 0], middle: [0.25, 0, 0]}\njoints: {root: {type: " + o.joint +
                         ", between: [ground, b]}}\n" + o.rest);
}

TEST(Beam, OneElementVibratesAsPublished) {
  EXPECT_NEAR(Linearized(beam({})).frequencies()[0], 62.625, 5e-4);  // as many digits as are known
}

// The order of convergence from n - 1 to n elements.
double order_of(double before, double error, int n) { return std::log(before / error) / std::log(n / (n - 1.0)); }

// Cubic elements: the error of a frequency falls with n^4, and is (k h)^4/1440 of it at the wave number k.
TEST(Beam, ClampedFreeFrequencyConvergesWithFourthOrder) {
  double before = 0;
  for (int n = 1; n <= 16; ++n) {
    Options o;
    o.elements = n, o.foreshortening = false;
    const double error = Linearized(beam(o)).frequencies()[0] / unit_frequency / clamped_free - 1;
    EXPECT_GT(error, 0) << n;  // a Ritz value
    if (n > 3) {
      EXPECT_NEAR(order_of(before, error, n), 4, 0.15) << n;
      EXPECT_NEAR(error / (std::pow(1.875104 / n, 4) / 1440), 1, 0.05) << n;
    }
    before = error;
  }
}

// (k pi)^2, k = 1, 2.
TEST(Beam, PinnedPinnedFrequenciesConvergeWithFourthOrder) {
  for (const char* frame : {"clamped", "chord"})
    for (int n = 2; n <= 16; ++n) {
      Options o;
      o.elements = n, o.frame = frame, o.joint = "revolute", o.foreshortening = n == 8;
      o.rest = "constraints: {pin: {type: prescribed, zero: b.tip.y}}\n";
      const std::vector<double> w = Linearized(beam(o)).frequencies();
      for (int k = 1; k <= 2; ++k) {
        const double exact = k * k * pi * pi, error = std::pow(k * pi / n, 4) / 1440;
        // the next term of the error is of sixth order
        EXPECT_NEAR((w[k - 1] / unit_frequency / exact - 1) / error, 1, 0.05 + 0.1 * std::pow(k * pi / n, 2))
            << frame << ", mode " << k << ", " << n << " elements";
      }
    }
}

// A cantilever in the chord frame: the frame turns with the elastic coordinates. To first order the two are the same beam.
TEST(Beam, ChordFrameHasTheSameFrequencies) {
  Options clamped, chord;
  clamped.elements = chord.elements = 3;
  chord.frame = "chord";
  const std::vector<double> a = Linearized(beam(clamped)).frequencies(), b = Linearized(beam(chord)).frequencies();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(b[k], a[k], 1e-9 * a.back());
}

// P l^3/3EI and P l^2/2EI at the tip; cubic shapes hold the exact solution.
TEST(Beam, CantileverUnderATipLoad) {
  for (int n : {1, 3}) {
    Options o;
    o.elements = n, o.foreshortening = false;
    o.rest = "forces: {P: {type: force, on: b.tip, is: [0, 2, 0]}}\n";
    Linearized x(beam(o));
    x.find_equilibrium();
    EXPECT_NEAR(x.position("b.w" + std::to_string(n)), 2 * l * l * l / (3 * E * I), 1e-13);
    EXPECT_NEAR(x.position("b.slope" + std::to_string(n)), 2 * l * l / (2 * E * I), 1e-12);
  }
}

// rho A g l^4/8EI: consistent loads make nodal deflections exact.
TEST(Beam, CantileverUnderItsWeight) {
  Options o;
  o.elements = 2, o.foreshortening = false, o.gravity = "[0, -9.81, 0]";
  Linearized x(beam(o));
  x.find_equilibrium();
  EXPECT_NEAR(x.position("b.w2"), -rho * A * 9.81 * std::pow(l, 4) / (8 * E * I), 1e-13);
}

// A torque at the middle of an element turns the section there: slope M x/EI beyond it.
TEST(Beam, TorqueAnywhere) {
  Options o;
  o.elements = 2, o.foreshortening = false;
  o.rest = "forces: {M: {type: torque, on: b.middle, is: [0, 0, 0.1]}}\n";
  Linearized x(beam(o));
  x.find_equilibrium();
  EXPECT_NEAR(x.position("b.slope1"), 0.1 * 0.25 / (E * I), 1e-13);
  EXPECT_NEAR(x.position("b.slope2"), 0.1 * 0.25 / (E * I), 1e-13);
}

// In-plane vibration of a cantilever that spins about its root: out of plane it has 4.1373 at a speed of 2 and 6.4495 at
// 5 (Wright, Smith, Thresher, Wang, J. Appl. Mech. 49, 1982), in plane w^2 is less by the square of the speed.
TEST(Beam, SpinningCantileverStiffens) {
  Options o;
  o.elements = 8, o.joint = "revolute";
  Linearized x(beam(o));
  for (const auto& [speed, flap] : {std::pair{2.0, 4.1373}, {5.0, 6.4495}}) {
    x.rate("root") = speed * unit_frequency;
    EXPECT_NEAR(x.frequencies({"root"})[0] / unit_frequency, std::sqrt(flap * flap - speed * speed),
                5e-4);  // digits known
  }
  // without foreshortening it softens instead
  o.foreshortening = false;
  Linearized soft(beam(o));
  soft.rate("root") = 2 * unit_frequency;
  EXPECT_NEAR(soft.frequencies({"root"})[0] / unit_frequency, std::sqrt(clamped_free * clamped_free - 4), 1e-4);
}

// Euler: pi^2 EI/l^2 pinned, a quarter of it clamped at one end. Four elements are within 1e-4.
TEST(Beam, ColumnsBuckle) {
  auto stiffness = [](const std::string& frame, bool pinned, double load) {
    Options o;
    o.elements = 4, o.frame = frame, o.joint = pinned ? "revolute" : "fixed";
    o.rest = "forces: {P: {type: force, on: b.tip, is: [-" + std::to_string(load) + ", 0, 0]}}\n";
    if (pinned) o.rest += "constraints: {pin: {type: prescribed, zero: b.tip.y}}\n";
    Linearized column(beam(o));
    column.find_equilibrium();
    return column.least_stiffness();
  };
  const double euler = pi * pi * E * I / (l * l);
  for (const char* frame : {"clamped", "chord"}) {
    EXPECT_GT(stiffness(frame, true, euler * (1 - 1e-4)), 0) << frame;
    EXPECT_LT(stiffness(frame, true, euler * (1 + 1e-3)), 0) << frame;
    EXPECT_GT(stiffness(frame, false, euler / 4 * (1 - 1e-4)), 0) << frame;
    EXPECT_LT(stiffness(frame, false, euler / 4 * (1 + 1e-4)), 0) << frame;
  }
}

// The lowest modes alone vibrate as they do among all nodes: of a cantilever, and of a beam pinned at both ends.
TEST(Beam, ModesKeepTheirFrequencies) {
  for (const bool pinned : {false, true}) {
    Options o;
    o.elements = 8, o.joint = pinned ? "revolute" : "fixed", o.frame = pinned ? "chord" : "clamped";
    if (pinned) o.rest = "constraints: {pin: {type: prescribed, zero: b.tip.y}}\n";
    const std::vector<double> all = Linearized(beam(o)).frequencies();
    o.frame += ", modes: 3";
    const std::vector<double> few = Linearized(beam(o)).frequencies();
    ASSERT_EQ(few.size(), 3u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(few[k], all[k], 1e-9 * all[k]);  // round-off of the fastest mode
  }
}

// Rayleigh: a M + b K damps a mode of frequency w by the ratio a/2w + b w/2, and it vibrates with w sqrt(1 - ratio^2).
TEST(Beam, RayleighDampingHasItsRatios) {
  Options o;
  const double w = Linearized(beam(o)).frequencies()[0];
  for (const auto& [a, b] : {std::pair{0.6 * w, 0.0}, {0.0, 0.6 / w}}) {
    o.damping = "{mass: " + std::to_string(a) + ", stiffness: " + std::to_string(b) + "}";
    const double ratio = std::stod(std::to_string(a)) / (2 * w) + std::stod(std::to_string(b)) * w / 2;
    EXPECT_NEAR(Linearized(beam(o)).frequencies()[0], w * std::sqrt(1 - ratio * ratio), 1e-9 * w);
  }
}

// Every mode of the beam in its frame decays with the same ratio, by nodes or by modes.
TEST(Beam, DampingRatioHoldsForEveryMode) {
  for (const char* modes : {"", ", modes: 2"}) {
    Options o;
    o.elements = 2, o.frame += modes;
    const std::vector<double> w = Linearized(beam(o)).frequencies();
    o.damping = "{ratio: 0.3}";
    const std::vector<double> damped = Linearized(beam(o)).frequencies();
    ASSERT_EQ(damped.size(), w.size());
    for (std::size_t k = 0; k < w.size(); ++k) EXPECT_NEAR(damped[k] / w[k], std::sqrt(1 - 0.09), 1e-9) << modes;
  }
}

// A spring from the ground to the middle of a beam: with the stiffness k there, w(l/2) = P l^3/EI 5/48 - k w(l/2) l^3/24EI.
TEST(Beam, SpringAnywhere) {
  Options o;
  o.elements = 2, o.foreshortening = false;
  o.rest =
      "forces:\n  P: {type: force, on: b.tip, is: [0, 0.01, 0]}\n"
      "  spring: {type: spring, between: [\"ground [0.25, -1, 0]\", b.middle], stiffness: 200, length: 1}\n";
  Linearized x(beam(o));
  x.find_equilibrium();
  const double flexibility = l * l * l / (E * I);
  EXPECT_NEAR(x.position("b.w1"), 0.01 * flexibility * 5 / 48 / (1 + 200 * flexibility / 24), 1e-12);
}

void expect_complaint(const std::string& text, const std::string& message) {
  try {
    build_model(read_model_text(text));
    ADD_FAILURE() << "no complaint: " << message;
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
  }
}

TEST(Beam, SaysWhatIsWrong) {
  const std::string body =
      "bodies: {b: {beam: {length: 1, section: {tube: [20 mm, 16 mm]}, E: 1e10, rho: 1e3, elements: 2}}}\n";
  const std::string head = "armature: 1\ngravity: [0, 0, 0]\n";
  const std::string joint = "joints: {j: {type: fixed, between: [ground, b]}}\n";
  expect_complaint(head + body + joint, "the beam twists: give G or nu");
  expect_complaint(head + "plane: yz\n" + body + joint, "write plane: xy or xz");
  expect_complaint(
      head + "bodies: {b: {beam: {length: 1, section: {A: 1, I_y: 1, I_z: 1}, E: 1, nu: 0, rho: 1}}}\n" + joint,
      "J of the section is missing");
  expect_complaint(head +
                       "plane: xy\nbodies: {b: {beam: {length: 1, section: {A: 1, I_z: 1}, E: 1, rho: 1, "
                       "modes: {z: 1}}}}\n" +
                       joint,
                   "the beam has no such motion");
  expect_complaint(head + "plane: xy\n" + body + "joints: {j: {type: fixed, between: [ground, \"b [1.5, 0, 0]\"]}}\n",
                   "lies beyond the ends of the beam");
  expect_complaint(head +
                       "plane: xy\nbodies: {b: {beam: {length: 1, section: {A: 1e-4, I_y: 1e-9}, E: 1e10, rho: 1e3}}}\n"
                       "joints: {j: {type: fixed, between: [ground, b]}}\n",
                   "I_z of the section is missing");
  expect_complaint(
      head + "plane: xy\nbodies: {b: {beam: {length: 1, section: {A: 1e-4}, E: 1e10, rho: 1e3, elements: 1.5}}}\n",
      "must be a whole number");
  expect_complaint(head +
                       "plane: xy\nbodies: {b: {beam: {length: 1, section: {A: 1e-4, I_z: 1e-9}, E: 1e10, rho: 1e3}, "
                       "points: {w1: [0, 0, 0]}}}\n",
                   "a coordinate of the beam has this name");
  expect_complaint(head +
                       "plane: xy\nbodies: {b: {beam: {length: 1, section: {A: 1e-4, I_z: 1e-9}, E: 1e10, rho: 1e3}, "
                       "points: {tip: [1.2, 0, 0]}}}\n" +
                       joint,
                   "bodies.b.points.tip: lies beyond the ends of the beam");
  expect_complaint(
      head + "plane: xy\nbodies: {b: {beam: {length: 1, section: {tube: [10 mm, 20 mm]}, E: 1e10, rho: 1e3}}}\n" +
          joint,
      "the inner diameter must be smaller than the outer one");
}

// Everything a beam can carry.
TEST(Beam, EquationsAreThoseOfLagrange) {
  for (const char* frame : {"clamped", "chord"})
    for (const char* plane : {"xy", "xz"}) {
      const std::string beam =
          std::string(
              "{length: 1, section: {A: 1e-4, I_y: 2e-9, I_z: 1e-9}, E: 1e10, rho: 1000, elements: 2, "
              "frame: ") +
          frame + "}";
      const std::string across = plane == std::string("xy") ? "0.1, 0" : "0, 0.1";
      const auto e = build_model(read_model_text(
          std::string("armature: 1\nplane: ") + plane + "\ngravity: [1, 2, 3]\nbodies:\n  a: {beam: " + beam +
          "}\n  b: {beam: " + beam +
          "}\n  rider: {mass: 0.3, center: [0.1, 0, 0], inertia: {yy: 0.01, zz: 0.01}}\njoints:\n"
          "  root: {type: revolute, between: [ground, a]}\n  slide: {type: prismatic, axis: x, between: [\"a [0.3, " +
          across + "]\", rider]}\n  elbow: {type: revolute, between: [\"a [1, 0, 0]\", \"b [0.7, " + across +
          "]\"]}\n"));
      expect_forces_of_lagrange(*e, std::string(frame) + " " + plane);
    }
}

}  // namespace
}  // namespace armature::internal
