// Derivatives next to a singular pose, and behind it.
#include <gmock/gmock.h>

#include "signal_case.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// Slider-crank of equal links. With the crank at phi the slider is at l cos(phi) + sqrt(r^2 - l^2 sin(phi)^2): by the length r of the rod this changes by 1/cos(phi),
// without bound, and beyond 90 degrees a rod that is longer or shorter takes another branch, or none.
const char* const equal_links = R"model(armature: 1
name: slider-crank with equal links
plane: xy
gravity: [0, 0, 0]
parameters: {l: 0.35 m, r: 0.35 m, J: 2 kg*m^2, w: 5 rad/s}
bodies:
  arm: {mass: 1 kg, center: [l/2, 0, 0], inertia: {rod: l}}
  rod: {mass: 1 kg, center: [r/2, 0, 0], inertia: {rod: r}}
  slider: {mass: 0.5 kg}
joints:
  crank: {type: revolute, between: [ground, arm], inertia: J}
  knee: {type: revolute, between: ["arm [l, 0, 0]", rod]}
  pin: {type: revolute, between: ["rod [r, 0, 0]", slider]}
  slide: {type: prismatic, axis: x, between: [ground, slider]}
start: {keep: {crank: 0}, near: {knee: 0, slide: l + r}, speed: {crank: w}}
simulate: {end: 1 s, rtol: 1e-12}
)model";

TEST(SensitivityAtASingularPose, IsBoundedForMassesButNotForLengths) {
  // the time at which the crank stands at 90 degrees
  double low = 0.2, high = 0.4;
  for (int k = 0; k < 40; ++k) {
    const double middle = 0.5 * (low + high);
    SignalCase at(read_model_text(equal_links), {"J"}, {"crank"}, {middle});
    (at.values_at(at.own)(0, 0) < std::acos(0.0) ? low : high) = middle;
  }
  const std::vector<double> times{low - 0.02, low - 0.002, low - 0.0002};
  SignalCase c(read_model_text(equal_links), {"J", "r"}, {"slide", "crank"}, times);
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double phi = c.values(k, 1), slope = -0.7 * std::sin(phi);
    // at the crank's own angle; the change of that angle comes on top
    const double by_J = exact(2 * k, c.place("J")),
                 by_r = exact(2 * k, c.place("r")) - slope * exact(2 * k + 1, c.place("r"));
    EXPECT_NEAR(by_J, slope * exact(2 * k + 1, c.place("J")), 1e-8);
    EXPECT_NEAR(by_r * std::cos(phi), 1, 1e-5);
    EXPECT_LT(std::abs(by_J), 1);
  }
}

// By what leaves the loop as it is, S goes on behind the pose: twice, at 90 and 270 degrees.
TEST(SensitivityAtASingularPose, GoesOnForMassesAndSpeeds) {
  SignalCase c(read_model_text(equal_links), {"J", "w"}, {"slide", "crank", "crank'"}, {0.3, 0.32, 0.6, 1});
  ASSERT_EQ(c.missing, "");
  const Eigen::MatrixXd exact = c.derivatives_at(c.own);
  EXPECT_LT(relative_difference(exact, c.differences_at(c.own, 1e-3)), 1e-5);
}

TEST(SensitivityAtASingularPose, EndsForLengths) {
  SignalCase c(read_model_text(equal_links), {"r"}, {"slide"}, {0.6});
  SignalRun run(*c.study);
  EXPECT_EQ(run.run({c.own, Eigen::MatrixXd::Identity(1, 1), Eigen::VectorXd::Ones(1)}, c.stop), RunStatus::failed);
  EXPECT_TRUE(run.no_derivative());
  EXPECT_THAT(run.sentence(), HasSubstr("the pose is singular, and motions nearby do not pass it as this one does"));
}

}  // namespace
}  // namespace armature::internal
