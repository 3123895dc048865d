#include "force/effort.hpp"

#include <gtest/gtest.h>

#include "force/two_bodies.hpp"
#include "model/formula_tree.hpp"

namespace armature::internal {
namespace {

// 6 N on 2 kg that move with 0.5 m/s; 3 N m on 0.5 kg m^2.
TEST(Effort, PushesItsCoordinateForwards) {
  const Moment block = slides("type: effort, on: a, is: 10 - 8*a'", 0, 0, 0.5, 0);
  EXPECT_NEAR(block["a''"], 3, 1e-14);
  EXPECT_NEAR(block["b''"], 0, 1e-14);
  EXPECT_NEAR(block["work.applied'"], 3, 1e-14);
  EXPECT_NEAR(wheels("type: effort, on: a, is: 3 N*m", 0, 0, 0, 0)["a''"], 6, 1e-14);
}

TEST(Effort, HasTheUnitOfItsCoordinate) {
  EXPECT_EQ(refusal(slides, "type: effort, on: a, is: 3 N"), "");
  EXPECT_NE(refusal(slides, "type: effort, on: a, is: 3 N*m"), "");
  EXPECT_NE(refusal(wheels, "type: effort, on: a, is: 3 N"), "");
  EXPECT_EQ(refusal(slides, "type: effort, on: c, is: 3"), "forces.f.on: unknown coordinate 'c'; expected a or b");
}

TEST(Effort, MadeInCodeIsThatOfTheFile) {
  Model model = read_model_text("armature: 1\ngravity: [0, 0, 0]\n" + two_wheels);
  model.forces.push_back(make_effort("f", {}, "b", number_formula(-5)));
  EXPECT_EQ(model.forces[0].kind->type(), "effort");
  EXPECT_NEAR(moment_of(prepared(model))["b''"], -2.5, 1e-14);
}

}  // namespace
}  // namespace armature::internal
