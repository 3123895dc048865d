// Machines of models/machines against numbers of their own; the shaper has a file of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// The root near Klingel's of  (m s^2 + c s/V) (J s^2 + c b^2 s/V) + c^2 b cone/r = 0,  c: creep force per creepage.
std::complex<double> hunting_root(double m, double J, double c, double V, double b, double cone, double r) {
  std::complex<double> s(0, V * std::sqrt(cone / (r * b)));
  for (int k = 0; k < 50; ++k) {
    const auto y = m * s * s + c / V * s, z = J * s * s + c * b * b / V * s;
    const auto value = y * z + c * c * b * cone / r, slope = (2 * m * s + c / V) * z + y * (2 * J * s + c * b * b / V);
    s -= value / slope;
  }
  return s;
}

// Late in the run its fast motions have decayed: y(t + h) + e^(2 g h) y(t - h) = 2 e^(g h) cos(w h) y(t) of one pair of roots g ± i w.
TEST(Machines, AWheelsetHuntsWithItsEigenvalue) {
  const double N = 1000 * 9.81 + 10e3, V = 20, b = 0.75, cone = 1.0 / 40, r = 0.45;
  const std::complex<double> s = hunting_root(1000, 600, 150 * N, V, b, cone, r);
  EXPECT_NEAR(2 * std::numbers::pi / s.imag(), 1.1575810, 1e-7);  // Klingel's is 1.1542948 s
  EXPECT_GT(s.real(), 0.1);                                       // it is unstable
  Model model = shipped("machines/wheelset");
  model.simulate.rtol = 1e-11;
  const Simulation run = simulated(model);
  const auto y = run.column("side");
  const double h = 0.2, grown = std::exp(s.real() * h);
  for (int row : {500, 700, 900})
    EXPECT_NEAR(y[row + 40] + grown * grown * y[row - 40], 2 * grown * std::cos(s.imag() * h) * y[row], 1e-9) << row;
  for (const double normal : run.column("normal")) EXPECT_NEAR(normal, N, 1e-6);
}

// The same with the load as a number in place of the multiplier.
TEST(Machines, AForceFromAMultiplierIsThatOfItsValue) {
  const Simulation run = simulated(shipped("machines/wheelset"));
  Model model = shipped("machines/wheelset");
  for (auto& [name, formula] : model.definitions)
    if (name == "normal") formula = parse_formula("m*9.81 + load", formula.where);
  const Simulation other = simulated(model);
  EXPECT_NEAR(run.last("side"), other.last("side"), 1e-9);
  EXPECT_NEAR(run.last("yaw"), other.last("yaw"), 1e-9);
}

TEST(Machines, AWishboneStartsInItsEquilibrium) {
  const Simulation run = simulated(shipped("machines/wishbone"));
  const double weight = (400 + 2 * 4 + 32) * 9.81;
  EXPECT_NEAR(weight / 204e3, 21.158824e-3, 1e-9);
  for (const int row : {0, 100}) {
    EXPECT_NEAR(run.at(row, "tyre.force"), weight, 1e-4) << row;
    EXPECT_NEAR(0.3 - run.at(row, "upright.hub.z"), weight / 204e3, 1e-9) << row;
  }
  EXPECT_NEAR(run.last("heave'"), 0, 1e-8);
}

}  // namespace
}  // namespace armature::internal
