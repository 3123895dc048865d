#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature {
namespace {

using testing::HasSubstr;

class InverseVerb : public Program {};

// m l^2 theta'' + m g l cos(theta) with m = 1, l = 1, theta = t^2/2.
TEST_F(InverseVerb, RecordsTheTorqueOfAPendulum) {
  write("pendulum.yaml", std::string(pendulum) + "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n");
  const Answer answer = armature("inverse pendulum.yaml -o torques");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto table = rows("torques/trajectory.csv");
  ASSERT_EQ(table.size(), 11u);
  for (const auto& row : table) EXPECT_NEAR(row.back(), 1 + 9.81 * std::cos(row[0] * row[0] / 2), 1e-9);
}

// Stretched, a slider-crank's slider does not move with its crank to first order.
TEST_F(InverseVerb, WantedMotionThatCannotBeToldFromRestIsSaid) {
  write("stretched.yaml", R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
bodies:
  arm: {mass: 1 kg, center: [0.1, 0, 0], inertia: {rod: 0.2}}
  rod: {mass: 1 kg, center: [0.25, 0, 0], inertia: {rod: 0.5}}
  slider: {mass: 0.5 kg}
joints:
  crank: {type: revolute, between: [ground, arm]}
  knee: {type: revolute, between: ["arm [0.2, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [0.5, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
start: {keep: {crank: 0}, near: {knee: 0, slide: 0.7}}
inverse: {motion: {slide: "0.7 - 0.1*quintic(t, 0, 1)"}, actuators: [crank]}
simulate: {end: 1 s}
)yaml");
  const Answer answer = armature("inverse stretched.yaml");
  EXPECT_EQ(answer.code, 1) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("the actuators have no direct effect on the acceleration of what is wanted"));
}

TEST_F(InverseVerb, SaysWhatIsMissing) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("inverse pendulum.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("pendulum.yaml: inverse.motion: is missing"));
}

}  // namespace
}  // namespace armature
