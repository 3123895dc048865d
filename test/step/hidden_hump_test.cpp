// Steps that hide a hump of a table: pairs of value and variation at both ends.
#include "step/hidden_hump.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

bool hides(double y0, double v0, double y1, double v1) {
  const double begin[] = {0.5, 0.5, y0, v0}, end[] = {0.5, 0.5, y1, v1};
  return hides_hump(4, begin, end);
}

TEST(HiddenHump, IsVariationWithoutChange) {
  EXPECT_TRUE(hides(0, 0, 0, 2));      // up to 1 and back
  EXPECT_TRUE(hides(0, 2, 0, 0));      // the other way
  EXPECT_TRUE(hides(0, 0, 0.5, 1.5));  // half the way back
  EXPECT_FALSE(hides(0, 0, 1, 1));
  EXPECT_FALSE(hides(1, 1, 0, 2));
  EXPECT_FALSE(hides(0, 0, 0, 0));
}

TEST(HiddenHump, MayBeATenthOfTheVariation) {
  EXPECT_FALSE(hides(0, 0, 0.96, 1.04));
  EXPECT_TRUE(hides(0, 0, 0.94, 1.06));
  EXPECT_FALSE(hides(0, 0, 0, 1.9e-4));  // less than 1e-4 of the range
  EXPECT_TRUE(hides(0, 0, 0, 2.1e-4));
}

TEST(HiddenHump, HalvesTheStepAsFarAsTimeAllows) {
  EXPECT_EQ(half_as_long(2, 4), 3);
  EXPECT_EQ(half_as_long(1, 1 + 4 * epsilon), infinity);
}

}  // namespace
}  // namespace armature::step
