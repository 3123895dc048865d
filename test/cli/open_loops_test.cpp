// Loops that open, as the program's user sees them: in the text, in run.json, in the report and in the exit code.

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/four_bar_models.hpp"

namespace armature::internal {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

class OpenLoops : public Program {};

TEST_F(OpenLoops, KinematicsEndsWhereTheMachineCannotReach) {
  write("short.yaml", "armature: 1\nname: short\n" + short_four_bar + R"(
start: {keep: {A: 30 deg}, near: {D: 150 deg}}
simulate: {end: 2 s}
)");
  const Answer answer = armature("kinematics short.yaml --move A='0.5+0.3*t' --end 2 --record 0.01 -o k");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("the mechanism reaches its limit at t = 1.98"));
  EXPECT_THAT(answer.out, HasSubstr("everything recorded before that is kept"));
  EXPECT_THAT(rows("k/trajectory.csv"), SizeIs(199));
  EXPECT_EQ(json("k/run.json")["status"], "failed");
}

TEST_F(OpenLoops, DriftThatMattersFailsInEveryAnswer) {
  write("rod.yaml", R"(armature: 1
name: rod
plane: xy
gravity: [0, -9.81, 0]
bodies: {bob: {mass: 1, inertia: {zz: 0.01}}}
joints: {fly: {type: planar, between: [ground, bob]}}
constraints: {rod: {type: distance, between: [ground, bob], length: 1 m}}
start: {keep: {fly.x: 1, fly.angle: 0}}
simulate: {end: 2 s, record: 10 ms, integrator: euler, step: 10 ms, stabilization: none}
)");
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

}  // namespace
}  // namespace armature::internal
