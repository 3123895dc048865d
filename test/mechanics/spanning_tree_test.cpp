// Which joints are cut: rules of spanning_tree.hpp, on a four-bar loop a - b - c - ground.
#include "mechanics/spanning_tree.hpp"

#include <gtest/gtest.h>

#include "read/reader.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> cut_of(const std::string& joints, const std::string& more = "") {
  const Model model = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies:\n"
      "  a: {mass: 1, inertia: {rod: 1}}\n  b: {mass: 1, inertia: {rod: 1}}\n"
      "  c: {mass: 1, inertia: {rod: 1}}\njoints:\n" +
      joints + more);
  std::vector<std::string> cut;
  for (int j : spanning_tree(model).cut) cut.push_back(model.joints[static_cast<std::size_t>(j)].name);
  return cut;
}

std::string loop(const std::string& of_j2 = "", const std::string& of_j3 = "") {
  return "  j1: {type: revolute, between: [ground, a]}\n"
         "  j2: {type: revolute, between: [\"a [1, 0, 0]\", b]" +
         of_j2 +
         "}\n"
         "  j3: {type: revolute, between: [\"b [1, 0, 0]\", c]" +
         of_j3 +
         "}\n"
         "  j4: {type: revolute, between: [\"ground [1, 0, 0]\", \"c [1, 0, 0]\"]}\n";
}

using Names = std::vector<std::string>;

TEST(SpanningTree, CutsOneJointOfALoop) { EXPECT_EQ(cut_of(loop()).size(), 1u); }

TEST(SpanningTree, CutsTheShallowestWay) {
  const Names cut = cut_of(loop());
  EXPECT_TRUE(cut == Names{"j2"} || cut == Names{"j3"}) << "of a loop of four, the tree is two links deep";
}

TEST(SpanningTree, ObeysTheFile) {
  EXPECT_EQ(cut_of(loop(", cut: true")), Names{"j2"});
  EXPECT_EQ(cut_of(loop(", cut: false")), Names{"j3"});
}

TEST(SpanningTree, KeepsJointsThatTheFileNames) {
  EXPECT_EQ(cut_of(loop(), "forces: {push: {type: effort, on: j2, is: 1}}\n"), Names{"j3"});
  EXPECT_EQ(cut_of(loop(), "start: {near: {j3: 0.2}}\n"), Names{"j2"});
  EXPECT_EQ(cut_of(loop("", ", damping: 1")), Names{"j2"});
}

TEST(SpanningTree, NamesBodiesOutOfReach) {
  const Model model = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: {rod: 1}}}\n"
      "joints: {j: {type: revolute, between: [ground, a], cut: true}}\n");
  EXPECT_EQ(spanning_tree(model).unreached, Names{"a"});
}

}  // namespace
}  // namespace armature::internal
