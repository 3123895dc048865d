// `for` in a file: what it repeats, and the names that it makes.
#include "model/for_loop.hpp"

#include <gtest/gtest.h>

#include "model/scope.hpp"
#include "read/reader.hpp"

namespace armature::internal {
namespace {

Model read(const std::string& more) {
  return read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nparameters: {l: 2 m, N: 3}\nbodies: {rod: {mass: 1, inertia: {rod: "
      "l}}}\n"
      "joints: {hinge: {type: revolute, between: [ground, rod]}}\n" +
      more);
}

TEST(ForLoop, RunsOverRangesWithParametersAndBothEnds) {
  const Model model = read("points:\n  A{i}: {for: {i: 0..N}, is: [i*l, 0, 0]}\n");
  ASSERT_EQ(model.points.size(), 4u);
  EXPECT_EQ(model.points[3].name, "A3");
  EXPECT_EQ(evaluate_constant_vector(model.points[3].at, model)[0], 6);
}

TEST(ForLoop, CountsInNames) {
  const Model model = read("points:\n  A{i}_{i+1}: {for: {i: 1..2}, is: [i, \"{2*i}\", 0]}\n");
  EXPECT_EQ(model.points[1].name, "A2_3");
  EXPECT_EQ(evaluate_constant_vector(model.points[1].at, model)[1], 4);
}

TEST(ForLoop, NestsInsideBodies) {
  const Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies:
  b{i}:
    for: {i: 1..2}
    mass: i
    points:
      P{i}{j}: {for: {j: 1..3}, is: [i, j, 10*i + j]}
joints:
  f{i}: {for: {i: 1..2}, type: free, between: [ground, "b{i}"]}
)");
  ASSERT_EQ(model.bodies.size(), 2u);
  ASSERT_EQ(model.bodies[1].points.size(), 3u);
  EXPECT_EQ(model.bodies[1].points[2].name, "P23");
  EXPECT_EQ(evaluate_constant_vector(model.bodies[1].points[2].at, model)[2], 23);
}

TEST(ForLoop, PutsWordsIntoNames) {
  const Model model = read("points:\n  P_{side}: {for: {side: [left, right], s: [1, -1]}, is: [0, s, 0]}\n");
  EXPECT_EQ(model.points[1].name, "P_right");
  EXPECT_EQ(evaluate_constant_vector(model.points[1].at, model)[1], -1);
}

// A parameter that is a list runs beside a range; its elements stay parameters, so that they can be varied.
TEST(ForLoop, RunsOverListsOfParameters) {
  const Model model = read_model_text(R"(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {lengths: [0.3 m, 25 cm, "2*lengths[1]"]}
bodies:
  bar{i}: {for: {i: 1..3, l: lengths}, mass: 1, center: [l/2, 0, 0], inertia: {rod: l}}
joints:
  hinge{i}: {for: {i: 1..3}, type: revolute, between: [ground, "bar{i}"]}
points:
  A{i}: {for: {i: 1..2}, is: ["lengths[i] + lengths[i+1]", 0, 0]}
)");
  ASSERT_EQ(model.bodies.size(), 3u);
  for (const auto& [k, l] : {std::pair{0, 0.3}, {1, 0.25}, {2, 0.6}})
    EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.bodies[static_cast<std::size_t>(k)].center, model)[0], l / 2);
  EXPECT_DOUBLE_EQ(evaluate_constant_vector(model.points[1].at, model)[0], 0.85);
  ASSERT_EQ(model.parameters.size(), 3u);
  EXPECT_EQ(model.parameters[2].name, "lengths[3]");
}

TEST(ForLoop, MayBeEmpty) { EXPECT_TRUE(read("points:\n  A{i}: {for: {i: 1..0}, is: [i, 0, 0]}\n").points.empty()); }

}  // namespace
}  // namespace armature::internal
