// Results of formulas that are faster than the steps: a rotor that turns evenly is integrated in a few long steps, and what is
// asked of it changes many times within each of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "program.hpp"

namespace armature::internal {
namespace {

const char* const rotor = R"(armature: 1
gravity: [0, 0, 0]
plane: xy
bodies: {rotor: {mass: 1, inertia: {zz: 1}}}
joints: {shaft: {type: revolute, between: [ground, rotor]}}
start: {speed: {shaft: 1}}
simulate: {end: 1, record: 0.5, rtol: 1e-8}
)";

class FastResults : public Program {
 protected:
  double result(const std::string& formula, const std::string& options = "") {
    write("rotor.yaml", rotor);
    const Answer answer = armature("run rotor.yaml --no-report -o o --result 'r=" + formula + "'" + options);
    EXPECT_EQ(answer.code, 0) << answer.err;
    const std::size_t at = answer.out.find("r = ");
    return at == std::string::npos ? std::nan("") : std::stod(answer.out.substr(at + 4));
  }
};

// The integral is searched to 1e-6 of itself.
TEST_F(FastResults, OfMeansAreThoseOfTheWholeFormula) {
  for (const char* options : {"", " --integrator dop853", " --integrator cvode_adams"}) {
    EXPECT_NEAR(result("mean(sin(400*t)^2)", options), 0.5 - std::sin(800) / 1600, 1e-6) << options;
    EXPECT_NEAR(result("integral(if(sin(40*t) > 0, 1, 0))", options), 0.52876110, 1e-6) << options;
  }
  EXPECT_NEAR(result("mean(shaft)"), 0.5, 1e-9);
}

// A top is searched to 1e-9 of itself.
TEST_F(FastResults, OfExtremesAreFoundBetweenSamples) {
  EXPECT_NEAR(result("max(exp(-((t - 0.3337)/0.001)^2))"), 1, 1e-8);
  EXPECT_NEAR(result("max(sin(300*shaft))"), 1, 1e-8);
  EXPECT_NEAR(result("min(t*cos(900*t))"), -0.9948382941, 1e-8);  // by a grid of 1e-7 s
  EXPECT_NEAR(result("max(shaft)"), 1, 1e-8);
}

// Thousands of periods in a step.
TEST_F(FastResults, OfManyPeriodsAreThoseOfAllOfThem) {
  for (const char* options : {"", " --integrator dop853", " --integrator rk4 --step 0.1", " --rtol 1e-12"}) {
    EXPECT_NEAR(result("mean(sin(30000*t)^2)", options), 0.5 - std::sin(60000) / 120000, 1e-6) << options;
    EXPECT_NEAR(result("integral(cos(30000*shaft)^4)", options), 0.375, 1e-5) << options;
  }
  // the only time near which both sines are 1, by all pairs of phases: 52560.41588 rad
  EXPECT_NEAR(result("first(sin(1e5*t) + sin(1.41421356237e5*t) > 1.99999999)"), 0.5256041588, 1e-8);
}

TEST_F(FastResults, ThatCannotBeResolvedSaySinceWhen) {
  write("rotor.yaml", rotor);
  const Answer answer =
      armature("run rotor.yaml --no-report -o o --result 'r=mean(sin(1e10*t)^2)' --result 'x=final(t)'");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, testing::HasSubstr("r has no value\n"));
  EXPECT_THAT(answer.out, testing::HasSubstr("x = 1\n"));
  const std::string sentence =
      "result r: 'mean(sin(1e10*t)^2)' has no value: the signal inside mean(…) is not resolved from t = ";
  EXPECT_THAT(answer.err, testing::HasSubstr("warning: " + sentence));
  const nlohmann::json record = json("o/run.json");
  EXPECT_TRUE(record["numbers"]["r"].is_null()) << record["numbers"];
  EXPECT_THAT(record["warnings"][0].get<std::string>(), testing::HasSubstr(sentence));
}

TEST_F(FastResults, HaveTheSameBitsInLanes) {
  write("rotor.yaml", rotor);
  const std::string sweep = "sweep rotor.yaml --over shaft.v=1:2:11 --result 'm=mean(sin(90*shaft)^2)' --restart";
  ASSERT_EQ(armature(sweep + " --lanes 1 -o one").code, 0);
  ASSERT_EQ(armature(sweep + " --lanes 8 -o eight").code, 0);
  EXPECT_EQ(read("one/cells.csv"), read("eight/cells.csv"));
}

}  // namespace
}  // namespace armature::internal
