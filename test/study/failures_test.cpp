#include "study/failures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::internal {
namespace {

TEST(Failures, SentencesThatDifferInNumbersAreOneReason) {
  const double reason = reason_number("the integration cannot continue from t = 0.1 s");
  EXPECT_EQ(reason, reason_number("the integration cannot continue from t = 1.25e-05 s"));
  EXPECT_EQ(reason, std::floor(reason));
  EXPECT_LT(reason, 0x1p53);
  EXPECT_EQ(reason_number(""), 0);
  EXPECT_EQ(reason_number("open by -3 mm"), reason_number("open by 12.5 mm"));
}

// Names, quoted formulas and places in the file belong to the reason.
TEST(Failures, NamesAndPlacesAreKept) {
  EXPECT_NE(reason_number("pin1 stays open"), reason_number("pin2 stays open"));
  EXPECT_NE(reason_number("'1/(t - 1)' is infinite"), reason_number("'1/(t - 2)' is infinite"));
  EXPECT_NE(reason_number("line 3: it is 1"), reason_number("line 4: it is 1"));
  EXPECT_EQ(reason_number("line 3: it is 1"), reason_number("line 3: it is 2"));
  EXPECT_EQ(reason_number("x' is 1 m/s"), reason_number("x' is 2 m/s"));
}

TEST(Failures, AreCountedByReason) {
  const double a = reason_number("a"), b = reason_number("b");
  const auto list = group_failures({0, a, b, 0, b, b}, [](long cell) { return "cell " + std::to_string(cell); });
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].count, 3);
  EXPECT_EQ(list[0].cell, 2);
  EXPECT_EQ(list[0].sentence, "cell 2");
  EXPECT_EQ(list[1].count, 1);
}

}  // namespace
}  // namespace armature::internal
