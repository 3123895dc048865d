// Beams that bend far, against closed forms: the elastica, a strip rolled up to a circle, frequencies, buckling, a spinning cantilever.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "support/linearized.hpp"

namespace armature::internal {
namespace {

constexpr double pi = std::numbers::pi;

// Length, E, density and area 1; I_z = 1 and the units of everything are those of the formulas.
struct Rod {
  int elements = 2;
  std::string plane = "plane: xy\n";
  std::string section = "{A: 1, I_y: 1, I_z: 1}";
  std::string joint = "root: {type: fixed, between: [ground, b]}";
  std::string more = "";  // keys of the beam
  std::string rest = "";  // further sections
};

Model rod(const Rod& o) {
  return read_model_text(
      fmt::format("armature: 1\n{}gravity: [0, 0, 0]\nbodies:\n  b:\n    beam: {{bending: large, length: 1, "
                  "section: {}, E: 1, nu: 0, rho: 1, elements: {}{}}}\n    points: {{tip: [1, 0, 0], middle: "
                  "[0.5, 0, 0], root: [0, 0, 0]}}\njoints: {{{}}}\n{}",
                  o.plane, o.section, o.elements, o.more, o.joint, o.rest));
}

// A cantilever with a force F across its end, EI = l = 1, by elliptic integrals of the modulus k: with the slope s at the tip
//   2 k^2 = 1 + sin s,  sin a = 1/(k sqrt 2),  sqrt F = K(k) - F(a, k),  x = sqrt(2 sin s/F),  y = 1 - 2 (E(k) - E(a, k))/sqrt F
struct Elastica {
  double force, x, y;
  explicit Elastica(double slope) {
    const double k = std::sqrt(0.5 * (1 + std::sin(slope))), a = std::asin(1 / (k * std::sqrt(2.0)));
    const double root = std::comp_ellint_1(k) - std::ellint_1(k, a);
    force = root * root;
    x = std::sqrt(2 * std::sin(slope)) / root;
    y = 1 - 2 * (std::comp_ellint_2(k) - std::ellint_2(k, a)) / root;
  }
};

// The slope at the tip, with the force that the elastica needs for it.
double tip_slope(double slope, int elements) {
  Rod o;
  o.elements = elements;
  o.rest = fmt::format("forces: {{F: {{type: force, on: b.tip, is: [0, {:.17g}, 0]}}}}\n", Elastica(slope).force);
  Linearized x(rod(o));
  for (int e = 1; e <= elements; ++e) x.position("b.bend" + std::to_string(e)) = slope / elements;
  x.find_equilibrium();
  double sum = 0;
  for (int e = 1; e <= elements; ++e) sum += x.position("b.bend" + std::to_string(e));
  return sum;
}

TEST(LargeBeam, IsTheElastica) {
  for (int degrees = 10; degrees <= 80; degrees += 10) {
    const double slope = degrees * pi / 180;
    EXPECT_NEAR(tip_slope(slope, 2), slope, 1e-6) << degrees;
    EXPECT_NEAR(tip_slope(slope, 4), slope, 1e-8) << degrees;
    EXPECT_NEAR(tip_slope(slope, 1), slope, 1e-4) << degrees;  // four coordinates
  }
}

// Curvature that is cubic in each element: the energy errs with h^8, and the slope with it.
TEST(LargeBeam, ConvergesWithTheEighthOrder) {
  const double slope = 80 * pi / 180;
  const double coarse = std::abs(tip_slope(slope, 3) - slope), fine = std::abs(tip_slope(slope, 6) - slope);
  EXPECT_NEAR(std::log2(coarse / fine), 8, 1);
}

// 1.8751^2 and 4.6941^2 clamped, (k pi)^2 pinned: as the beam of small deflections. One element has four coordinates.
TEST(LargeBeam, VibratesAsASmallBeam) {
  const double first = 3.516015268541, second = 22.034491564;
  Rod o;
  const std::vector<double> two = Linearized(rod(o)).frequencies();
  EXPECT_NEAR(two[0] / first, 1, 2e-8);
  EXPECT_NEAR(two[1] / second, 1, 1e-5);
  o.elements = 1;
  EXPECT_NEAR(Linearized(rod(o)).frequencies()[0] / first, 1, 2e-6);
  const Model small = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {b: {beam: {length: 1, section: {A: 1, I_y: 1, I_z: 1}, E: "
      "1, rho: 1, "
      "elements: 32}}}\njoints: {root: {type: fixed, between: [ground, b]}}\n");
  const std::vector<double> cubic = Linearized(small).frequencies();
  EXPECT_NEAR(two[0] / cubic[0], 1, 2e-8);
  EXPECT_NEAR(two[1] / cubic[1], 1, 1e-5);
  o.elements = 2;
  o.joint = "root: {type: revolute, axis: z, between: [ground, b]}";
  o.rest = "constraints: {pin: {type: prescribed, zero: b.tip.y}}\n";
  const std::vector<double> pinned = Linearized(rod(o)).frequencies();
  EXPECT_NEAR(pinned[0] / (pi * pi), 1, 1e-6);
  EXPECT_NEAR(pinned[1] / (4 * pi * pi), 1, 4e-4);  // each element is half a wave
}

// Held at its far end, in its middle or between nodes it is the same beam.
TEST(LargeBeam, MayBeHeldAnywhere) {
  Rod first, last, inside;
  last.joint = "root: {type: fixed, between: [\"ground [1, 0, 0]\", \"b [1, 0, 0]\"]}";
  const std::vector<double> a = Linearized(rod(first)).frequencies(), b = Linearized(rod(last)).frequencies();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-9 * a.back());
  // two cantilevers of half the length: four times as fast
  inside.joint = "root: {type: fixed, between: [\"ground [0.5, 0, 0]\", b.middle]}";
  const std::vector<double> c = Linearized(rod(inside)).frequencies();
  EXPECT_NEAR(c[0] / (4 * 3.516015268541), 1, 2e-6);
  EXPECT_NEAR(c[1] / (4 * 3.516015268541), 1, 2e-6);
}

// In space: both planes, and torsion at pi/2 sqrt(GJ/(rho I_p)), GJ = 1/2 and I_p = I_y + I_z.
TEST(LargeBeam, BendsAndTwistsInSpace) {
  Rod o;
  o.plane = "", o.section = "{A: 1, I_y: 4e-4, I_z: 1e-4, J: 2e-4}";
  const std::vector<double> w = Linearized(rod(o)).frequencies();
  EXPECT_NEAR(w[0] / (3.516015268541 * 1e-2), 1, 1e-7);
  EXPECT_NEAR(w[1] / (3.516015268541 * 2e-2), 1, 1e-7);
  const double torsion = pi / 2 * std::sqrt(0.5 * 2e-4 / 5e-4);
  EXPECT_TRUE(std::ranges::any_of(w, [&](double x) { return std::abs(x / torsion - 1) < 1e-7; }));
}

// An end moment of 2 pi EI/l makes a circle: each of the two elements turns by half a turn.
TEST(LargeBeam, RollsUpToACircle) {
  for (const auto& [plane, moment, coordinate] : {std::tuple{"plane: xy\n", "[0, 0, 2*pi]", "b.bend"},
                                                  {"plane: xz\n", "[0, -2*pi, 0]", "b.bend"},
                                                  {"", "[0, 0, 2*pi]", "b.bendy"},
                                                  {"", "[0, -2*pi, 0]", "b.bendz"}}) {
    Rod o;
    o.plane = plane, o.section = "{A: 1, I_y: 1, I_z: 1, J: 1}";
    o.rest = fmt::format("forces: {{M: {{type: torque, on: b.tip, is: {}}}}}\n", moment);
    Linearized x(rod(o));
    for (int e = 1; e <= 2; ++e) x.position(coordinate + std::to_string(e)) = 3;
    x.find_equilibrium();
    for (int e = 1; e <= 2; ++e) EXPECT_NEAR(x.position(coordinate + std::to_string(e)), pi, 1e-9) << plane << moment;
  }
}

// In-plane vibration of a cantilever that spins about its root, as in beam_test.cpp: foreshortening is there by itself.
TEST(LargeBeam, SpinningCantileverStiffens) {
  Rod o;
  o.joint = "root: {type: revolute, axis: z, between: [ground, b]}";
  Linearized x(rod(o));
  for (const auto& [speed, flap] : {std::pair{2.0, 4.1373}, {5.0, 6.4495}}) {
    x.rate("root") = speed;
    EXPECT_NEAR(x.frequencies({"root"})[0], std::sqrt(flap * flap - speed * speed), 5e-4);  // digits known
  }
}

// Euler's column, a quarter of pi^2, and the narrow cantilever that an end load tips sideways, 4.0126 sqrt(EI GJ)/l^2.
TEST(LargeBeam, Buckles) {
  const auto stiffness = [](const Rod& o) {
    Linearized x(rod(o));
    x.find_equilibrium();
    return x.least_stiffness();
  };
  for (const auto& [load, stands] : {std::pair{0.999999, true}, {1.000001, false}}) {
    Rod column;
    column.rest = fmt::format("forces: {{P: {{type: force, on: b.tip, is: [{:.17g}, 0, 0]}}}}\n", -load * pi * pi / 4);
    EXPECT_EQ(stiffness(column) > 0, stands) << load;
  }
  // EI_y is so large that the beam stays straight under the load: 1e-6 of the deflection that would matter
  for (const auto& [load, stands] : {std::pair{4.0126 * 0.9999, true}, {4.0126 * 1.0001, false}}) {
    Rod narrow;
    narrow.plane = "", narrow.section = "{A: 1, I_y: 1e5, I_z: 1, J: 2}";
    narrow.rest = fmt::format("forces: {{P: {{type: force, on: b.tip, is: [0, 0, {:.17g}]}}}}\n", -load);
    EXPECT_EQ(stiffness(narrow) > 0, stands) << load;
  }
}

// A relaxed arc has no strain: its ends are where the circle has them, and a moment of EI a/l straightens it.
TEST(LargeBeam, MayBeAnArc) {
  for (const char* plane : {"plane: xy\n", ""}) {
    Rod o;
    o.plane = plane, o.section = "{A: 1, I_y: 1, I_z: 1, J: 1}", o.more = ", arc: 90 deg";
    const std::string coordinate = o.plane.empty() ? "b.bendy" : "b.bend";
    Linearized relaxed(rod(o));
    relaxed.find_equilibrium();
    EXPECT_NEAR(relaxed.position(coordinate + "1"), 0, 1e-14);
    o.rest = "forces: {M: {type: torque, on: b.tip, is: [0, 0, -pi/2]}}\n";
    Linearized straight(rod(o));
    straight.find_equilibrium();
    EXPECT_NEAR(straight.position(coordinate + "1"), -pi / 4, 1e-12);
    EXPECT_NEAR(straight.position(coordinate + "2"), -pi / 4, 1e-12);
  }
}

}  // namespace
}  // namespace armature::internal
