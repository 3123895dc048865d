// A kind of force element needs nothing but its own class: one that no list knows acts, stores energy, is cut around, recorded and
// linearized as those of the list are.
#include "force/force_kinds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "mechanics/builder.hpp"
#include "model/formula_tree.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

// -c x^3 on a coordinate x.
class CubicSpring final : public ForceKind {
 public:
  FormatSection format() const override { return {"forces: cubic_spring", "a hardening spring", {}}; }
  void read(const MapReader&, ForceElement&, Reading&) const override {}
  void add(EquationsBuilder& builder, const ForceElement& spring) const override {
    const NamedCoordinate& x = builder.coordinate(spring.on.front(), spring.where);
    const Expression c = builder.scalar(spring.values["coefficient"]);
    const Expression energy = 0.25 * (c * x.value * x.value * x.value * x.value);
    builder.apply(-(c * x.value * x.value * x.value), x.rate);
    builder.equations().potential += energy;
    builder.equations().elastic += energy;
  }
};

TEST(ForceKinds, HaveTypesOfTheirOwnAndReadByTheirTables) {
  std::set<std::string> types;
  for (const ForceKind* kind : force_kinds()) {
    EXPECT_TRUE(types.insert(kind->type()).second) << kind->type();
    EXPECT_EQ(kind->format().name, "forces: " + kind->type());
    EXPECT_EQ(kind->format().keys[0].name, "type");
    const std::string input(kind->input());
    EXPECT_TRUE(input.empty() || find_key(kind->format().keys, input)) << kind->type();
  }
}

// m x'' = -c x^3 from rest at A: the period is that of the lemniscate, T = 4 K(1/sqrt 2)/(A sqrt(c/m)), where
// 4 K(1/sqrt 2) = 7.41629870920549, so that after T the block is back at rest.
TEST(ForceKinds, OneOfAnotherFileActsLikeThoseOfTheList) {
  static const CubicSpring kind;
  Model model = read_model_text(R"(armature: 1
gravity: [0, 0, 0]
bodies: {block: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, block]}}
start: {keep: {x: 0.5}}
simulate: {rtol: 1e-12}
)");
  ForceElement spring;
  spring.name = "hard", spring.kind = &kind, spring.on = {"x"};
  spring.values.set("coefficient", number_formula(8));
  model.forces.push_back(spring);
  model.simulate.end = 7.41629870920549 / (0.5 * std::sqrt(8.0 / 2));
  const Simulation run = simulated(model);
  EXPECT_NEAR(run.last("x"), 0.5, 1e-9);  // of the integration: 1e-12 a step, over a few hundred steps
  EXPECT_NEAR(run.last("x'"), 0, 1e-9);
  EXPECT_LT(run.outcome.statistics.energy_error, 1e-10);
}

}  // namespace
}  // namespace armature::internal
