#include "inverse/kinematics.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

InvertedMotion moved(const std::string& coordinate, const std::string& formula, const std::string& more) {
  const Model model = driven(read_model_text("armature: 1\n" + driven_crank(more)), coordinate, formula);
  InvertedMotion run;
  run.outcome = move(prepared(model), run.record);
  return run;
}

// x = r cos q + sqrt(l^2 - r^2 sin^2 q), and its rate.
TEST(Kinematics, FollowsTheClosedFormOfASliderCrank) {
  const InvertedMotion run = moved("crank", "3*t", "start: {near: {slide: 0.7}}\nsimulate: {end: 2, record: 0.1}\n");
  ASSERT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  ASSERT_EQ(run.record.rows(), 21);
  for (int row = 0; row <= 20; ++row) {
    const double q = 0.3 * row, root = std::sqrt(0.25 - 0.04 * std::sin(q) * std::sin(q));
    ASSERT_NEAR(run.at(row, "slide"), 0.2 * std::cos(q) + root, 1e-12);
    ASSERT_NEAR(run.at(row, "slide'"), 3 * (-0.2 * std::sin(q) - 0.04 * std::sin(q) * std::cos(q) / root), 1e-11);
    ASSERT_NEAR(run.at(row, "crank'"), 3, 1e-12);
  }
}

// The slider leaves with 0.1 m/s from 0.6 m and reaches at most 0.7 m.
TEST(Kinematics, EndsWhereTheLoopCannotClose) {
  const InvertedMotion run =
      moved("slide", "0.6 + 0.1*t", "start: {near: {crank: 0.9}}\nsimulate: {end: 2, record: 0.1}\n");
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_NEAR(run.outcome.last.t, 1, 1e-6);
}

TEST(Kinematics, EndsWhereTheFormulaHasNoValue) {
  const InvertedMotion run =
      moved("crank", "sqrt(1 - t)", "start: {near: {slide: 0.6}}\nsimulate: {end: 2, record: 0.1}\n");
  EXPECT_EQ(run.outcome.status, RunStatus::failed);
  EXPECT_THAT(run.outcome.sentence, testing::HasSubstr("no finite value"));
}

TEST(Kinematics, NamesACoordinateThatDoesNotExist) {
  try {
    compile(driven(read_model_text("armature: 1\n" + driven_crank("")), "crunk", "t"));
    FAIL() << "an unknown coordinate was driven";
  } catch (const ModelError& error) {
    EXPECT_THAT(std::string(error.what()), testing::HasSubstr("crunk"));
  }
}

}  // namespace
}  // namespace armature::internal
