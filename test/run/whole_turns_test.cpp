// Angles of bodies in space.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

double angle_after_20_rad(const std::string& axis, const std::string& signal, const std::string& joint = "revolute") {
  return simulated_text(
             "gravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}, r: {mass: 1, "
             "inertia: {xx: 1, yy: 1, zz: 1}}}\njoints: {p: {type: " +
             joint + ", axis: " + axis + ", between: [ground, a]}, q: {type: revolute, axis: " + axis +
             ", between: [a, r]}}\nstart: {speed: {q: 20}}\nrecord: {quantities: {angle: " + signal +
             "}}\nsimulate: {end: 1, record: 0.01}\n")
      .last("angle");
}

// A body that turns about one axis turns by 20 rad in one second.
TEST(WholeTurns, AreCountedWhereABodyTurnsAboutOneAxis) {
  EXPECT_NEAR(angle_after_20_rad("z", "r.yaw"), 20, 1e-9);
  EXPECT_NEAR(angle_after_20_rad("x", "r.roll"), 20, 1e-9);
  EXPECT_NEAR(angle_after_20_rad("z", "r.yaw", "prismatic"), 20, 1e-9);
  EXPECT_NEAR(angle_after_20_rad("[0, 0, -1]", "r.yaw"), -20, 1e-9);
  // the other angles stay between -pi and pi
  EXPECT_NEAR(angle_after_20_rad("z", "r.roll"), 0, 1e-9);
  EXPECT_LE(std::abs(angle_after_20_rad("y", "r.pitch")), 1.6);
}

}  // namespace
}  // namespace armature::internal
