// The printed functions are compiled, called and compared with the accelerations of the engine, relative to the terms of each equation;
// tolerance: round-off of sums of many terms.
#include "support/printed_code.hpp"

namespace armature::internal {
namespace {

constexpr double round_off_of_sums = 1e-9;

void expect_equations_of_the_engine(const Model& model) {
  const PrintedCode code(model);
  EXPECT_LT(code.residual(PrintingStyle::c), round_off_of_sums);
  EXPECT_LT(code.residual(PrintingStyle::python), round_off_of_sums);
}

Model text(const std::string& further) {
  return read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: none}}\n"
      "joints: {y: {type: prismatic, axis: y, between: [ground, b]}}\n" +
      further);
}

// Surfaces that part faster than 1/d do not pull: without the limit the acceleration is -26.1 m/s^2.
TEST(PrintedCode, OfTheLawsOfImpactNeverPulls) {
  for (const char* law : {"hunt_crossley", "lankarani_nikravesh"})
    expect_equations_of_the_engine(text(
        std::string("forces: {e: {type: contact, gap: y, stiffness: 300, restitution: 0.5, impact_speed: 0.2, law: ") +
        law + "}}\nstart: {keep: {y: -0.1}, speed: {y: 1}}\n"));
}

TEST(PrintedCode, HasTheTablesThatItLooksUp) {
  const std::string table = "tables: {s: {x: [0, 1, 2, 3], y: [0, 1, 0, 2], interpolation: spline}}\n";
  expect_equations_of_the_engine(
      text(table + "forces: {e: {type: effort, on: y, is: s(y)}}\nstart: {keep: {y: 0.5}}\n"));
  // a table that repeats
  expect_equations_of_the_engine(
      text("tables: {c: {x: [0, 1, 2, 3, 4], y: [0, 1, 0, -1, 0], interpolation: spline, outside: repeat}}\n"
           "forces: {e: {type: effort, on: y, is: c(y + 7.3*t)}}\nstart: {keep: {y: 9.5}}\n"));
  const std::string page =
      equations_text(printed_equations(text(table + "forces: {e: {type: effort, on: y, is: s(y)}}\n")));
  EXPECT_NE(page.find("table0(x)"), std::string::npos) << page;
}

// What a contact holds since it was touched, and the outputs of a sampled controller, are inputs of the function.
TEST(PrintedCode, GetsWhatIsHeldBetweenSteps) {
  expect_equations_of_the_engine(
      text("forces: {e: {type: contact, gap: y, stiffness: 300, restitution: 0.5, law: hunt_crossley}}\n"
           "start: {keep: {y: -0.1}, speed: {y: -1}}\n"));
}

// In C a square below a line is a product, which needs parentheses: r*r*Im/(rw*rw).
TEST(PrintedCode, DividesBySquares) {
  const std::string code = equations_code(printed_equations(shipped("crane_lagrangian")), PrintingStyle::c);
  EXPECT_NE(code.find("r*r*Im/(rw*rw)"), std::string::npos) << code;
}

TEST(PrintedCode, OfShippedModelsGivesTheAccelerationsOfTheEngine) {
  for (const char* name :
       {"crane_lagrangian", "rrr", "elements/cam", "contact/bearing_clearance", "elements/bushing"}) {
    SCOPED_TRACE(name);
    expect_equations_of_the_engine(shipped(name));
  }
}

}  // namespace
}  // namespace armature::internal
