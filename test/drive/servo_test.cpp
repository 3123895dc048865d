// A servo by its torque-speed curves.
#include <gtest/gtest.h>

#include <cmath>

#include "drive/other_drives.hpp"

namespace armature::internal {
namespace {

const std::string curves =
    "type: servo, peak: {speed: [0, 100, 200], torque: [3, 3, 1]}, continuous: {speed: [0, 200], torque: [1, 0.5]}, ";
const std::string fine = "simulate: {end: 1, record: 10 ms, rtol: 1e-12, integrator: dop853}";

// 3 N m up to 100 rad/s, then w' = (3 - 0.02 (w - 100))/J: the speed tends to 250 rad/s, but from 200 rad/s on 1 N m is left.
TEST(ServoMotor, StaysWithinItsPeakTorque) {
  const double J = 0.02, first = 100 * J / 3;
  const Simulation run = simulated_text(driven_disc(curves + "torque: 50", fine));
  const auto t = run.column("t"), w = run.column("turn'"), use = run.column("m.peak_use");
  const double second = first - J / 0.02 * std::log(1 - 100.0 / 150);
  for (std::size_t k = 0; k < t.size(); ++k) {
    const double expected = t[k] < first    ? 3 * t[k] / J
                            : t[k] < second ? 250 - 150 * std::exp(-(t[k] - first) * 0.02 / J)
                                            : 200 + (t[k] - second) / J;
    ASSERT_NEAR(w[k], expected, 1e-9);
    ASSERT_NEAR(use[k], 1, 1e-12);
  }
  EXPECT_NEAR(run.last("m.continuous_use"), (3 - 0.02 * (w.back() - 100)) / (1 - 0.5 * w.back() / 200), 1e-9);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// T' = (command - T)/0.05 through a gear of ratio -4.
TEST(ServoMotor, FollowsWithItsLag) {
  const Simulation run = simulated_text(driven_disc(curves + "time_constant: 0.05, gear_ratio: -4, torque: -2", fine));
  const auto t = run.column("t"), T = run.column("m.torque");
  for (std::size_t k = 0; k < t.size(); ++k) ASSERT_NEAR(T[k], -2 * (1 - std::exp(-t[k] / 0.05)), 1e-10);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// turn = 30 t^2: 1.2 N m at 60 t rad/s. The continuous torque falls to 0.85 N m at 60 rad/s.
TEST(ServoMotor, InverseDynamicsReportsItsUse) {
  for (const char* gear : {"", "elastic: {stiffness: 1e9}, rotor_inertia: 1e-12, "}) {
    const InvertedRun run = inverted_text(
        driven_disc(curves + gear + "torque: 0", "inverse: {motion: {turn: 30*t^2}}\nsimulate: {end: 1, record: 0.1}"));
    EXPECT_NEAR(run.last("m.torque"), 1.2, 1e-8) << gear;
    EXPECT_NEAR(run.last("m.peak_use"), 0.4, 1e-8);
    EXPECT_NEAR(run.last("m.continuous_use"), 1.2 / 0.85, 1e-8);
    EXPECT_NEAR(run.last("m.power"), 72, 1e-5);
    EXPECT_TRUE(run.outcome.warnings().empty());
  }
  const InvertedRun weak = inverted_text(
      driven_disc(curves + "torque: 0", "inverse: {motion: {turn: 90*t^2}}\nsimulate: {end: 1, record: 0.1}"));
  ASSERT_EQ(weak.outcome.warnings().size(), 1u);
  EXPECT_TRUE(weak.outcome.warnings()[0].starts_with("m would need 2.57143 times the peak torque at t = 1 s") &&
              weak.outcome.warnings()[0].ends_with("the limit of its peak_use is 1 times the peak torque"))
      << weak.outcome.warnings()[0];
}

}  // namespace
}  // namespace armature::internal
