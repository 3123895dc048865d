// Loops that open, as the program's user sees them: in the text, in run.json, in the report and in the exit code.

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/four_bar_models.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class OpenLoops : public Program {};

TEST_F(OpenLoops, KinematicsEndsWhereTheMachineCannotReach) {
  write("short.yaml", "armature: 1\nname: short\n" + short_four_bar + R"(
start: {keep: {A: 30 deg}, near: {D: 150 deg}}
simulate: {end: 2 s}
)");
  const Answer answer = armature("kinematics short.yaml --move A='0.5+0.3*t' --end 2 --record 0.01 -o k");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the prescribed motion cannot be followed past t = 1.98"));
  EXPECT_THAT(answer.out, HasSubstr("everything recorded before that is kept"));
  EXPECT_THAT(rows("k/trajectory.csv"), SizeIs(199));
  EXPECT_EQ(json("k/run.json")["status"], "failed");
}

// A bob on a rod, held by a constraint, by Euler's method: the rod grows by a tenth in 2 s.
std::string drifting_rod(const std::string& more) {
  return R"(armature: 1
name: rod
plane: xy
gravity: [0, -9.81, 0]
parameters: {length: 1 m}
bodies: {bob: {mass: 1, inertia: {zz: 0.01}}}
joints: {fly: {type: planar, between: [ground, bob]}}
constraints: {rod: {type: distance, between: [ground, bob], length: length}}
start: {near: {fly.x: length}, keep: {fly.y: 0, fly.angle: 0}}
simulate: {end: 2 s, record: 10 ms, integrator: euler, step: 10 ms)" +
         more + "}\n";
}

TEST_F(OpenLoops, DriftThatMattersFailsInEveryAnswer) {
  write("rod.yaml", drifting_rod(", stabilization: none"));
  const Answer text = armature("run rod.yaml -o r");
  EXPECT_EQ(text.code, 1);
  EXPECT_THAT(text.err,
              AllOf(HasSubstr("reached t = 2 s, but the constraints are violated: rod"), HasSubstr("at t = ")));
  const auto run = json("r/run.json");
  EXPECT_EQ(run["status"], "failed");
  EXPECT_EQ(run["findings"].back()["code"], "constraint");
  EXPECT_THAT(rows("r/trajectory.csv"), SizeIs(201));
  EXPECT_THAT(read("r/report.html"), AllOf(HasSubstr("failed"), HasSubstr("the constraints are violated: rod")));
  const Answer answer = armature("run rod.yaml --json -o r");
  EXPECT_EQ(answer.code, 1);
  EXPECT_EQ(nlohmann::json::parse(answer.out)["status"], "failed");
}

// As papers on drift need it: the rows, a warning, and success.
TEST_F(OpenLoops, DriftThatIsAcceptedIsAWarning) {
  write("file.yaml", drifting_rod(", stabilization: {baumgarte: {alpha: 1, beta: 1}}, drift: accept"));
  write("rod.yaml", drifting_rod(""));
  for (const std::string command : {"run file.yaml -o r", "run rod.yaml --stabilization none --accept-drift -o r"}) {
    const Answer answer = armature(command);
    EXPECT_EQ(answer.code, 0) << command << answer.err;
    EXPECT_THAT(answer.err, AllOf(HasSubstr("warning: the constraints are violated: rod"),
                                  HasSubstr("the run accepts it"), Not(HasSubstr("use stabilization"))));
    const auto run = json("r/run.json");
    EXPECT_EQ(run["status"], "finished");
    EXPECT_EQ(run["findings"].back()["code"], "open_constraint");
    EXPECT_THAT(rows("r/trajectory.csv"), SizeIs(201));
  }
}

TEST_F(OpenLoops, StudiesAcceptDriftToo) {
  write("rod.yaml", drifting_rod(""));
  const std::string study = "sweep rod.yaml --over length=1:1.2:2 --result 'x=final(fly.x)' --stabilization none ";
  EXPECT_EQ(armature(study + "-o fails").code, 1);
  const Answer answer = armature(study + "--accept-drift -o s");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.err, HasSubstr("2 of 2 motions would give a warning in a run"));
  EXPECT_EQ(json("s/result.json")["failed"], 0);
  EXPECT_THAT(json("s/result.json")["command"].get<std::string>(), HasSubstr("--accept-drift"));
}

// Nothing opens with projection, so that the wish is a mistake.
TEST_F(OpenLoops, DriftIsAcceptedOnlyWithoutProjection) {
  write("rod.yaml", drifting_rod(""));
  write("file.yaml", drifting_rod(", drift: accept"));
  for (const std::string command : {"run rod.yaml --accept-drift", "run file.yaml"}) {
    const Answer answer = armature(command);
    EXPECT_EQ(answer.code, 2) << command;
    EXPECT_THAT(answer.err, HasSubstr("projection leaves no drift to accept"));
  }
}

}  // namespace
}  // namespace armature::internal
