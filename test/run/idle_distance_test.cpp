// Distances that are the same at every pose say nothing about the motion: of points of bodies that are fixed to each other, or where one lies on
// the axis of the joint between them. Round-off of products of directions must not hold the joint.
#include <gmock/gmock.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string bar_on_a_pin(const std::string& joint, const std::string& constraints) {
  return R"yaml(gravity: [0, -9.81, 0]
bodies:
  a: {mass: 1, center: [0.3, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 1, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}
joints:
  j: {type: revolute, axis: [0.3, 0.2, 0.9], between: [ground, a]}
  k: {)yaml" +
         joint + R"yaml(, between: ["a [0.4, 0.1, 0.2]", b]}
)yaml" + constraints +
         R"yaml(
start: {speed: {near: {j: 1}}}
simulate: {end: 1, record: 0.5}
)yaml";
}

const char* const from_the_pin =
    R"yaml(constraints: {c0: {type: distance, between: ["a [0.4, 0.1, 0.2]", "b [0.3, 0.21, 0]"], length: "norm([0.3, 0.21, 0])"}})yaml";
const char* const across_the_weld =
    R"yaml(constraints: {c0: {type: distance, between: [a, "b [0.3, 0.21, 0]"], length: "norm([0.7, 0.31, 0.2])"}})yaml";

// The same motion with and without the constraint.
TEST(IdleDistance, LeavesTheMotionAsItIs) {
  const std::vector<std::pair<std::string, std::string>> cases{{"type: revolute, axis: [0.5, 0.3, 0.2]", from_the_pin},
                                                               {"type: universal, axes: [x, y]", from_the_pin},
                                                               {"type: spherical", from_the_pin},
                                                               {"type: fixed", across_the_weld}};
  for (const auto& [joint, constraint] : cases) {
    const Simulation free = simulated_text(bar_on_a_pin(joint, "")),
                     with = simulated_text(bar_on_a_pin(joint, constraint));
    EXPECT_EQ(with.prepared.degrees_of_freedom, free.prepared.degrees_of_freedom) << joint;
    EXPECT_EQ(with.outcome.last.x, free.outcome.last.x) << joint;
    EXPECT_NE(with.last("j"), 0) << joint;
  }
}

// Another length than theirs is a contradiction.
TEST(IdleDistance, IsRefusedWhereItIsAnotherOne) {
  std::string other = from_the_pin;
  other.replace(other.find("\"norm([0.3, 0.21, 0])\""), 22, "0.5");
  EXPECT_THAT([&] { compile(read_model_text("armature: 1\n" + bar_on_a_pin("type: spherical", other))); },
              testing::ThrowsMessage<ModelError>(testing::HasSubstr("c0: cannot be satisfied")));
}

}  // namespace
}  // namespace armature::internal
