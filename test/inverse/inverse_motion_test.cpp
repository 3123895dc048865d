// Motions with something left free: it moves as it must.
#include "inverse/inverse_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

// A cart that is moved by x = 0.5 a t^2 carries a load on a spring and a damper: in the cart m y'' + c y' + k y = -m a.
TEST(InverseMotion, MovesWhatIsLeftFree) {
  const InvertedMotion run = inverse_motion_of(R"(
gravity: [0, 0, 0]
bodies: {cart: {mass: 3}, load: {mass: 2}}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  y: {type: prismatic, axis: x, between: [cart, load], spring: {stiffness: 50}, damping: 4}
inverse: {motion: {x: 2*t^2}, actuators: [x]}
simulate: {end: 1, record: 0.1, rtol: 1e-10}
)");
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  const double a = 4, s = 1, w = std::sqrt(25 - 1), rest = -a / 25;
  for (int row = 0; row <= 10; ++row) {
    const double t = 0.1 * row, fall = std::exp(-s * t),
                 y = rest * (1 - fall * (std::cos(w * t) + s / w * std::sin(w * t))),
                 rate = rest * fall * (w + s * s / w) * std::sin(w * t);
    ASSERT_NEAR(run.at(row, "y"), y, 1e-7) << t;
    ASSERT_NEAR(run.at(row, "effort.x"), 3 * a - 50 * y - 4 * rate, 1e-5) << t;
  }
}

// All of the motion is wanted: rows come from positions alone, exactly.
TEST(InverseMotion, OfEverythingNeedsNoIntegration) {
  const InvertedMotion run =
      inverse_motion_of(driven_crank("inverse: {motion: {crank: 0.5 + 2*t}, actuators: [crank]}\nstart: {near: {knee: "
                                     "-1, slide: 0.6}}\nsimulate: {end: 1, record: 0.1}\n"));
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  for (int row = 0; row <= 10; ++row) {
    const double q = 0.5 + 0.2 * row, across = 0.2 * std::sin(q);
    ASSERT_NEAR(run.at(row, "slide"), 0.2 * std::cos(q) + std::sqrt(0.25 - across * across), 1e-12);
  }
}

}  // namespace
}  // namespace armature::internal
