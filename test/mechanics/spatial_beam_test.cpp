// Beams in space against closed forms: both bending planes, torsion, stretch, buckling, spinning, and what follows from
// symmetry.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/lagrange.hpp"
#include "support/linearized.hpp"

namespace armature::internal {
namespace {

constexpr double pi = std::numbers::pi;

// A strip of 30 x 3 mm, thin along y, and a tube, which bends the same way in every plane.
constexpr double l = 0.5, E = 7.102e10, G = 2.67e10, rho = 2712;
constexpr double a = 0.003, b = 0.03, A = a * b, I_z = b * a * a * a / 12, I_y = a * b * b * b / 12;
const double clamped_free = 1.875104068711961 * 1.875104068711961;  // first root of cos b cosh b = -1, squared
const std::string strip = "{rectangle: [3 mm, 30 mm]}", tube = "{tube: [20 mm, 16 mm]}";

double frequency_scale(double I, double area) { return std::sqrt(E * I / (rho * area)) / (l * l); }

struct Options {
  int elements = 1;
  std::string section = strip;
  std::string rest = "";  // further keys of the beam, each with a comma before it
  std::string gravity = "[0, 0, 0]";
  std::string joint = "{type: fixed, between: [ground, b]}";
  std::string sections = "";  // further sections of the file
  std::string head = "";
};

Model beam(const Options& o) {
  return read_model_text("armature: 1\n" + o.head + "gravity: " + o.gravity +
                         "\nbodies:\n  b:\n    beam: {length: 0.5, section: " + o.section +
                         ", E: 7.102e10, G: 2.67e10, rho: 2712, elements: " + std::to_string(o.elements) + o.rest +
                         "}\n    points: {tip: [0.5, 0, 0], side: [0.5, 0.1, 0]}\njoints: {root: " + o.joint + "}\n" +
                         o.sections);
}

// The frequency next to an expected one.
double nearest(const std::vector<double>& frequencies, double expected) {
  return *std::min_element(frequencies.begin(), frequencies.end(),
                           [&](double x, double y) { return std::abs(x - expected) < std::abs(y - expected); });
}

// Roark: J = 0.3333 a b^3 (1 - 0.63 a/b) of a thin strip; Timoshenko: 0.1406 a^4 of a square (four digits).
TEST(SpatialBeam, TorsionConstantOfRectangles) {
  auto twist = [](const std::string& section) {
    Options o;
    o.section = section;
    o.sections = "forces: {M: {type: torque, on: b.tip, is: [1e-3, 0, 0]}}\n";
    Linearized x(beam(o));
    x.find_equilibrium();
    return 1e-3 * l / (G * x.position("b.twist1"));
  };
  EXPECT_NEAR(twist("{rectangle: [10 mm, 10 mm]}") / 1e-8, 0.1406, 5e-5);
  EXPECT_NEAR(twist("{rectangle: [20 mm, 10 mm]}") / (2 * 1e-8), 0.2287, 5e-5);  // 0.2287 a b^3 at 2:1
  EXPECT_NEAR(twist(strip) / (b * a * a * a / 3 * (1 - 0.630249 * a / b)), 1, 1e-6);
  EXPECT_NEAR(twist(tube) / (pi / 32 * (std::pow(0.02, 4) - std::pow(0.016, 4))), 1, 1e-9);
}

// Relative errors of elements of length h at the wave number k: (k h)^4/1440 of cubic bending, -(k h)^4/480 of the twist
// with the mean of both masses, (k h)^2/24 of the stretch.
TEST(SpatialBeam, VibratesInBothPlanesTwistsAndStretches) {
  const double J = b * a * a * a / 3 * (1 - 0.630249 * a / b), spin = std::sqrt(G * J / (rho * (I_y + I_z))) / l;
  for (int n : {2, 4}) {
    Options o;
    o.elements = n, o.rest = ", axial: true";
    const std::vector<double> w = Linearized(beam(o)).frequencies();
    ASSERT_EQ(w.size(), 6u * n);
    for (double I : {I_z, I_y}) {
      const double exact = clamped_free * frequency_scale(I, A), error = std::pow(1.875104 / n, 4) / 1440;
      EXPECT_NEAR((nearest(w, exact) / exact - 1) / error, 1, 0.1) << n;
    }
    const double h = pi / 2 / n;
    EXPECT_NEAR((1 - nearest(w, pi / 2 * spin) / (pi / 2 * spin)) / (h * h * h * h / 480), 1, 0.1) << n;
    const double stretch = pi / 2 * std::sqrt(E / rho) / l;
    EXPECT_NEAR((nearest(w, stretch) / stretch - 1) / (h * h / 24), 1, 0.1) << n;
  }
}

// P l^3/3EI in each plane, M l/GJ, N l/EA; rho A g l^4/8EI under its weight. Shapes hold the exact nodal values.
TEST(SpatialBeam, BendsTwistsAndStretchesUnderLoads) {
  Options o;
  o.elements = 2, o.rest = ", axial: true, foreshortening: false",
  o.section = "{A: 9e-5, I_y: 2e-9, I_z: 5e-10, J: 1e-9}";
  o.sections = "forces: {P: {type: force, on: b.tip, is: [100, 2, 3]}}\n";
  Linearized x(beam(o));
  x.find_equilibrium();
  EXPECT_NEAR(x.position("b.wy2"), 2 * l * l * l / (3 * E * 5e-10), 1e-12);
  EXPECT_NEAR(x.position("b.wz2"), 3 * l * l * l / (3 * E * 2e-9), 1e-12);
  EXPECT_NEAR(x.position("b.slopez2"), 3 * l * l / (2 * E * 2e-9), 1e-11);
  EXPECT_NEAR(x.position("b.stretch2"), 100 * l / (E * A), 1e-16);

  o.sections = "", o.gravity = "[9.81, -9.81, 9.81]";
  Linearized y(beam(o));
  y.find_equilibrium();
  EXPECT_NEAR(y.position("b.wy2"), -rho * A * 9.81 * std::pow(l, 4) / (8 * E * 5e-10), 1e-12);
  EXPECT_NEAR(y.position("b.wz2"), rho * A * 9.81 * std::pow(l, 4) / (8 * E * 2e-9), 1e-12);
  EXPECT_NEAR(y.position("b.stretch2"), rho * 9.81 * l * l / (2 * E), 1e-17);

  o.gravity = "[0, 0, 0]", o.sections = "forces: {M: {type: torque, on: b.tip, is: [0.1, 0, 0]}}\n";
  Linearized t(beam(o));
  t.find_equilibrium();
  EXPECT_NEAR(t.position("b.twist1"), 0.1 * l / 2 / (G * 1e-9), 1e-15);
  EXPECT_NEAR(t.position("b.twist2"), 0.1 * l / (G * 1e-9), 1e-15);

  // a force beside the axis twists by its moment; the rest of the twist is of third order in the load
  o.rest = "", o.sections = "forces: {P: {type: force, on: b.side, is: [0, 0, 1e-3]}}\n";
  Linearized z(beam(o));
  z.find_equilibrium();
  EXPECT_NEAR(z.position("b.twist2") / (1e-3 * 0.1 * l / (G * 1e-9)), 1, 1e-6);
}

// A tube under a load across any direction is the planar beam turned about its axis: to round-off in the clamped frame, and
// but for terms of third order of the turn of the first section in the chord frame.
TEST(SpatialBeam, BendsInAnObliquePlaneAsInItsOwn) {
  for (const char* frame : {"clamped", "chord"}) {
    Options o;
    o.elements = 2, o.section = tube, o.rest = std::string(", frame: ") + frame;
    o.gravity = "[-30, 600, 800]", o.sections = "forces: {P: {type: force, on: b.tip, is: [-300, 60, 80]}}\n";
    Linearized space(beam(o));
    space.find_equilibrium();
    o.head = "plane: xy\n", o.gravity = "[-30, 1000, 0]";
    o.sections = "forces: {P: {type: force, on: b.tip, is: [-300, 100, 0]}}\n";
    Linearized plane(beam(o));
    plane.find_equilibrium();
    const double w = plane.position("b.w1"), slope = plane.position("b.slope2");
    EXPECT_GT(std::abs(w), 1e-3);  // far enough for terms of second order to be seen
    const double tolerance = (frame == std::string("chord") ? slope * slope : 1e-11) * std::abs(w);
    EXPECT_NEAR(space.position("b.wy1"), 0.6 * w, tolerance) << frame;
    EXPECT_NEAR(space.position("b.wz1"), 0.8 * w, tolerance) << frame;
  }
}

// Flapping of a spinning beam: 4.1373 at a speed of 2 and 6.4495 at 5 in units of sqrt(EI/rho A)/l^2 (Wright, Smith, Thresher,
// Wang, J. Appl. Mech. 49, 1982); in the plane of the motion w^2 is less by the square of the speed.
TEST(SpatialBeam, SpinningStiffensItInBothPlanes) {
  Options o;
  o.elements = 4, o.section = tube, o.joint = "{type: revolute, axis: z, between: [ground, b]}";
  const double area = pi / 4 * (4e-4 - 2.56e-4), I = pi / 64 * (1.6e-7 - 6.5536e-8);
  const double unit = frequency_scale(I, area);
  Linearized x(beam(o));
  for (const auto& [speed, flap] : {std::pair{2.0, 4.1373}, {5.0, 6.4495}}) {
    x.rate("root") = speed * unit;
    const std::vector<double> w = x.frequencies({"root"});
    EXPECT_NEAR(w[0] / unit, std::sqrt(flap * flap - speed * speed), 1.5e-3);  // digits known, and four elements
    EXPECT_NEAR(w[1] / unit, flap, 1.5e-3);
  }
}

// Euler's columns: pi^2 EI/4l^2 in each plane.
TEST(SpatialBeam, ColumnsBuckleInBothPlanes) {
  auto stiffness = [](double load, const std::vector<std::string>& held) {
    Options o;
    o.elements = 4;
    o.sections = "forces: {P: {type: force, on: b.tip, is: [-" + std::to_string(load) + ", 0, 0]}}\n";
    Linearized column(beam(o));
    column.find_equilibrium();
    return column.least_stiffness(held);
  };
  std::vector<std::string> y;
  for (int k = 1; k <= 4; ++k) y.push_back("b.wy" + std::to_string(k)), y.push_back("b.slopey" + std::to_string(k));
  const double weak = pi * pi * E * I_z / (4 * l * l), strong = pi * pi * E * I_y / (4 * l * l);
  EXPECT_GT(stiffness(weak * (1 - 1e-4), {}), 0);
  EXPECT_LT(stiffness(weak * (1 + 1e-4), {}), 0);
  EXPECT_GT(stiffness(strong * (1 - 1e-4), y), 0);
  EXPECT_LT(stiffness(strong * (1 + 1e-4), y), 0);
}

// A narrow cantilever under a load across its strong direction tips over at 4.0126 sqrt(EI GJ)/l^2 (Timoshenko and Gere,
// Theory of Elastic Stability, 6.3), where the strong stiffness is large against the weak one. Linear twist: second order.
TEST(SpatialBeam, NarrowCantileverBucklesSideways) {
  auto stiffness = [](int n, double load) {
    Options o;
    o.elements = n, o.section = "{A: 9e-5, I_y: 1e-12, I_z: 1e-8, J: 4e-12}";
    o.sections = "forces: {P: {type: force, on: b.tip, is: [0, " + std::to_string(load) + ", 0]}}\n";
    Linearized strip(beam(o));
    strip.find_equilibrium();
    return strip.least_stiffness();
  };
  const double unit = std::sqrt(E * 1e-12 * G * 4e-12) / (l * l);
  auto critical = [&](int n) {
    double low = 3.5, high = 5;
    while (high - low > 1e-3) {
      const double middle = (low + high) / 2;
      (stiffness(n, middle * unit) > 0 ? low : high) = middle;
    }
    return low;
  };
  const double c2 = critical(2), c4 = critical(4);
  EXPECT_NEAR(c4, 4.0126, 0.02 * 4.0126);
  EXPECT_NEAR(c4 + (c4 - c2) / 3, 4.0126, 0.005 * 4.0126);
}

// The lowest modes of each kind vibrate as they do among all nodes; a map says how many of each.
TEST(SpatialBeam, ModesKeepTheirFrequencies) {
  Options o;
  o.elements = 4;
  const std::vector<double> all = Linearized(beam(o)).frequencies();
  o.rest = ", modes: 2";
  std::vector<double> few = Linearized(beam(o)).frequencies();
  ASSERT_EQ(few.size(), 6u);
  for (double w : few) EXPECT_NEAR(nearest(all, w), w, 1e-8 * w);
  o.rest = ", modes: {z: 1, twist: 2}";
  few = Linearized(beam(o)).frequencies();
  ASSERT_EQ(few.size(), 3u);
  EXPECT_NEAR(few[0], nearest(all, clamped_free * frequency_scale(I_y, A)), 1e-8 * few[0]);
}

// Everything a beam can carry.
TEST(SpatialBeam, EquationsAreThoseOfLagrange) {
  const std::string beam =
      "{length: 1, section: {A: 1e-4, I_y: 2e-9, I_z: 1e-9, J: 1e-9}, E: 1e10, G: 4e9, rho: 1000, axial: true";
  const auto e = build_model(read_model_text(
      "armature: 1\ngravity: [1, 2, 3]\nbodies:\n  a: {beam: " + beam +
      ", frame: chord, elements: 2}}\n  b: {beam: " + beam +
      "}}\n  rider: {mass: 0.3, center: [0.1, 0.02, 0.03], inertia: {xx: 0.01, yy: 0.02, zz: 0.015}}\njoints:\n"
      "  root: {type: universal, axes: [z, y], between: [ground, a]}\n"
      "  slide: {type: cylindrical, axis: [1, 2, 3], between: [\"a [0.7, 0.1, 0.2]\", rider]}\n"
      "  elbow: {type: revolute, axis: [1, 1, 0], between: [\"a [1, 0, 0]\", \"b [0.7, 0.1, -0.1]\"]}\n"));
  expect_forces_of_lagrange(*e, "spatial");
}

}  // namespace
}  // namespace armature::internal
