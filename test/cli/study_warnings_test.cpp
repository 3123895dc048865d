// Studies say what runs say: a motion whose energy balance is off is counted, named and marked in its cell.
#include <gmock/gmock.h>

#include <sstream>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class StudyWarnings : public Program {
 protected:
  StudyWarnings() { write("pendulum.yaml", pendulum); }

  // The last field of each row.
  std::vector<std::string> warnings(const std::string& file) {
    std::vector<std::string> list;
    std::istringstream in(read(file));
    for (std::string line; std::getline(in, line);) list.push_back(line.substr(line.rfind(',') + 1));
    return list;
  }
};

const char* const coarse = " --integrator euler --step 0.1 ";  // a pendulum gains much of its energy in a second

TEST_F(StudyWarnings, OfASweepAreCountedNamedAndInItsCells) {
  const Answer answer =
      armature(std::string("sweep pendulum.yaml --over length=1:2:5 --result 'x=max(theta)' -o s") + coarse);
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("warning: 5 of 5 motions would give a warning in a run:"),
                                HasSubstr("energy: 5, the first at length = 1: the energy balance is off by")));
  EXPECT_THAT(warnings("s/cells.csv"),
              testing::ElementsAre("warnings", "energy", "energy", "energy", "energy", "energy"));
  const auto result = json("s/result.json");
  EXPECT_EQ(result["warned"], 5);
  EXPECT_THAT(result["warnings"], SizeIs(1));
  EXPECT_EQ(result["warnings"][0]["code"], "energy");
  EXPECT_EQ(result["warnings"][0]["at"]["length"], 1);
  EXPECT_THAT(result["sentence"], HasSubstr("5 with warnings (energy)"));
  // the run of the first cell says the same
  ASSERT_EQ(armature(std::string("run pendulum.yaml -o r") + coarse).code, 0);
  EXPECT_EQ(json("r/run.json")["findings"][0]["code"], "energy");
}

TEST_F(StudyWarnings, AreNoneWhereMotionsAreGood) {
  const Answer answer = armature("sweep pendulum.yaml --over length=1:2:5 --result 'x=max(theta)' -o s");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(json("s/result.json")["warned"], 0);
  EXPECT_THAT(json("s/result.json")["warnings"], IsEmpty());
  const auto words = warnings("s/cells.csv");
  EXPECT_THAT(std::vector<std::string>(words.begin() + 1, words.end()), Each(std::string()));
}

TEST_F(StudyWarnings, HaveTheSameBytesInLanesAndAlone) {
  for (const char* options : {" --integrator euler --step 0.1", " --rtol 0.01", ""}) {
    const std::string sweep =
        "sweep pendulum.yaml --end 5 --over length=0.5:3:19 --result 'x=max(theta)' --restart" + std::string(options);
    ASSERT_EQ(armature(sweep + " --lanes 1 -o one").code, 0);
    ASSERT_EQ(armature(sweep + " --lanes 8 -o eight").code, 0);
    EXPECT_EQ(read("one/cells.csv"), read("eight/cells.csv")) << options;
  }
}

TEST_F(StudyWarnings, OfAMapAreInItsCells) {
  const Answer answer = armature(
      std::string("map pendulum.yaml --over length=1:2:3 --classify 'over: max(theta) > 4; under' -o m") + coarse);
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.err, HasSubstr("3 of 3 motions would give a warning in a run"));
  EXPECT_THAT(warnings("m/cells.csv"), testing::ElementsAre("warnings", "energy", "energy", "energy"));
  EXPECT_EQ(json("m/result.json")["warned"], 3);
}

TEST_F(StudyWarnings, OfAnOptimumStandBesideIt) {
  const Answer answer = armature(
      std::string("optimize pendulum.yaml --over length=1:2 --maximize 'max(theta)' --evaluations 10 -o o") + coarse);
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out,
              AllOf(HasSubstr("largest found: max(theta) = "), HasSubstr(", but the energy balance is off by")));
  EXPECT_EQ(json("o/result.json")["best_warnings"], "energy");
  EXPECT_GT(json("o/result.json")["warned"], 0);
}

// Gains are tuned for a step with which the motion itself is wrong.
TEST_F(StudyWarnings, OfTunedGainsStandBesideThem) {
  write("circle.yaml", R"(armature: 1
plane: xy
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1 kg, inertia: {zz: 1}}}
joints: {move: {type: planar, between: [ground, bob]}}
constraints: {rod: {type: prescribed, zero: "move.x^2 + move.y^2 - 1"}}
start: {keep: {move.x: 1, move.y: 0, move.angle: 0}}
simulate: {end: 5 s, record: 0.1 s}
)");
  const Answer answer = armature("tune circle.yaml --integrator euler --step 0.05 --alpha 1:20:6 --beta 1:100:6 -o t");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("warning: a run with these gains warns: the energy"));
  EXPECT_EQ(json("t/tune.json")["best_findings"][0]["code"], "energy");
}

// Fits and searches for singular poses run motions, too.
TEST_F(StudyWarnings, OfOtherVerbsThatRunMotionsAreThoseOfARun) {
  write("driven.yaml", R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {c: 1}
bodies: {r: {mass: 1, inertia: {zz: 1}}}
joints: {q: {type: revolute, between: [ground, r], friction: "-sin(t)*c"}}
start: {speed: {q: 2}}
simulate: {end: 3, record: 0.03}
)yaml");
  const std::string warning = "a friction is negative there and drives the motion";
  ASSERT_THAT(armature("run driven.yaml -o r --no-report").err, HasSubstr(warning));
  EXPECT_THAT(armature("identify driven.yaml r/trajectory.csv --use q --fit c -o i --no-report").err,
              HasSubstr("a run with these values warns: heat.friction decreases"));
  EXPECT_THAT(armature("singularities driven.yaml").err, HasSubstr(warning));
}

}  // namespace
}  // namespace armature::internal
