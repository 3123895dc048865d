#include "study/optimize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace armature::internal {
namespace {

const std::vector<Axis> box{{"a", -2, 2, 0}, {"b", -1, 3, 0}};

// Rosenbrock's valley, its bottom at (1, 1).
bool valley(Evaluation& e) {
  const double a = e.point[0], b = e.point[1];
  e.objective = std::pow(1 - a, 2) + 10 * std::pow(b - a * a, 2);
  e.gradients = Eigen::RowVector2d(2 * (a - 1) - 40 * a * (b - a * a), 20 * (b - a * a));
  return true;
}

class Methods : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, Methods, testing::ValuesIn(minimize_methods()),
                         [](const auto& info) { return info.param; });

TEST_P(Methods, FindTheBottomOfAValley) {
  const Minimum minimum = minimize(box, {-1.2, 1}, 0, valley, {GetParam(), 4000, 1e-8});
  ASSERT_GE(minimum.best, 0);
  const Evaluation& best = minimum.evaluations[static_cast<std::size_t>(minimum.best)];
  const double tolerance = GetParam() == "direct" ? 0.05 : 1e-3;  // direct divides boxes, and is slow at the end
  EXPECT_NEAR(best.point[0], 1, tolerance);
  EXPECT_NEAR(best.point[1], 1, 2 * tolerance);
}

TEST_P(Methods, KeepToTheBoxAndToTheirBudget) {
  const Minimum minimum = minimize(box, {0, 0}, 0, valley, {GetParam(), 30, 1e-8});
  EXPECT_LE(minimum.evaluations.size(), 30u);
  for (const Evaluation& e : minimum.evaluations)
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_GE(e.point[d], box[d].from);
      EXPECT_LE(e.point[d], box[d].to);
    }
}

TEST_P(Methods, TakeOneVariable) {
  const auto parabola = [](Evaluation& e) {
    e.objective = std::pow(e.point[0] - 0.3, 2);
    e.gradients = Eigen::MatrixXd::Constant(1, 1, 2 * (e.point[0] - 0.3));
    return true;
  };
  const Minimum minimum = minimize({{"a", -2, 2, 0}}, {1}, 0, parabola, {GetParam(), 200, 1e-7});
  ASSERT_GE(minimum.best, 0);
  EXPECT_NEAR(minimum.evaluations[static_cast<std::size_t>(minimum.best)].point[0], 0.3, 1e-3);
}

// a + b within the unit circle: smallest at -(1, 1)/sqrt 2.
TEST(Minimize, KeepsToInequalities) {
  const auto objective = [](Evaluation& e) {
    e.objective = e.point[0] + e.point[1];
    e.inequalities[0] = e.point[0] * e.point[0] + e.point[1] * e.point[1] - 1;
    e.gradients.resize(2, 2);
    e.gradients << 1, 1, 2 * e.point[0], 2 * e.point[1];
    return true;
  };
  for (const char* method : {"cobyla", "gradient"}) {
    const Minimum minimum = minimize(box, {0.5, 0.5}, 1, objective, {method, 500, 1e-9});
    ASSERT_GE(minimum.best, 0) << method;
    const Evaluation& best = minimum.evaluations[static_cast<std::size_t>(minimum.best)];
    EXPECT_NEAR(best.objective, -std::sqrt(2.0), 1e-6) << method;
    EXPECT_LE(best.inequalities[0], 1e-8) << method;
  }
}

TEST(Minimize, GoesAroundWhereTheMotionFails) {
  const auto objective = [](Evaluation& e) {
    if (e.point[0] < 0) return true;  // no value
    e.objective = std::pow(e.point[0] - 0.5, 2) + e.point[1] * e.point[1];
    return true;
  };
  const Minimum minimum = minimize(box, {0.1, 2}, 0, objective, {"nelder_mead", 400, 1e-6});
  ASSERT_GE(minimum.best, 0);
  EXPECT_NEAR(minimum.evaluations[static_cast<std::size_t>(minimum.best)].point[0], 0.5, 1e-3);
  const auto never = [](Evaluation&) { return true; };
  EXPECT_EQ(minimize(box, {0, 0}, 0, never, {"bobyqa", 20, 1e-6}).best, -1);
}

TEST(Minimize, StopsAndPassesExceptionsOn) {
  int count = 0;
  const auto objective = [&](Evaluation& e) { return valley(e) && ++count < 5; };
  const Minimum minimum = minimize(box, {0, 0}, 0, objective, {"subplex", 100, 1e-6});
  EXPECT_TRUE(minimum.stopped);
  EXPECT_EQ(minimum.evaluations.size(), 4u);
  const auto throws = [](Evaluation&) -> bool { throw std::runtime_error("no"); };
  EXPECT_THROW(minimize(box, {0, 0}, 0, throws, {"bobyqa", 100, 1e-6}), std::runtime_error);
}

}  // namespace
}  // namespace armature::internal
