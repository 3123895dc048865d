// A Delta robot: two parallel rods with ball joints at each arm keep the platform level, and its inverse kinematics has a closed
// form (R. Clavel, Delta, a fast robot with parallel geometry, 1988).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

const Simulation& delta() {
  static const Simulation run = simulated(shipped("delta"));
  return run;
}

TEST(Delta, HasThreeDegreesOfFreedom) {
  const Prepared start = prepared(shipped("delta"));
  const auto& layout = start.system->layout();
  EXPECT_EQ(layout.nv - layout.m, 3);
  EXPECT_EQ(delta().outcome.statistics.smallest_rank, layout.m);  // at every step
}

// The angle of the arm at azimuth `at` that puts the platform at p: the tip of the arm and the platform's joint, both moved inward by
// the platform's radius, are a rod apart.
double arm_angle(double at, const std::array<double, 3>& p) {
  constexpr double base = 0.2, top = 0.05, arm = 0.2, rod = 0.45;
  const double outward = p[0] * std::cos(at) + p[1] * std::sin(at) + top - base;
  const double across = p[1] * std::cos(at) - p[0] * std::sin(at);
  // outward cos(angle) - z sin(angle) = k, solved with the half-angle tangent: the root whose knee points outward
  const double k = (outward * outward + across * across + p[2] * p[2] + arm * arm - rod * rod) / (2 * arm);
  const double root = std::sqrt(p[2] * p[2] + outward * outward - k * k);
  return 2 * std::atan((-p[2] - root) / (k + outward));
}

TEST(Delta, ObeysTheClosedFormOfItsInverseKinematics) {
  const auto x = delta().column("platform.tool.x"), y = delta().column("platform.tool.y"),
             z = delta().column("platform.tool.z");
  for (int arm = 0; arm < 3; ++arm) {
    const auto theta = delta().column("theta" + std::to_string(arm + 1));
    for (std::size_t row = 0; row < theta.size(); ++row)  // loops are closed to 1e-15, the angles are of order 1
      ASSERT_NEAR(theta[row], arm_angle(arm * 2 * std::numbers::pi / 3, {x[row], y[row], z[row]}), 1e-12);
  }
}

TEST(Delta, StaysLevelAndFollowsItsPath) {
  const auto t = delta().column("t"), x = delta().column("platform.tool.x"), z = delta().column("platform.tool.z");
  const auto a1 = delta().column("platform.a1.z"), a2 = delta().column("platform.a2.z");
  const auto quintic = [](double u) {
    u = std::clamp(u, 0.0, 1.0);
    return u * u * u * (10 + u * (6 * u - 15));
  };
  for (std::size_t row = 0; row < t.size(); ++row) {
    ASSERT_NEAR(a1[row], z[row], 1e-13);
    ASSERT_NEAR(a2[row], z[row], 1e-13);
    const double s = quintic((t[row] - 0.1) / 0.4) - quintic((t[row] - 0.7) / 0.4);
    ASSERT_NEAR(x[row], 0.12 * (2 * s - 1),
                1e-9);  // computed torque cancels the dynamics: the start is on the path, and rtol is 1e-9
    ASSERT_NEAR(z[row], -0.42 + 0.08 * 4 * s * (1 - s), 1e-9);
  }
}

}  // namespace
}  // namespace armature::internal
