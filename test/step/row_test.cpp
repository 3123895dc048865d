#include "step/row.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace armature::step {
namespace {

TEST(Row, MasksAreSetsOfLanes) {
  const Mask<8> some = lane_bit<8>(1) | lane_bit<8>(5);
  EXPECT_EQ(all_lanes<8>, 255u);
  EXPECT_EQ(all_lanes<32>, 0xffffffffu);
  EXPECT_TRUE(has(some, 5));
  EXPECT_FALSE(has(some, 4));
  EXPECT_EQ(without(some, lane_bit<8>(5)), lane_bit<8>(1));
  std::vector<int> seen;
  for_each<8>(some, [&](int k) { seen.push_back(k); });
  EXPECT_EQ(seen, (std::vector<int>{1, 5}));
  EXPECT_EQ(those<8>(some, [](int k) { return k > 2; }), lane_bit<8>(5));
}

TEST(Row, OfOneLaneIsABool) {
  EXPECT_TRUE(all_lanes<1>);
  EXPECT_TRUE(has(true, 0));
  EXPECT_FALSE(without(true, true));
  EXPECT_TRUE(without(true, false));
  int calls = 0;
  for_each<1>(false, [&](int) { ++calls; });
  EXPECT_EQ(calls, 0);
  EXPECT_TRUE(those<1>(true, [](int) { return true; }));
}

}  // namespace
}  // namespace armature::step
