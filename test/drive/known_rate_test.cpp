// The voltage of a current that a formula gives: V = R i + K_e w + L di/dt as far as di/dt is known.
#include "drive/known_rate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "drive/dc_disc.hpp"

namespace armature::internal {
namespace {

TEST(KnownRate, IsThatOfACurrentOfTime) {
  using namespace dc_letters;
  const Simulation run = simulated_text(dc_disc(dc_constants + "inductance: 0.3, current: 0.2*sin(10*t)"));
  const auto t = run.column("t"), V = run.column("m.voltage"), w = run.column("turn'");
  for (std::size_t k = 0; k < t.size(); ++k)
    ASSERT_NEAR(V[k], R * 0.2 * std::sin(10 * t[k]) + K * r * w[k] + 0.3 * 2 * std::cos(10 * t[k]), 1e-12);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-9);
}

// i = -5 x, so that di/dt = -5 x': 0.3 H times -10 A/s.
TEST(KnownRate, IsThatOfACurrentOfPositions) {
  using namespace dc_letters;
  const Moment now = moment_of(
      dc_disc(dc_constants + "inductance: 0.3, current: -5*turn", "start: {keep: {turn: 0.4}, speed: {turn: 2}}\n"));
  EXPECT_NEAR(now["m.voltage"], R * -2 + K * r * 2 - 0.3 * 10, 1e-12);
  EXPECT_NEAR(now["energy.magnetic"], 0.5 * 0.3 * 4, 1e-13);
}

TEST(KnownRate, IsUnknownWhereTheCurrentMayJumpOrFollowsAVelocity) {
  using namespace dc_letters;
  for (const char* current : {"'if(t > 0.5, 1, 0)'", "-5*turn'"}) {
    const Prepared start =
        prepared_text(dc_disc(dc_constants + "inductance: 0.3, current: " + current, "start: {speed: {turn: 2}}\n"));
    ASSERT_EQ(start.system->equations().warnings.size(), 1u) << current;
    EXPECT_EQ(start.system->equations().warnings[0],
              "m: driven by a current or torque that may jump or whose rate is unknown, so its voltage omits L di/dt");
    const Moment now = moment_of(start);
    EXPECT_NEAR(now["m.voltage"], R * now["m.current"] + K * r * 2, 1e-12);
    EXPECT_FALSE(now.has("energy.magnetic"));
  }
}

}  // namespace
}  // namespace armature::internal
