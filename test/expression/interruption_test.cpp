#include "expression/interruption.hpp"

#include <gtest/gtest.h>

#include "expression/graph.hpp"

namespace armature::internal {
namespace {

TEST(Interruption, IsAskedWhileAGraphGrows) {
  const auto grow = [] {
    const Abandonable work;
    Graph graph;
    Expression x = graph.input("x");
    for (int k = 0; k < 100000; ++k) x = sin(x);
    return graph.size();
  };
  int asked = 0;
  {
    const Interruption interruption([&] { return ++asked == 3; });
    EXPECT_THROW(grow(), Interrupted);
  }
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(grow(), 100001);  // nobody is asked any more
}

// A run that is stopped still looks at what it has.
TEST(Interruption, DoesNotEndWorkThatIsToBeKept) {
  const Interruption interruption([] { return true; });
  EXPECT_NO_THROW(stop_if_interrupted());
  EXPECT_TRUE(interrupted());
}

TEST(Interruption, OfTheOuterComputationIsAskedAgain) {
  const Interruption outer([] { return true; });
  {
    const Interruption inner([] { return false; });
    EXPECT_FALSE(interrupted());
  }
  EXPECT_TRUE(interrupted());
}

}  // namespace
}  // namespace armature::internal
