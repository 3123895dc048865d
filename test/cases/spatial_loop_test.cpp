// A spatial four-bar (revolute, universal, spherical, revolute): the same start whichever joint is cut. A loop row of a
// revolute joint asks for parallel axes; the assembly must not take those that point against each other.
#include <gtest/gtest.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string spatial_four_bar(char cut) {
  auto mark = [&](char joint) { return joint == cut ? std::string(", cut: true}\n") : std::string("}\n"); };
  return R"(
gravity: [0.5, 1, -9.81]
bodies:
  crank: {mass: 1, center: [0.1, 0, 0.02], inertia: {xx: 0.01, yy: 0.02, zz: 0.02, xy: 0.001}}
  rod: {mass: 2, center: [0.5, 0.01, 0], inertia: {xx: 0.01, yy: 0.2, zz: 0.2}}
  rocker: {points: {Z: [0, 0, 1]}, mass: 1.5, center: [0.25, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}
joints:
)" + std::string("  A: {type: revolute, axis: z, between: [ground, crank]") +
         mark('A') + "  B: {type: universal, axes: [z, y], between: [\"crank [0.2,0,0]\", rod]" + mark('B') +
         "  C: {type: spherical, between: [\"rod [1,0,0]\", \"rocker [0.6,0,0]\"]" + mark('C') +
         "  D: {type: revolute, axes: [x, z], between: [\"ground [0.9,0.4,0]\", rocker]" + mark('D') + R"(
start: {keep: {A: 0.4}, near: {D: 0.3}, speed: {A: 3}}
simulate: {end: 0.5, record: 0.1, rtol: 1e-10}
record: {quantities: {zx: "rocker.Z.x - rocker.x"}}
)";
}

TEST(SpatialLoop, ClosesTheRightWayRoundWhicheverJointIsCut) {
  const Simulation reference = simulated_text(spatial_four_bar('C'));
  for (char cut : {'A', 'B', 'D'}) {
    const Simulation run = simulated_text(spatial_four_bar(cut));
    EXPECT_NEAR(run.at(0, "zx"), 1, 1e-12)
        << cut;  // the rocker turns about its own z, which points along the ground's x
    EXPECT_NEAR(run.at(0, "D"), reference.at(0, "D"), 1e-8) << cut;
    EXPECT_NEAR(run.last("D"), reference.last("D"), 1e-7) << cut;  // rtol 1e-10 over 0.5 s
  }
}

// Two cranks of 1 m, their pivots 2 m apart, and a coupler of 2 m between two balls: at t = 0.98 s and again at 2.64 s all
// of it is in one line, and Phi has rank 2 of 3. A stage that is only nearly on the constraints has wild accelerations
// there, the more so the smaller the step.
class FlatPose : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Integrators, FlatPose, testing::Values("dopri5", "dop853", "radau5", "cvode_bdf"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(FlatPose, IsPassedAtAnyTolerance) {
  Model model = read_model_text(R"(armature: 1
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  c: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
joints:
  r1: {type: revolute, axis: z, between: [ground, a]}
  s2: {type: spherical, between: ["a [1, 0, 0]", b], cut: false}
  s3: {type: spherical, between: ["b [2, 0, 0]", "c [1, 0, 0]"]}
  r4: {type: revolute, axis: [0, 1, 1], between: ["ground [2, 0, 0]", c]}
start: {keep: {r1: 1}, near: {r4: -1.9}, speed: {r1: 2}}
simulate: {end: 3, record: 3}
)");
  model.simulate.integrator = GetParam();
  for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11}) {
    model.simulate.rtol = rtol;
    const Simulation run = simulated(model);
    // dopri5 and dop853 at 2e-12 agree on 6.739166632591; errors measured are 0.1 to 165 times rtol
    EXPECT_NEAR(run.last("r1"), 6.739166632591, 500 * rtol) << rtol;
  }
}

}  // namespace
}  // namespace armature::internal
