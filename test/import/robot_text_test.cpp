#include "import/robot_text.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

TEST(RobotText, NumbersAreAsShortAsTheyCanBe) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(20000), "2e+04");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.3");  // 5e-17 beside it
  EXPECT_EQ(number_text(1.0 / 3), "0.333333333333333");
  EXPECT_EQ(number_text(1.23456789012), "1.23456789012");
}

TEST(RobotText, RoundOffBesideOtherPartsIsNothing) {
  EXPECT_EQ(vector_text({1, 1e-16, -1e-15}), "[1, 0, 0]");
  EXPECT_EQ(vector_text({1e-9, 0, 2e-10}), "[1e-09, 0, 2e-10]");
  EXPECT_EQ(vector_text({1e-16, 0, 0}), "[0, 0, 0]");
}

TEST(RobotText, AxesHaveLetters) {
  EXPECT_EQ(axis_text({0, 3, 0}), "y");
  EXPECT_EQ(axis_text({0, 0, -0.2}), "-z");
  EXPECT_EQ(axis_text({3, 0, 4}), "[0.6, 0, 0.8]");
}

TEST(RobotText, NamesAreWordsOfTheirOwn) {
  EXPECT_EQ(as_word("left-hip.1"), "left_hip_1");
  EXPECT_EQ(as_word("1st"), "n1st");
  EXPECT_EQ(as_word(""), "n");
  ModelNames names;
  EXPECT_EQ(names.take("hip", "joint"), "hip");
  EXPECT_EQ(names.take("hip", "joint"), "hip_joint");
  EXPECT_EQ(names.take("hip", "joint"), "hip_joint2");
  EXPECT_EQ(names.take("ground", "body"), "ground_body");
  EXPECT_EQ(names.take("sin", "body"), "sin_body");
}

}  // namespace
}  // namespace armature::internal
