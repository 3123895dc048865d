// The shaper of models/machines/shaper.yaml: work of a cycle, stroke, and the force of the ram on its guide by a balance of its own.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// Positions of the end of the lever and of the ram at a time, by the triangles of the machine.
struct ShaperPose {
  double tip_x, tip_y, ram, link;  // link: its angle
};
ShaperPose shaper_pose(double t) {
  const double r = 0.1, d = 0.4, L = 0.8, c = 0.3, h = 0.78, crank = 2 * std::numbers::pi * t;
  const double lever = std::atan2(d + r * std::sin(crank), r * std::cos(crank));
  const double x = L * std::cos(lever), y = L * std::sin(lever), rise = h - y;
  return {x, y, x + std::sqrt(c * c - rise * rise), std::asin(rise / c)};
}

// First and second derivatives by differences of sixth order.
template <class Part>
std::array<double, 2> derivatives(double t, const Part& part) {
  const double s = 2e-3;
  double first = 0, second = -49.0 / 18 * part(shaper_pose(t));
  const double a[] = {0.75, -0.15, 1.0 / 60}, b[] = {1.5, -0.15, 1.0 / 90};
  for (int k = 1; k <= 3; ++k) {
    const double after = part(shaper_pose(t + k * s)), before = part(shaper_pose(t - k * s));
    first += a[k - 1] * (after - before), second += b[k - 1] * (after + before);
  }
  return {first / s, second / (s * s)};
}

// What the guide does to the ram, upwards: link and ram in balance with their inertia forces.
double shaper_guide(double t) {
  const double c = 0.3, link = 4, ram = 60, g = 9.81, I = link * c * c / 12;
  const auto along_x = derivatives(t, [](const ShaperPose& p) { return p.ram; });
  const double acceleration = derivatives(t, [](const ShaperPose& p) { return p.link; })[1];
  const double gx = derivatives(t, [](const ShaperPose&p) { return (p.tip_x + p.ram) / 2; })[1],
               gy = derivatives(t, [](const ShaperPose&p) { return (p.tip_y + 0.78) / 2; })[1];
  const double against = along_x[0] > 0 ? 2050 : -50;
  const double push = ram * along_x[1] + against;  // of the link on the ram along x
  // moments about the lever's end: -push and -lift act on the link at its nose
  const double angle = shaper_pose(t).link, x = c * std::cos(angle), y = c * std::sin(angle);
  const double lift = (y * push - x / 2 * link * g - I * acceleration - x / 2 * link * gy + y / 2 * link * gx) / x;
  return ram * g - lift;
}

TEST(Shaper, TakesTheWorkOfCuttingAndRubbing) {
  const Simulation run = simulated(shipped("machines/shaper"));
  EXPECT_NEAR(run.last("work.constraints"), 840, 1e-5);
  EXPECT_NEAR(run.last("heat.friction"), 40, 1e-6);
  const auto ram = run.column("guide");
  EXPECT_NEAR(*std::max_element(ram.begin(), ram.end()) - *std::min_element(ram.begin(), ram.end()), 0.4, 2e-3);
}

TEST(Shaper, PressesItsRamAgainstTheGuide) {
  const Simulation run = simulated(shipped("machines/shaper"));
  const auto t = run.column("t"), force = run.column("guide.fy"), speed = run.column("guide'");
  double largest = 0;
  for (std::size_t i = 5; i < t.size(); ++i) {
    largest = std::max(largest, std::abs(force[i]));
    if (std::abs(speed[i]) > 0.05) {
      EXPECT_NEAR(force[i], shaper_guide(t[i]), 1e-4) << t[i];
    }
  }
  EXPECT_NEAR(largest, 751.2, 0.1);
}

}  // namespace
}  // namespace armature::internal
