// A model whose equations are no finite numbers at the start is refused with the place in its file.
#include <gmock/gmock.h>

#include "support/run_model.hpp"

namespace armature::internal {
namespace {

std::string refusal(const std::string& text) {
  try {
    compile(read_model_text(text, "m.yaml"));
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string with_constraint(const std::string& zero) {
  return refusal(
      "armature: 1\ngravity: [0, -9.81, 0]\nplane: xy\n"
      "bodies: {rod: {mass: 1, center: [0.5, 0, 0], inertia: {rod: 1}, points: {tip: [1, 0, 0]}}}\n"
      "joints: {hinge: {type: revolute, between: [ground, rod]}}\n"
      "constraints: {c: {type: prescribed, zero: \"" +
      zero + "\"}}\n");
}

TEST(FiniteStart, RefusesAConstraintWithoutADerivative) {
  EXPECT_EQ(with_constraint("norm(rod.tip - [1, 0, 0]) - t"),
            "m.yaml:6: constraints.c: its derivative with respect to hinge is not a number at the start: a root, a "
            "norm or a quotient is singular there. Start from another pose, or write the constraint without it");
  for (const char* zero : {"sqrt(hinge) - t", "hinge^0.5 - t"})
    EXPECT_THAT(with_constraint(zero), testing::StartsWith("m.yaml:6: constraints.c: its derivative")) << zero;
}

TEST(FiniteStart, RefusesAConstraintWithoutAValue) {
  EXPECT_EQ(with_constraint("1/hinge - t"),
            "m.yaml:6: constraints.c: is infinite at the start; start from another pose, or change its formula");
}

TEST(FiniteStart, RefusesAnAngleOfNoVector) {
  EXPECT_THAT(with_constraint("atan2(rod.tip.y, rod.tip.x - 1) - t"), testing::StartsWith("m.yaml:6: constraints.c: "));
}

TEST(FiniteStart, RefusesAnInfiniteInertia) {
  EXPECT_EQ(
      refusal("armature: 1\ngravity: [0, 0, 0]\nplane: xy\n"
              "bodies: {rod: {mass: 1, center: [1e160, 0, 0], inertia: {rod: 1}}}\n"
              "joints: {hinge: {type: revolute, between: [ground, rod]}}\n"),
      "m.yaml: joints.hinge: the inertia along hinge is not a number at the start: a mass, a length or a formula of "
      "what it moves is too large");
  EXPECT_EQ(refusal("armature: 1\nlagrangian:\n  coordinates: {q: rad}\n  kinetic: 1/t*q'^2\n"),
            "m.yaml:4: lagrangian.kinetic: the inertia along q is infinite at the start");
}

}  // namespace
}  // namespace armature::internal
