// armature map as its user sees it: classes, boundaries, threads, processes, interruptions.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class Map : public Program {
 protected:
  const std::string press = std::string(source_directory) + "/models/press.yaml";
  const std::string classes =
      " --classify 'never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped' ";
  // 42 motions of 40 s
  const std::string small = "map " + press + " --over phi0=0:2*pi:7 --over phi.v=-3:3:6 --rtol 1e-6" + classes;

  void expect_same(const std::string& a, const std::string& b) {
    expect_same_files(a, b, {"cells.csv", "borders.csv", "results.h5", "result.json"});
  }
};

TEST_F(Map, ClassifiesAndSaysHowMany) {
  const Answer answer = armature(small + "--json -o m");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto result = nlohmann::json::parse(answer.out);
  EXPECT_EQ(result["counts"], json("m/result.json")["counts"]);
  // (pi, 0.6) rests, (pi, 3) turns for good, (0, 3) turns: each alone by `run`, see the cases of the press
  const auto cells = rows("m/cells.csv");
  ASSERT_THAT(cells, SizeIs(42));
  EXPECT_EQ(cells[3 * 6 + 3][0], M_PI);
  EXPECT_NEAR(cells[3 * 6 + 3][1], 0.6, 1e-12);
  EXPECT_EQ(cells[3 * 6 + 3][3], 0);
  EXPECT_EQ(cells[3 * 6 + 5][3], 1);
  EXPECT_EQ(json("m/result.json")["model"]["text"], [&] {
    std::ifstream in(press);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }());
}

// From phi0 = pi a full turn takes more than 1.28674 rad/s under constant torque: the number of an independent build.
TEST_F(Map, RefinesABoundary) {
  const Answer answer = armature("map " + press +
                                 " --set phi0=pi --set ripple=0 --over w0=0:3:31 --classify 'turns: turns(phi) >= 1; "
                                 "rests' --refine 10 -o m");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto borders = rows("m/borders.csv");
  ASSERT_THAT(borders, SizeIs(1));
  EXPECT_NEAR(borders[0][0], 1.28674, 1e-4);
  EXPECT_THAT(read("m/borders.csv"), HasSubstr(",rests,turns\n"));
  EXPECT_THAT(rows("m/cells.csv"), SizeIs(31 + 10));
  EXPECT_THAT(answer.out, HasSubstr("border at w0 = 1.286"));
  if (exists("m/report.html")) {
    EXPECT_THAT(read("m/report.html"), HasSubstr("rests | turns"));
  }
  EXPECT_THAT(answer.out, HasSubstr(" ± 5e-05: rests | turns\n"));
}

TEST_F(Map, HasTheSameBytesForAnyNumberOfThreads) {
  for (const char* threads : {"1", "2", "4"})
    ASSERT_EQ(armature(small + "--refine 1 --threads " + threads + " -o t" + threads).code, 0);
  expect_same("t1", "t2");
  expect_same("t1", "t4");
}

// With a card the same bytes, without one a sentence.
TEST_F(Map, OnAGpu) {
  const std::string grid = "map " + std::string(source_directory) +
                           "/models/four_bar.yaml --over crank_angle.v=-9:9:10 --classify 'over: turns(crank_angle) >= "
                           "1; rests' --refine 1 ";
  if (!runs_on_gpu(armature(grid + "--gpu -o card"), "card")) return;
  ASSERT_EQ(armature(grid + "-o one").code, 0);
  expect_same("one", "card");
}

TEST_F(Map, HasTheSameBytesForFourProcesses) {
  if (!has_mpirun()) GTEST_SKIP() << "there is no mpirun (package openmpi-bin)";
  ASSERT_EQ(armature(small + "--refine 1 -o one").code, 0);
  expect_done_by_four_processes(small + "--refine 1 -o four");
  expect_same("one", "four");
}

TEST_F(Map, KilledAndResumedIsAsUndisturbed) {
  ASSERT_EQ(armature(small + "-o whole").code, 0);
  // the journal has a header of 16 bytes and 56 a cell: killed with some cells done, and not all
  killed(small + "--threads 1 -o cut", "cut.partial", 200);
  ASSERT_TRUE(exists("cut.partial/journal.0"));
  EXPECT_FALSE(exists("cut"));

  const Answer refused = armature(small + "-o cut");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--resume continues with them"));
  const Answer other = armature(small + "-o cut --resume --set l2=3.6");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("holds cells of another job: --set l2 was not given, is '3.6'; --restart"));

  const Answer resumed = armature(small + "-o cut --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("finished cells were found"));
  EXPECT_THAT(resumed.out, HasSubstr("finished cells were found"));
  expect_same("whole", "cut");
  EXPECT_FALSE(exists("cut.partial"));
}

// The text of the model is the same, what it reads is not.
TEST_F(Map, GoesOnWithTheSameTablesOnly) {
  write("push.csv", "angle,torque\n-1,1\n1,-1\n");
  write("pushed.yaml", R"yaml(armature: 1
plane: xy
gravity: [0, 0, 0]
parameters: {v0: 1}
tables:
  push: {file: push.csv}
bodies:
  arm: {mass: 1 kg, inertia: {rod: 1 m}}
joints:
  phi: {type: revolute, between: [ground, arm]}
forces:
  pushed: {type: effort, on: phi, is: push(phi)}
start: {speed: {phi: v0}}
simulate: {end: 100 s, rtol: 1e-10}
)yaml");
  const std::string cells =
      "map pushed.yaml --over v0=1:2:400 --classify 'far: max(phi) > 1; near' --threads 1 -o cut ";
  killed(cells, "cut.partial", 400);
  ASSERT_TRUE(exists("cut.partial/journal.0"));
  write("push.csv", "angle,torque\n-1,1\n1,-1.5\n");
  const Answer other = armature(cells + "--resume");
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("another job: the numbers of table 'push' differ"));
}

TEST_F(Map, InterruptedKeepsWhatIsDone) {
  const std::string longer = "map " + press + " --over phi.v=-3:3:600" + classes + "-o cut ";
  const Answer stopped = killed(longer + "--threads 2", "cut.partial", 100, "INT");
  EXPECT_EQ(stopped.code, 1);
  EXPECT_THAT(stopped.err, HasSubstr("of 600 cells are done and kept in cut.partial"));
  // a header of 16 bytes, 56 a cell: as many as it says
  const long kept = (static_cast<long>(read("cut.partial/journal.0").size()) - 16) / 56;
  EXPECT_THAT(stopped.err, HasSubstr("stopped: " + std::to_string(kept) + " of 600 cells"));
}

TEST_F(Map, ProcessesThatDieLoseNothing) {
  if (!has_mpirun()) GTEST_SKIP() << "there is no mpirun (package openmpi-bin)";
  const std::string longer = "map " + press + " --over phi.v=-3:3:300 --rtol 1e-6" + classes;
  ASSERT_EQ(armature(longer + "-o whole").code, 0);
  // the process of rank 1 is killed with the first cells of its journal
  write(
      "dies.sh",
      "[ \"$OMPI_COMM_WORLD_RANK\" = 1 ] || exec \"$@\"\n\"$@\" &\n"
      "for i in $(seq 1000); do [ \"$(stat -c %s d.partial/journal.1 2>/dev/null || echo 0)\" -gt 16 ] && break; sleep "
      "0.01; done\nkill -KILL $!\nkill -KILL $$\n");
  const Answer dead = shell(mpirun(3) + "sh dies.sh " + program_path + " " + longer + "-o d");
  EXPECT_NE(dead.code, 0);
  if (!exists("d")) {  // mpirun has ended the others; else they were faster, and have done its cells as well
    EXPECT_TRUE(exists("d.partial/journal.1"));
    ASSERT_EQ(armature(longer + "-o d --resume").code, 0);
  }
  expect_same("whole", "d");

  shell("rm -r d");
  shell(mpirun(3, "--enable-recovery") + "sh dies.sh " + program_path + " " + longer + "-o d");
  expect_same("whole", "d");  // the others have done its cells
}

TEST_F(Map, RefusesWhatItDoesNotUnderstand) {
  write("pendulum.yaml", pendulum);
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature("map pendulum.yaml " + arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << arguments;
    EXPECT_FALSE(exists("results")) << arguments;
  };
  const std::string up = " --classify 'up: max(theta) > 1; down'";
  refused(up, "--over NAME=FROM:TO:COUNT is missing");
  refused("--over lenght=1:2:3" + up,
          "'lenght' is not a parameter, an input, a coordinate or its rate (did you mean 'length'?)");
  refused("--over length=1:2" + up, "--over length=1:2: expected NAME=FROM:TO:COUNT");
  refused("--over length" + up, "--over length: expected NAME=FROM:TO:COUNT");
  refused("--over length=1:1:3" + up, "all 3 values are the same");
  refused("--over length=0.1:0.2:3 --classify 'up: at(theta, length) > 1; down'",
          "the time of at(…) must be one for all motions, but length varies");
  refused("--over length=1:2:2.5" + up, "'2.5' is not a count");
  refused("--over length=1:x:2" + up, "unknown name 'x'");
  refused("--over length=1:2:3 --over length=1:2:3" + up, "'length' is varied twice");
  refused("--over length=1:2:3 --classify 'up: theta > 1'", "'theta' changes during the motion");
  refused("--over length=1:2:3 --classify 'up: max(thata) > 1'", "--classify: unknown name 'thata'");
  refused("--over length=1:2:3 --classify 'up: max(theta)'", "is a number, not a condition");
  refused("--over length=1:2:3 --classify 'failed: max(theta) > 1'", "the name 'failed' is reserved");
  refused("--over length='1 kg':2:3" + up, "--over length=1 kg:2:3: ");
  refused("--over theta='1 m':2:3" + up, "expected a number without a dimension, but '1 m' is m");
  refused("--over theta.v='1 m':2:3" + up, "expected 1/s, but '1 m' is m");
  refused("--over length=1:2:3 --classify 'up: max(theta) > 1 kg'", "--classify: compares 1 with kg");
  refused("--over length=1:2:3 --classify 'up: first(theta > 1) < 1 m'", "--classify: compares s with m");
  refused("--over length=1:2:100000 --over theta=0:1:100000" + up, "100000 x 100000 = 1e+10 cells would need about");
  refused("--over length=1:2:3", "--classify CLASSES is missing");
}

TEST_F(Map, ClassesWithoutALastHaveANameForTheRest) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("map pendulum.yaml --over length=1:2:3 --classify 'other: max(theta) > 1' -o m");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(json("m/result.json")["classes"], nlohmann::json({"other", "any other"}));
}

// A file could not have a rod of negative length, nor may a cell.
TEST_F(Map, RefusesValuesThatTheFileCouldNotHave) {
  std::string text = pendulum;
  text.replace(text.find("length: 1 m"), 11, "length: 1 m, m: 1 kg");
  text.replace(text.find("mass: 1 kg"), 10, "mass: m");
  write("pendulum.yaml", text);
  const std::string up = " --classify 'up: max(theta) > 1; down'";
  const Answer answer = armature("map pendulum.yaml --over m=-1:3:3" + up);
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("--over: the model cannot be built with m = -1: "));
  EXPECT_EQ(armature("optimize pendulum.yaml --over m=-1:2 --minimize 'final(theta)'").code, 2);
  EXPECT_EQ(armature("map pendulum.yaml --over m=1:2:4" + up + " -o m").code, 0);
}

// The end of the crank cannot come nearer than 2 m to (3, 0).
const char* const loop = R"(armature: 1
name: loop
gravity: [0, -9.81, 0]
plane: xy
parameters: {reach: 2 m}
bodies:
  crank: {mass: 1 kg, center: [0.5, 0, 0], inertia: {zz: 1}}
joints:
  a: {type: revolute, between: [ground, crank]}
constraints:
  rod: {type: distance, between: ["crank [1, 0, 0]", "ground [3, 0, 0]"], length: reach}
simulate: {end: 0.1 s}
)";

TEST_F(Map, CountsMotionsThatFailAndSaysWhy) {
  write("loop.yaml", loop);
  const std::string map = "map loop.yaml --classify 'moves: max(a) > -1; no' --over ";
  const Answer answer = armature(map + "reach=1.2:3:4 --refine 1 -o m");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(json("m/result.json")["counts"]["failed"], 2);
  // reach = 1.2, 1.8 of the grid; 2.1 between 1.8 and 2.4 closes
  EXPECT_EQ(json("m/result.json")["cells"], 5);
  EXPECT_EQ(json("m/result.json")["failed"], 2);
  EXPECT_THAT(answer.err, HasSubstr("2 of 5 motions failed:\n  2, the first at reach = 1.2: the loops do not close"));

  const Answer refined = armature(map + "reach=1.2:3:2 --refine 2 -o r");  // 2.1, then 1.65
  EXPECT_EQ(json("r/result.json")["counts"]["failed"], 1);
  EXPECT_EQ(json("r/result.json")["failed"], 2);
  EXPECT_THAT(refined.err, HasSubstr("2 of 4 motions failed"));

  const Answer none = armature(map + "reach=0.1:0.3:3 -o n");
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(json("n/result.json")["status"], "failed");
  EXPECT_THAT(none.err, HasSubstr("3 of 3 motions failed"));
}

// One of four processes says what is wrong with the command line or the file.
TEST_F(Map, ProcessesRefuseOnce) {
  if (!has_mpirun()) GTEST_SKIP() << "there is no mpirun (package openmpi-bin)";
  write("loop.yaml", loop);
  const auto times = [&](const std::string& arguments, const std::string& sentence) {
    const std::string said = shell(mpirun(4) + program_path + " map " + arguments).err;
    int count = 0;
    for (auto at = said.find(sentence); at != std::string::npos; at = said.find(sentence, at + 1)) ++count;
    return count;
  };
  EXPECT_EQ(times("loop.yaml --over raech=1:2:3 --classify 'a: max(a) > 0; b'", "'raech' is not a parameter"), 1);
  EXPECT_EQ(times("loop.yaml --over reach=1:2:3", "--classify CLASSES is missing"), 1);
  EXPECT_EQ(times("none.yaml --over reach=1:2:3 --classify 'a: max(a) > 0; b'", "there is no such file"), 1);
}

}  // namespace
}  // namespace armature::internal
