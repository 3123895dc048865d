// Clutch and freewheel on the slip a' - 2 b' of wheels of 0.5 and 2 kg m^2: a torque T on a acts with -2 T on b.
#include <gtest/gtest.h>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

void expect_slip(const std::string& element, double slip, double torque) {
  const Moment now = wheels(element + ", between: [a, b], ratio: 2", 0, 0, 0.4 + slip, 0.2);
  EXPECT_NEAR(now["f.torque"], torque, 1e-14) << slip;
  EXPECT_NEAR(now["a''"], torque / 0.5, 1e-14) << slip;
  EXPECT_NEAR(now["b''"], -2 * torque / 2, 1e-14) << slip;
  EXPECT_NEAR(now["heat.friction'"], -torque * slip, 1e-14) << slip;
}

TEST(Clutch, SlowsTheSideThatIsAhead) {
  expect_slip("type: clutch, torque: 3", 0.6, -3);
  expect_slip("type: clutch, torque: 3", -0.6, 3);
}

TEST(Freewheel, CarriesItsCapacityOneWayAndDragsTheOther) {
  expect_slip("type: freewheel, capacity: 7, drag: 0.5", 0.6, -7);
  expect_slip("type: freewheel, capacity: 7, drag: 0.5", -0.6, 0.5);
  expect_slip("type: freewheel, capacity: 7", -0.6, 0);
}

// 2 N m on the first wheel: the clutch passes the 1.6 N m that the second one needs, less than its torque.
TEST(Clutch, SticksWhileItsTorqueIsEnough) {
  const Simulation run = simulated_text("gravity: [0, 0, 0]\n" + two_wheels +
                                        "forces: {f: {type: clutch, between: [a, b], torque: 3}, push: {type: effort, "
                                        "on: a, is: 2}}\nsimulate: {end: 1}\n");
  EXPECT_NEAR(run.last("a'"), 2 / 2.5, 1e-9);  // both wheels as one
  EXPECT_NEAR(run.last("b'"), 2 / 2.5, 1e-9);
}

}  // namespace
}  // namespace armature::internal
