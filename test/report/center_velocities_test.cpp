// The velocity of a point of a rigid body is  v + w x r.
#include "report/center_velocities.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "read/reader.hpp"

namespace armature::internal::plot {
namespace {

using Eigen::Vector3d;

std::vector<Channel> named(const std::vector<std::string>& names) {
  std::vector<Channel> channels;
  for (const std::string& name : names) channels.push_back({name, ""});
  return channels;
}

// A bar that hangs down and turns at 2 rad/s; its center is 1 m below the pin.
TEST(CenterVelocities, AreThoseOfTheRates) {
  const Model model = read_model_text(R"(armature: 1
name: pendulum
plane: xy
gravity: [0, -9.81, 0]
bodies:
  bar: {mass: 1, center: [1, 0, 0], inertia: {zz: 1}}
joints:
  theta: {type: revolute, between: [ground, bar]}
)");
  const std::vector<double> row{0, -0.5 * std::numbers::pi, 2};
  const Vector3d v = CenterVelocities(model, named({"t", "theta", "theta'"})).at(row)[0];
  EXPECT_NEAR((v - Vector3d(2, 0, 0)).norm(), 0, 1e-15);
  EXPECT_FALSE(CenterVelocities(model, named({"t", "theta"})).at(row)[0].allFinite());  // a record without rates
}

// A body that is carried and turned at once: its center is at r = [0, 0.5, 0] in its axes, turned by 90 degrees about z.
TEST(CenterVelocities, AddWhatEachJointGives) {
  const Model model = read_model_text(R"(armature: 1
name: crane
gravity: [0, 0, 0]
bodies:
  cart: {mass: 1}
  arm: {mass: 1, center: [0, 0.5, 0], inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  turn: {type: revolute, axis: z, between: [cart, arm]}
)");
  const std::vector<double> row{0, 3, 0.5 * std::numbers::pi, 7, 4};
  const std::vector<Vector3d> v = CenterVelocities(model, named({"t", "x", "turn", "x'", "turn'"})).at(row);
  EXPECT_NEAR((v[0] - Vector3d(7, 0, 0)).norm(), 0, 1e-15);
  const Vector3d r(-0.5, 0, 0), w(0, 0, 4);
  EXPECT_NEAR((v[1] - (Vector3d(7, 0, 0) + w.cross(r))).norm(), 0, 1e-15);
}

}  // namespace
}  // namespace armature::internal::plot
