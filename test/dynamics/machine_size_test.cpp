#include "dynamics/machine_size.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/assembly.hpp"
#include "read/reader.hpp"
#include "system/build_model.hpp"

namespace armature::internal {
namespace {

MachineSize size_of(const std::string& text) {
  auto system = std::make_shared<const System>(
      build_model(read_model_text("armature: 1\nplane: xy\ngravity: [0, 0, 0]\n" + text)));
  SystemEvaluator evaluator(system);
  const State start = assemble(evaluator, system->initial_state()).state;
  SparseTerms terms = evaluator.make_sparse_terms();
  evaluator.set(start);
  evaluator.position(terms);
  return MachineSize(system->equations(), terms, start.x.data());
}

// A crank moves a slider that may also slide across.
TEST(MachineSize, OfLoopsIsTheLongestLeverArmHoweverTheMachineIsTurned) {
  for (const double turn : {0.0, 0.3, 0.7854, 2.0}) {
    const MachineSize size = size_of(fmt::format(R"(
bodies: {{crank: {{mass: 1, inertia: {{zz: 1}}}}, carriage: {{mass: 1}}, slider: {{mass: 1, inertia: {{zz: 1}}}}}}
joints:
  a: {{type: revolute, between: [ground, crank]}}
  s: {{type: prismatic, axis: [cos({0}), sin({0}), 0], between: [ground, carriage]}}
  across: {{type: prismatic, axis: [-sin({0}), cos({0}), 0], between: [carriage, slider]}}
  c: {{type: revolute, between: ["crank [0.25, 0, 0]", slider], cut: true}}
start: {{keep: {{a: {0}}}}}
)",
                                                 turn));
    EXPECT_NEAR(size.length(), 0.25, 1e-12) << turn;
  }
}

// Of a cart with a pendulum: its inertia about the hinge, 0.5 (0.3^2) + 0.01 kg m^2, and the mass of both, 2.5 kg.
TEST(MachineSize, OfTreesIsTheRadiusOfGyration) {
  const MachineSize size = size_of(R"(
bodies: {cart: {mass: 2}, bob: {mass: 0.5, center: [0.3, 0, 0], inertia: {zz: 0.01}}}
joints:
  x: {type: prismatic, axis: x, between: [ground, cart]}
  swing: {type: revolute, between: [cart, bob]}
)");
  EXPECT_NEAR(size.length(), std::sqrt(0.055 / 2.5), 1e-12);
  EXPECT_NEAR(size.per_position()[0] * size.length(), 1, 1e-15);
  EXPECT_EQ(size.per_position()[1], 1);
}

TEST(MachineSize, OfSlidesAloneIsHowFarTheyAreOrAMetre) {
  const std::string slide = R"(
bodies: {cart: {mass: 2}}
joints: {x: {type: prismatic, axis: x, between: [ground, cart]}}
)";
  EXPECT_EQ(size_of(slide + "start: {keep: {x: -3 mm}}").length(), 3e-3);
  EXPECT_EQ(size_of(slide).length(), 1);
}

}  // namespace
}  // namespace armature::internal
