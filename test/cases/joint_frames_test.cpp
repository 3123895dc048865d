// Joints between bodies whose axes are turned against each other: the frame in which a body is described changes nothing about its motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "model/diagnostics.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Vector3d;

const Vector3d rpy(0.4, -0.7, 1.1);

Matrix3d turn() {
  return (AngleAxisd(rpy.z(), Vector3d::UnitZ()) * AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

std::string list(const Vector3d& x) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x.x(), x.y(), x.z()); }

// A spatial four-bar whose last crank c carries a body d on a joint of some type. The frame of c is turned against the ground and the
// coupler, that of d against c, by the same turn: `turned` says so, or there is none.
std::string machine(bool is_turned, const std::string& joint, const std::string& cut) {
  const Matrix3d R = is_turned ? turn() : Matrix3d::Identity();
  const std::string key = is_turned ? fmt::format(", turned: {{rpy: {}}}", list(rpy)) : "";
  // vectors of c and d in their own axes
  const Vector3d tip = R.transpose() * Vector3d(1.5, 0, 0), middle = R.transpose() * Vector3d(0.7, 0, 0),
                 center = R.transpose() * (R.transpose() * Vector3d(0.1, 0.2, 0.3));
  const Vector3d first = R.transpose() * Vector3d::UnitZ(),
                 second = R.transpose() * (R.transpose() * Vector3d::UnitX());
  const std::string axes = joint == "universal"  ? fmt::format(", axes: [{}, {}]", list(first), list(second))
                           : joint == "revolute" ? fmt::format(", axis: {}", list(first))
                                                 : "";
  const std::string turn_of_d = is_turned ? fmt::format(", turned: {{rpy: {}}}", list(rpy)) : "";
  return fmt::format(R"(gravity: [0, 0, -9.81]
bodies:
  a: {{mass: 2, inertia: {{xx: 1, yy: 1, zz: 1}}}}
  b: {{mass: 2, inertia: {{xx: 1, yy: 2, zz: 1}}}}
  c: {{mass: 2, inertia: {{sphere: 1}}, points: {{tip: {0}}}}}
  d: {{mass: 1, center: {1}, inertia: {{sphere: 0.5}}, points: {{far: {1}}}}}
joints:
  r1: {{type: revolute, axis: z, between: [ground, a]}}
  s2: {{type: spherical, between: ["a [1, 0, 0]", b]{2}}}
  s3: {{type: spherical, between: ["b [2.2, 0, 0]", c.tip]{3}{4}}}
  r4: {{type: revolute, axis: [0, 1, 1], between: ["ground [2, 0, 0]", c]{4}{5}}}
  j: {{type: {6}, between: ["c {7}", d]{8}{9}}}
start: {{keep: {{r1: 1}}, speed: {{r1: 3}}}}
simulate: {{end: 1, record: 0.1, rtol: 1e-11}}
)",
                     list(tip), list(center), cut == "s2" ? ", cut: true" : "", cut == "s3" ? ", cut: true" : "", key,
                     cut == "r4" ? ", cut: true" : "", joint, list(middle), axes, turn_of_d);
}

class TurnedJoints : public testing::TestWithParam<std::tuple<const char*, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Types, TurnedJoints,
                         testing::Combine(testing::Values("fixed", "revolute", "universal", "spherical"),
                                          testing::Values("s2", "s3", "r4")),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_cut_" + std::get<1>(info.param);
                         });

// Errors of 1e-11 a step over some hundred steps grow a little.
TEST_P(TurnedJoints, MoveAsOnesThatAreNot) {
  const auto [joint, cut] = GetParam();
  const Simulation plain = simulated_text(machine(false, joint, cut)),
                   turned = simulated_text(machine(true, joint, cut));
  for (const char* channel : {"r1", "r4", "c.tip.x", "c.tip.y", "c.tip.z", "d.far.x", "d.far.y", "d.far.z"})
    EXPECT_NEAR(turned.last(channel), plain.last(channel), 2e-8) << channel;
  if (std::string(joint) == "universal") {
    for (const char* channel : {"j.first", "j.second"}) EXPECT_NEAR(turned.last(channel), plain.last(channel), 2e-8);
  }
  if (std::string(joint) == "revolute") {
    EXPECT_NEAR(turned.last("j"), plain.last("j"), 2e-8);
  }
}

// An angle about an axis is the same as roll, pitch and yaw; b's own x axis then points along a's y.
TEST(JointFrames, AreAnAngleAboutAnAxisToo) {
  const auto tip = [](const std::string& turned) {
    return prepared_text(
        "gravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: {sphere: 1}, points: {tip: [1, 0, 0]}}}\n"
        "joints: {j: {type: revolute, axis: x, between: [ground, b], turned: " +
        turned + "}}\nstart: {keep: {j: 90 deg}}\n");
  };
  const Simulation a = simulated(tip("{angle: 90 deg}")), b = simulated(tip("{rpy: [0, 0, 90 deg]}"));
  for (const Simulation* run : {&a, &b}) {
    EXPECT_NEAR(run->at(0, "b.tip.x"), 0, 1e-15);
    EXPECT_NEAR(run->at(0, "b.tip.y"), 0, 1e-15);  // along y at zero, turned on to z
    EXPECT_NEAR(run->at(0, "b.tip.z"), 1, 1e-15);
  }
}

TEST(JointFrames, TakeTheirAxisFromTwoPoints) {
  const Simulation run = simulated_text(R"(gravity: [0, 0, 0]
points: {p: [1, 1, 0], q: [1, 4, 4]}
bodies: {b: {mass: 1, inertia: {sphere: 1}, points: {o: [0, 0, 0]}}}
joints: {j: {type: prismatic, axis: p to q, between: [ground, b]}}
start: {keep: {j: 5}}
simulate: {end: 1}
)");
  EXPECT_NEAR(run.last("b.o.y"), 3, 1e-14);
  EXPECT_NEAR(run.last("b.o.z"), 4, 1e-14);
}

std::string wheel(const std::string& joint) {
  return "gravity: [0, 0, 0]\npoints: {p: [0, 0, 1], q: [0, 0, 3]}\n"
         "bodies: {b: {mass: 1, inertia: {sphere: 1}, points: {u: [5, 0, 0], v: [0, 1, 0]}}}\n"
         "joints: {j: {type: revolute, between: [ground, b], " +
         joint + "}}\nstart: {keep: {j: 30 deg}}\nsimulate: {end: 1}\n";
}

// The axis is z on the ground and x on the body; at zero the body's y points along the ground's x.
TEST(JointFrames, HaveTheirZeroWhereTwoDirectionsCoincide) {
  for (const char* joint : {"axes: [z, x], zero: [x, y]", "axes: [p to q, b to b.u], zero: [[2, 0, 1], b to b.v]",
                            "axes: [z, x], zero: [y, z]"}) {
    const Simulation run = simulated_text(wheel(joint));
    EXPECT_NEAR(run.at(0, "b.u.z"), 5, 1e-14) << joint;
    EXPECT_NEAR(run.at(0, "b.v.x"), std::cos(std::numbers::pi / 6), 1e-14) << joint;
    EXPECT_NEAR(run.at(0, "b.v.y"), 0.5, 1e-14) << joint;
  }
}

// Around one axis of both, zero alone turns b.
TEST(JointFrames, HaveAZeroAroundACommonAxis) {
  const Simulation run = simulated_text(wheel("axis: z, zero: [y, x]"));
  EXPECT_NEAR(run.at(0, "b.u.x"), -2.5, 1e-14);
  EXPECT_NEAR(run.at(0, "b.u.y"), 5 * std::cos(std::numbers::pi / 6), 1e-14);
}

std::string fault_of_wheel(const std::string& joint) {
  try {
    prepared_text(wheel(joint));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(JointFrames, NeedAZeroAcrossTheirAxis) {
  EXPECT_THAT(
      fault_of_wheel("axes: [z, x], zero: [x, x]"),
      testing::HasSubstr("joints.j: the direction of 'zero' must lie across the axis, but it is parallel to it"));
  EXPECT_THAT(fault_of_wheel("axis: z, zero: [x, y], turned: {angle: 1}"),
              testing::HasSubstr("give 'zero' or 'turned', not both"));
  EXPECT_THAT(fault_of_wheel("axes: [p to q, p to q]"),
              testing::HasSubstr("'p' is not on b, the second body of the joint"));
}

}  // namespace
}  // namespace armature::internal
