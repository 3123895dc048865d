// A gas spring of 100 N along x: 0.5 m long when extended, with a stroke of 0.2 m over which its force grows 1.5 times.
#include <gtest/gtest.h>

#include <cmath>

#include "force/two_bodies.hpp"

namespace armature::internal {
namespace {

const std::string gas =
    "type: gas_spring, between: [ground, first], force: 100, length: 0.5, stroke: 0.2, progression: 1.5, damping: 30";

TEST(GasSpring, PushesWithItsForcesAtBothEndsOfTheStroke) {
  for (const std::string exponent : {"", ", exponent: 1.4"}) {
    const Moment extended = slides(gas + exponent, 0.5, 0, 0, 0), pressed = slides(gas + exponent, 0.3, 0, 0, 0);
    EXPECT_NEAR(extended["f.force"], 100, 1e-10);
    EXPECT_NEAR(pressed["f.force"], 150, 1e-10);
    EXPECT_NEAR(pressed["a''"], 75, 1e-10);
    EXPECT_NEAR(extended["energy.elastic"], 0, 1e-10);
  }
}

// p V^n = const between: 1 - x/h at half the stroke, h = stroke/(1 - 1.5^(-1/n)).
TEST(GasSpring, FollowsThePolytropicLaw) {
  const double n = 1.4, h = 0.2 / (1 - std::pow(1.5, -1 / n)), left = 1 - 0.1 / h;
  const Moment now = slides(gas + ", exponent: 1.4", 0.4, 0, -2, 0);
  EXPECT_NEAR(now["f.force"], 100 * std::pow(left, -n) + 60, 1e-10);
  EXPECT_NEAR(now["energy.elastic"], 100 * h * (std::pow(left, 1 - n) - 1) / (n - 1), 1e-10);
  EXPECT_NEAR(now["heat.viscous'"], 30 * 4, 1e-10);
  EXPECT_NEAR(slides(gas, 0.4, 0, 0, 0)["energy.elastic"], -100 * 0.6 * std::log(1 - 0.1 / 0.6), 1e-10);  // h = 0.6
}

// As a parameter that stays free the exponent may pass 1, where the formula of the energy is 0/0.
TEST(GasSpring, StoresTheSameEnergyWithAFreeExponent) {
  for (const double n : {0.9, 1.0, 1.4}) {
    Prepared start = compile(read_model_text(fmt::format("armature: 1\nparameters: {{n: {}}}\n", n) +
                                             with_states("bodies: {first: {mass: 2}, second: {mass: 3}}\njoints:\n"
                                                         "  a: {type: prismatic, axis: x, between: [ground, first]}\n"
                                                         "  b: {type: prismatic, axis: x, between: [ground, second]}\n",
                                                         gas + ", exponent: n", 0.4, 0, 0, 0)),
                             {"n"});
    assemble_start(start);
    const double h = 0.2 / (1 - std::pow(1.5, -1 / n)), left = 1 - 0.1 / h;
    EXPECT_NEAR(moment_of(start)["energy.elastic"],
                n == 1 ? -100 * h * std::log(left) : 100 * h * (std::pow(left, 1 - n) - 1) / (n - 1), 1e-10)
        << n;
  }
}

TEST(GasSpring, HasAProgressionAboveOne) {
  EXPECT_EQ(refusal(slides,
                    "type: gas_spring, between: [ground, first], force: 100, length: 0.5, stroke: 0.2, progression: 1"),
            "forces.f: progression is more than 1");
}

}  // namespace
}  // namespace armature::internal
