// The order of straight-line code that keeps few values alive: a valid one, in which fewer are.
#include "expression/few_alive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "expression/graph.hpp"

namespace armature::internal {
namespace {

// A tree of products over x_k x_{k+1} + x_{k+2}. A program has all of a level before the next.
StraightLine tree_of_products(int inputs) {
  Graph graph;
  std::vector<Expression> leaves, level;
  for (int k = 0; k < inputs; ++k) leaves.push_back(graph.input("x" + std::to_string(k)));
  for (int k = 0; k < inputs; ++k) level.push_back(leaves[k] * leaves[(k + 1) % inputs] + leaves[(k + 2) % inputs]);
  while (level.size() > 1) {
    std::vector<Expression> next;
    for (std::size_t k = 0; k + 1 < level.size(); k += 2) next.push_back(level[k] * level[k + 1]);
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = next;
  }
  const std::vector<Expression> outputs = {level.front()};
  return StraightLine(Program(leaves, outputs));
}

void expect_operands_first(const StraightLine& line) {
  std::set<int> known;
  for (int value = 0; value < static_cast<int>(line.values.size()); ++value)
    if (operand_count(line.values[value].op) == 0) known.insert(value);
  for (const StraightLine::Block& block : line.blocks)
    for (const auto* values : {&block.calls, &block.arithmetic})
      for (const int value : *values) {
        line.for_operands(value,
                          [&](int operand) { EXPECT_TRUE(known.contains(operand)) << operand << " for " << value; });
        EXPECT_TRUE(known.insert(value).second) << value;
      }
  EXPECT_EQ(known.size(), line.values.size());
}

TEST(FewAlive, FewerValuesAreAliveInAValidOrder) {
  StraightLine line = tree_of_products(256);
  std::ranges::sort(line.blocks[0].arithmetic);  // as the program has them: level by level
  const double before = mean_alive(line);
  EXPECT_GT(before, 100);
  keep_few_alive(line, 50);
  expect_operands_first(line);
  EXPECT_LT(mean_alive(line), 10);  // depth first, a tree of 256 leaves needs 8 at a time
}

TEST(FewAlive, AnOrderWithFewEnoughStays) {
  StraightLine line = tree_of_products(64);
  const std::vector<int> order = line.blocks[0].arithmetic;
  keep_few_alive(line, 1000);
  EXPECT_EQ(line.blocks[0].arithmetic, order);
}

}  // namespace
}  // namespace armature::internal
