#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

using ModesVerb = Program;

TEST_F(ModesVerb, PrintsWritesAndDifferentiates) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("modes pendulum.yaml --sensitivity length -o linear");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("3.132092"));
  const auto result = json("linear/modes.json");
  EXPECT_NEAR(result["modes"][0]["eigenvalue"][1].get<double>(), std::sqrt(9.81), 1e-12);
  EXPECT_NEAR(result["modes"][0]["sensitivity"]["length"][1].get<double>(), -std::sqrt(9.81) / 2, 1e-12);
  EXPECT_THAT(read("linear/A.csv"), HasSubstr(",theta,theta'\ntheta,0,1\n"));
  EXPECT_EQ(read("linear/results.h5").substr(1, 3), "HDF");
  EXPECT_THAT(answer.out, testing::Not(HasSubstr("-0.0000")));
  EXPECT_EQ(armature("modes pendulum.yaml -o linear").code, 0);  // a result may be replaced
}

TEST_F(ModesVerb, SaysThatAnEquilibriumIsUnstable) {
  write("pendulum.yaml", pendulum);
  write("upright.yaml", std::string(pendulum) + "start: {keep: {theta: 90 deg}}\n");
  EXPECT_THAT(armature("modes upright.yaml").out, HasSubstr("the equilibrium is unstable: mode "));
  EXPECT_THAT(armature("modes pendulum.yaml").out, testing::Not(HasSubstr("unstable")));
}

// The motor of the crane keeps it moving. Round-off in an eigenvalue is printed as zero, not as data.
TEST_F(ModesVerb, SaysWhatToDoWithAMachineThatDoesNotRest) {
  const std::string crane = std::string(source_directory) + "/models/crane.yaml";
  const Answer moving = armature("modes " + crane);
  EXPECT_EQ(moving.code, 1);
  EXPECT_THAT(moving.err, HasSubstr("A machine that its drives keep moving has none; linearize about the start itself "
                                    "instead (--no-equilibrium)"));
  const Answer start = armature("modes --no-equilibrium " + crane);
  EXPECT_EQ(start.code, 0) << start.err;
  EXPECT_THAT(start.out, HasSubstr("linearized about the start:"));
  EXPECT_THAT(start.out, testing::Not(testing::ContainsRegex("e-1[3-9]")));
}

// m = 2, c = 20, k = 50: s = -5 twice. With c = 20.2 the two lie apart, and ds/dc = -s/(2 m s + c).
TEST_F(ModesVerb, GivesNoDerivativeOfARepeatedEigenvalue) {
  write("critical.yaml", R"(armature: 1
name: critical damping
gravity: [0, 0, 0]
parameters: {c: 20}
bodies: {mass: {mass: 2 kg}}
joints: {x: {type: prismatic, axis: x, between: [ground, mass], spring: {stiffness: 50}, damping: c}}
simulate: {end: 1 s}
)");
  ASSERT_EQ(armature("modes critical.yaml --sensitivity c -o twice").code, 0);
  const auto twice = json("twice/modes.json")["modes"];
  ASSERT_EQ(twice.size(), 2u);
  for (const auto& mode : twice) EXPECT_TRUE(mode["sensitivity"]["c"][0].is_null());
  ASSERT_EQ(armature("modes critical.yaml --set c=20.2 --sensitivity c -o apart").code, 0);
  const auto apart = json("apart/modes.json")["modes"];
  ASSERT_EQ(apart.size(), 2u);
  for (const auto& mode : apart) {
    const double s = mode["eigenvalue"][0];
    EXPECT_NEAR(mode["sensitivity"]["c"][0].get<double>(), -s / (4 * s + 20.2), 1e-10);
  }
}

// Under its own weight the slope of a cantilever's end is rho A g l^3/(6 E I): 2.943 rad of this one.
TEST_F(ModesVerb, WarnsOfABeamThatBendsTooFar) {
  const std::string beam =
      "armature: 1\nplane: xy\ngravity: [0, -9.81, 0]\nbodies: {strip: {beam: {length: 1, section: {rectangle: [2 mm, "
      "20 mm]}, E: 2 GPa, rho: 1200, elements: 4}}}\njoints: {root: {type: fixed, between: [ground, strip]}}\n";
  write("strip.yaml", beam);
  const Answer answer = armature("modes strip.yaml");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("warning: strip bends too far: its slope reaches -2.94 rad at t = 0 s"));
  EXPECT_EQ(nlohmann::json::parse(armature("modes strip.yaml --json").out)["warnings"].size(), 1u);
  write("stiff.yaml", std::string(beam).replace(beam.find("2 GPa"), 5, "2000 GPa"));
  EXPECT_EQ(armature("modes stiff.yaml").err, "");
}

TEST_F(ModesVerb, RefusesWhatItDoesNotKnow) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("modes pendulum.yaml --sensitivity lenght");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("unknown parameter 'lenght' (did you mean 'length'?)"));
}

}  // namespace
}  // namespace armature::internal
