#include "lagrangian/lagrangian.hpp"

#include <gmock/gmock.h>

#include <numbers>

#include "support/accelerations.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

// A section `lagrangian` with a coordinate x (m), a coordinate q (rad) and what is given.
std::string with(const std::string& lines) {
  return "armature: 1\nlagrangian:\n  coordinates: {x: m, q: rad}\n" + lines;
}

std::string complaint(const std::string& text) {
  try {
    build_lagrangian(read_model_text(text, "test.yaml"));
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

TEST(Lagrangian, OfAPendulumOnACart) {
  const Prepared cart = prepared_text(R"(
parameters: {m: 2 kg, M: 3 kg, l: 0.5 m, g: 9.81 m/s^2}
lagrangian:
  coordinates: {x: {unit: m, is: cart}, q: {unit: rad, is: swing}}
  define:
    bob: [x + l*sin(q), -l*cos(q)]
  kinetic: 1/2*M*x'^2 + 1/2*m*norm2(bob')
  potential: m*g*bob.y
  dissipation: 1/2*4*x'^2
start: {keep: {x: 0.1, q: 0.7}, speed: {x: 0.3, q: -1.1}}
)");
  const auto a = acceleration_at_start(cart);
  // (M + m) x'' + m l q'' cos q - m l q'^2 sin q = -4 x',   l q'' + x'' cos q = -g sin q
  const double m = 2, M = 3, l = 0.5, g = 9.81, q = 0.7, w = -1.1, v = 0.3, x2 = a.vdot.at("x'"), q2 = a.vdot.at("q'");
  EXPECT_NEAR((M + m) * x2 + m * l * q2 * std::cos(q) - m * l * w * w * std::sin(q), -4 * v, 1e-13);
  EXPECT_NEAR(l * q2 + x2 * std::cos(q), -g * std::sin(q), 1e-13);
}

// A pendulum whose pivot is shaken: l q'' = -g sin q + a w^2 sin(w t) cos q.
TEST(Lagrangian, MayDependOnTime) {
  Prepared shaken = prepared_text(R"(
parameters: {a: 0.2 m, w: 3, l: 0.5 m}
lagrangian:
  coordinates: {q: rad}
  define: {bob: "[a*sin(w*t) + l*sin(q), -l*cos(q)]"}
  kinetic: 1/2*norm2(bob')
  potential: 9.81*bob.y
start: {keep: {q: 0.4}, speed: {q: 2}}
)");
  State state = shaken.start;
  state.t = 0.8;
  EXPECT_NEAR(0.5 * acceleration_at(shaken, state).vdot.at("q'"),
              -9.81 * std::sin(0.4) + 0.2 * 9 * std::sin(2.4) * std::cos(0.4), 1e-13);
}

// A force on a point does its work along the point's motion: Q = J' F.
TEST(Lagrangian, TakesForcesOnPoints) {
  const Prepared lever = prepared_text(R"(
lagrangian:
  coordinates: {q: rad}
  define: {tip: "2*[cos(q), sin(q)]"}
  kinetic: 1/2*3*q'^2
  forces: {tip: [5, 7]}
start: {keep: {q: 0.4}}
)");
  EXPECT_NEAR(3 * acceleration_at_start(lever).vdot.at("q'"), 2 * (-5 * std::sin(0.4) + 7 * std::cos(0.4)), 1e-14);
}

TEST(Lagrangian, ConstraintsMayDependOnTime) {
  const Simulation run = simulated_text(R"(
lagrangian:
  coordinates: {x: m, y: m}
  kinetic: 1/2*(x'^2 + y'^2)
  constraints: {rod: x^2 + y^2 - (1 + t)^2}
start: {keep: {y: 0}, near: {x: 1}}
simulate: {end: 2 s, rtol: 1e-10}
)");
  EXPECT_NEAR(std::hypot(run.last("x"), run.last("y")), 3, 1e-12);
}

TEST(Lagrangian, StartsWhereADefinitionShallBe) {
  const Prepared arm = prepared_text(R"(
lagrangian:
  coordinates: {q1: rad, q2: rad}
  define: {tip: "[cos(q1) + cos(q1 + q2), sin(q1) + sin(q1 + q2)]"}
  kinetic: q1'^2 + (q1' + q2')^2
start: {keep: {tip: [1, 1]}, near: {q1: 0.1, q2: 1}}
)");
  EXPECT_NEAR(arm.start.x[0], 0, 1e-10);
  EXPECT_NEAR(arm.start.x[1], std::numbers::pi / 2, 1e-10);
}

TEST(Lagrangian, KineticEnergyMustBeOfSecondDegree) {
  EXPECT_THAT(
      complaint(with("  kinetic: 2*x'^4 + q'^2\n")),
      HasSubstr("test.yaml:4: lagrangian.kinetic: is not quadratic in the rates: the coefficient of x' x' depends"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2 + 3*q'\n")),
              HasSubstr("it has a term of first degree in q' at x = 0, q = 0"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2 + 1/2*(1 + q^2)\n")), HasSubstr("has a part without rates"));
}

TEST(Lagrangian, KineticEnergyMustBePositiveDefinite) {
  EXPECT_THAT(complaint(with("  kinetic: 1/2*x'^2\n")), HasSubstr("the coordinate q has no inertia at x = 0, q = 0"));
  EXPECT_THAT(complaint(with("  kinetic: 1/2*(x' + q')^2\n")),
              HasSubstr("is not positive definite: it does not grow with q'"));
  EXPECT_THAT(complaint(with("  kinetic: 1/2*x'^2 + cos(q)*q'^2\n")), HasSubstr("it does not grow with q' at x = "));
}

TEST(Lagrangian, OnlyForcesAndDissipationSeeRates) {
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2\n  potential: 2*x*x'\n")),
              HasSubstr("lagrangian.potential: must not depend on a rate, but it depends on x'"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2\n  constraints: {c: \"x' - q'\"}\n")),
              HasSubstr("lagrangian.constraints.c: constraints are conditions on positions"));
}

TEST(Lagrangian, MistakesInFormulasAreSaidWithLineAndColumn) {
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + m*q'^2\n")),
              HasSubstr("test.yaml:4: lagrangian.kinetic: unknown name 'm'; a unit follows a number"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + n*q'^2\n")),
              HasSubstr("test.yaml:4: lagrangian.kinetic: unknown name 'n' (column 21)"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2/0\n")),
              HasSubstr("test.yaml:4: lagrangian.kinetic: divides by zero (column 25)"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + sqrt(-2)*q'^2\n")),
              HasSubstr("test.yaml:4: lagrangian.kinetic: sqrt gives no real number (column 21)"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2\n  define:\n    A: [cos(q), sin(p)]\n  potential: A.x\n")),
              HasSubstr("test.yaml:6: lagrangian.define.A: unknown name 'p' (column 21)"));
}

// A formula over several lines: the line in which the mistake stands.
TEST(Lagrangian, MistakesInFoldedFormulasAreSaidWithLineAndColumn) {
  EXPECT_THAT(complaint(with("  kinetic: >\n    2*x'^2\n    + n*q'^2\n")),
              HasSubstr("test.yaml:6: lagrangian.kinetic: unknown name 'n' (column 7)"));
  EXPECT_THAT(complaint(with("  kinetic:\n    2*x'^2\n    + n*q'^2\n")),
              HasSubstr("test.yaml:6: lagrangian.kinetic: unknown name 'n' (column 7)"));
}

TEST(Lagrangian, SectionIsChecked) {
  EXPECT_THAT(complaint("armature: 1\nlagrangian:\n  kinetic: 1\n"), HasSubstr("'coordinates' is missing"));
  EXPECT_THAT(complaint(with("  kinetic: 2*x'^2 + q'^2\n  forces: {y: 1}\n")),
              HasSubstr("no coordinate or definition has this name"));
  EXPECT_THAT(complaint(with("  kinetik: x'^2\n")), HasSubstr("unknown key (did you mean 'kinetic'?)"));
  EXPECT_THAT(complaint("armature: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n" +
                        with("  kinetic: 2*x'^2 + q'^2\n").substr(12)),
              HasSubstr("by bodies and joints or by a Lagrangian, not by both"));
}

}  // namespace
}  // namespace armature::internal
