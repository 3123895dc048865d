// Bodies, frames and joints of MJCF.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::HasSubstr;

// The body is shown at its reference value; the value counts from there.
TEST(MjcfBodies, ReferenceValuesAreKept) {
  expect_same(
      R"(<mujoco><worldbody><body name="b" pos="0 0 1"><joint name="j" axis="0 1 0" ref="90" stiffness="3" springref="60" damping="0.1"/>
    <inertial pos="0 0 -1" mass="2" diaginertia="0.1 0.1 0.1"/></body></worldbody></mujoco>)",
      R"(
gravity: [0, 0, -9.81]
bodies: {b: {mass: 2, center: [1, 0, 0], inertia: {yy: 0.1}}}
joints: {j: {type: revolute, axis: y, between: ["ground [0, 0, 1]", b], damping: 0.1, spring: {stiffness: 3, rest: 60 deg}}}
start: {near: {j: 90 deg}}
)");
}

// Frames move and turn the joints in them as well.
TEST(MjcfBodies, JointsMayBeInFrames) {
  const ImportedModel result = text(
      "<mujoco><worldbody><body name=\"a\"><frame pos=\"0 0 1\" euler=\"0 0 90\"><joint name=\"x\" axis=\"1 0 0\" "
      "pos=\"1 0 0\"/></frame>"
      "<geom size=\"0.1\"/></body></worldbody></mujoco>");
  EXPECT_THAT(result.text, HasSubstr("x: {type: revolute, axis: y, between: [\"ground [0, 1, 1]\", \"a [0, 1, 1]\"]}"));
}

}  // namespace
}  // namespace armature::internal::imports
