#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

// A parallelogram would be singular; this four-bar is not. Lengths in m.
const char* const four_bar = R"(armature: 1
name: four-bar
plane: xy
gravity: [0, -9.81, 0]
bodies:
  link1: {mass: 1, center: [0.15, 0, 0], inertia: {zz: 0.01}}
  link2: {mass: 1, center: [0.5, 0, 0], inertia: {zz: 0.1}}
  link3: {mass: 1, center: [0.4, 0, 0], inertia: {zz: 0.05}}
joints:
  a: {type: revolute, axis: z, between: [ground, link1]}
  b: {type: revolute, axis: z, between: ["link1 [0.3, 0, 0]", link2]}
  c: {type: revolute, axis: z, between: ["link2 [1, 0, 0]", "link3 [0.8, 0, 0]"], cut: true}
  d: {type: revolute, axis: z, between: ["ground [1, 0, 0]", link3]}
start: {keep: {a: 90 deg}, near: {d: 100 deg}}
simulate: {end: 1 s}
)";

class Inspect : public Program {
 protected:
  Inspect() { write("four_bar.yaml", four_bar); }
};

TEST_F(Inspect, CheckNamesBodiesJointsCutsAndFreedoms) {
  const Answer answer = armature("check four_bar.yaml --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto report = nlohmann::json::parse(answer.out);
  EXPECT_EQ(report["bodies"], (std::vector<std::string>{"link1", "link2", "link3"}));
  EXPECT_EQ(report["degrees_of_freedom"], 1);
  EXPECT_EQ(report["constraints"], 2);
  EXPECT_EQ(report["joints"][2]["name"], "c");
  EXPECT_EQ(report["joints"][2]["cut"], true);
  EXPECT_THAT(report["redundant"], SizeIs(0));
  EXPECT_THAT(
      armature("check four_bar.yaml").out,
      HasSubstr("degrees of freedom: 1 (3 coordinates, 2 independent constraints)\nredundant constraints: none"));
}

TEST_F(Inspect, AssembleKeepsWhatItMustAndClosesTheLoop) {
  const Answer answer = armature("assemble four_bar.yaml --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto q = nlohmann::json::parse(answer.out)["start"]["q"];
  const double a = q["a"], d = q["d"], b = q["b"];
  EXPECT_EQ(a, std::acos(0));
  // tip of the coupler and tip of the rocker; 1e-12 m: Newton's method ends at round-off
  EXPECT_NEAR(0.3 * std::cos(a) + std::cos(a + b), 1 + 0.8 * std::cos(d), 1e-12);
  EXPECT_NEAR(0.3 * std::sin(a) + std::sin(a + b), 0.8 * std::sin(d), 1e-12);
}

TEST_F(Inspect, AssembleFindsBothBranchesOfAFourBar) {
  const Answer answer = armature("assemble four_bar.yaml --all --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto branches = nlohmann::json::parse(answer.out)["branches"];
  ASSERT_THAT(branches, SizeIs(2));
  EXPECT_GT(branches[0]["q"]["d"], 0.0);  // near 100 deg: the first
  EXPECT_LT(std::sin(branches[1]["q"]["d"].get<double>()), 0.0);

  ASSERT_EQ(armature("run four_bar.yaml --branch 2 --end 0.01 -o second").code, 0);
  EXPECT_EQ(json("second/run.json")["start"]["q"], branches[1]["q"]);
  EXPECT_EQ(armature("run four_bar.yaml --branch 3").code, 2);
}

TEST_F(Inspect, AssembleRefusesALoopThatCannotClose) {
  std::string open = four_bar;
  open.replace(open.find("ground [1, 0, 0]"), 16, "ground [2, 0, 0]");
  write("open.yaml", open);
  for (const char* verb : {"assemble", "run"}) {
    const Answer answer = armature(std::string(verb) + " open.yaml");
    EXPECT_EQ(answer.code, 1) << verb;
    // from the crank's tip (0, 0.3) to the ground (2, 0) it is sqrt(4.09) m, and the two links reach 1.8 m
    EXPECT_THAT(answer.err, HasSubstr("c by 222.4 mm stays open")) << verb;
  }
  EXPECT_FALSE(exists("results"));
}

TEST_F(Inspect, KinematicsMovesACoordinateByAFormula) {
  const Answer answer = armature("kinematics four_bar.yaml --move a='pi/2 + 2*pi*t' --end 1 --record 0.25 -o k");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto table = rows("k/trajectory.csv");
  ASSERT_THAT(table, SizeIs(5));
  for (std::size_t i = 0; i < table.size(); ++i)
    EXPECT_NEAR(table[i].at(1), std::acos(0) * double(1 + i), 1e-12) << i;  // Newton's method ends at round-off
  EXPECT_NEAR(table.back()[1] - table.front()[1], 4 * std::acos(0), 1e-12);
}

TEST_F(Inspect, KinematicsRecordsOnlyWhatItKnows) {
  armature("kinematics four_bar.yaml --move a=t --end 0.1 --record 0.1 -o k");
  EXPECT_THAT(read("k/trajectory.csv"), Not(HasSubstr("nan")));
  EXPECT_THAT(read("k/trajectory.csv"), Not(HasSubstr("lambda")));
}

// No voltage moves the crank: what the motor would draw at the terminals' voltage has nothing to do with this motion.
TEST_F(Inspect, KinematicsLeavesOutWhatMotorsDrawAndReactions) {
  write("driven.yaml",
        std::string(four_bar) +
            "drives:\n  m: {type: dc_motor, on: a, torque_constant: 0.1, resistance: 1, voltage: 180, inductance: "
            "1 mH, gear_ratio: 3}\ncontrollers: {servo: {type: pid, measure: a, target: 1, kp: 1, ki: 2}}\n"
            "record: {reactions: [c], quantities: {twice: 2*a, drawn: m.current^2}}\n");
  const Answer answer = armature("kinematics driven.yaml --move a=t --end 0.1 --record 0.1 -o k");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const std::string table = read("k/trajectory.csv"), header = table.substr(0, table.find('\n'));
  for (const char* kept : {"m.speed", "twice", "energy.kinetic", "energy.potential", "constraint"})
    EXPECT_THAT(header, HasSubstr(kept));
  for (const char* left_out :
       {"m.current", "m.voltage", "m.torque", "m.power", "work.", "heat.", "energy.magnetic", "servo", "drawn", "c.fx"})
    EXPECT_THAT(header, Not(HasSubstr(left_out))) << left_out;
  EXPECT_THAT(answer.err,
              HasSubstr("warning: record.reactions: kinematics computes no forces, so it records no reactions; "
                        "'armature inverse' finds the reactions of a prescribed motion"));
  const auto row = rows("k/trajectory.csv").back();
  EXPECT_EQ(row.size(), static_cast<std::size_t>(1 + std::count(header.begin(), header.end(), ',')));
}

TEST_F(Inspect, CheckWarnsOfNegativeDamping) {
  std::string active = four_bar;
  active.replace(active.find("link1]}"), 7, "link1], damping: -0.5}");
  write("active.yaml", active);
  EXPECT_THAT(armature("check active.yaml").out, HasSubstr("warning: joints.a.damping (-0.5) is negative"));
}

TEST_F(Inspect, KinematicsRefusesACoordinateThatDoesNotExist) {
  const Answer answer = armature("kinematics four_bar.yaml --move crank=t");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("'crank'"));
}

}  // namespace
}  // namespace armature::internal
