#include "report/text_box.hpp"

#include <gtest/gtest.h>

namespace armature::internal::plot {
namespace {

Text text_at(const Point& at, double turn = 0, Text::Anchor anchor = Text::Anchor::middle) {
  return {at, "100 mm", 8, anchor, false, false, turn};
}

// Six characters, two of them wide and one narrow: (3 x 0.6 + 0.32 + 2 x 0.9) 8 points.
TEST(TextBox, IsTurnedWithItsText) {
  const double width = text_width("100 mm", 8);
  EXPECT_NEAR(width, 31.36, 1e-9);
  const auto level = box_of(text_at({50, 20}));
  EXPECT_NEAR(level[0].x, 50 - width / 2, 1e-9);
  EXPECT_NEAR(level[0].y, 14, 1e-9);  // three quarters of its size above the baseline
  EXPECT_NEAR(level[2].y, 21.6, 1e-9);
  const auto upright = box_of(text_at({50, 20}, 90, Text::Anchor::start));  // read from below: upwards from its place
  EXPECT_NEAR(upright[0].x, 44, 1e-9);
  EXPECT_NEAR(upright[1].y, 20 - width, 1e-9);
}

// Two parallel texts at 45 degrees: the boxes around them that are not turned would overlap.
TEST(TextBox, OverlapsWhatItLiesOn) {
  EXPECT_TRUE(overlap(box_of(text_at({50, 20})), box_of(text_at({60, 25}))));
  EXPECT_FALSE(overlap(box_of(text_at({50, 20})), box_of(text_at({50, 30}))));
  EXPECT_FALSE(overlap(box_of(text_at({50, 50}, 45)), box_of(text_at({58, 58}, 45))));
  EXPECT_TRUE(overlap(box_of(text_at({50, 50}, 45)), box_of(text_at({54, 54}, 45))));
  EXPECT_FALSE(overlap(box_of(text_at({50, 20})), {}));
}

}  // namespace
}  // namespace armature::internal::plot
