#include "expression/node_map.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

TEST(NodeMap, HoldsWhatWasSetAndNothingElse) {
  NodeMap<int> map;
  EXPECT_FALSE(map.contains(0));
  EXPECT_FALSE(map.contains(100000));
  for (const int id : {0, 127, 128, 100000}) map.set(id, 2 * id);
  for (const int id : {0, 127, 128, 100000}) {
    ASSERT_TRUE(map.contains(id)) << id;
    EXPECT_EQ(map.at(id), 2 * id);
  }
  for (const int id : {1, 126, 129, 99999, 100001, 1000000}) EXPECT_FALSE(map.contains(id)) << id;
  map.set(127, 5);
  EXPECT_EQ(map.at(127), 5);
}

}  // namespace
}  // namespace armature::internal
