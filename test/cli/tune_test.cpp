#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class TuneVerb : public Program {
 protected:
  const std::string arm = std::string(source_directory) + "/models/arm_on_circle.yaml";
};

TEST_F(TuneVerb, WritesMapsThatAPictureCanBeMadeOf) {
  const Answer answer =
      armature("tune " + arm + " --integrator euler --step 0.1 --end 10 --alpha 2:20:4 --beta 2:20:3 -o gains");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("corners: (0, 0) (4, 4) (2, 0)"));
  EXPECT_THAT(answer.out, HasSubstr("projection is better"));
  const auto result = json("gains/tune.json");
  EXPECT_EQ(result["grids"][0]["alpha"].size(), 4u);
  EXPECT_EQ(result["grids"][0]["E1"].size(), 3u);
  EXPECT_EQ(result["grids"][0]["E1"][0].size(), 4u);
  EXPECT_EQ(rows("gains/tune.csv").size(), 12u);
  EXPECT_GT(rows("gains/stability_region.csv").size(), 50u);
}

TEST_F(TuneVerb, RefinesInsideTheRange) {
  const Answer answer =
      armature("tune " + arm + " --integrator rk4 --step 0.1 --end 1 --alpha 1:3:3 --beta 1:3:3 --refine 2 -o gains");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("pairs, refined 2 times around it"));
  const auto result = json("gains/tune.json");
  ASSERT_EQ(result["grids"].size(), 3u);
  for (const auto& grid : result["grids"])
    for (const char* gain : {"alpha", "beta"})
      for (const double value : grid[gain]) {
        EXPECT_GE(value, 1);
        EXPECT_LE(value, 3);
      }
}

// Killed and resumed, in threads and in processes, the bytes are the same.
class TuneSession : public TuneVerb {
 protected:
  const std::string grid =
      "tune " + arm + " --integrator euler --step 0.01 --end 5 --alpha 1:40:20 --beta 1:200:10 --refine 1 ";
  void expect_same(const std::string& a, const std::string& b) {
    expect_same_files(a, b, {"tune.json", "tune.csv", "tune_refined_1.csv", "stability_region.csv", "results.h5"});
  }
};

// With a card the same bytes, without one a sentence.
TEST_F(TuneSession, OnAGpu) {
  if (!runs_on_gpu(armature(grid + "--gpu -o card"), "card")) return;
  ASSERT_EQ(armature(grid + "-o one").code, 0);
  expect_same("one", "card");
}

TEST_F(TuneSession, HasTheSameBytesForThreadsAndProcesses) {
  ASSERT_EQ(armature(grid + "--threads 1 -o one").code, 0);
  ASSERT_EQ(armature(grid + "--threads 3 -o three").code, 0);
  expect_same("one", "three");
  EXPECT_EQ(json("one/tune.json")["model"]["name"], "arm on a circle");
  if (!has_mpirun()) GTEST_SKIP() << "there is no mpirun (package openmpi-bin)";
  expect_done_by_four_processes(grid + "-o four");
  expect_same("one", "four");
}

TEST_F(TuneSession, KilledAndResumedIsAsUndisturbed) {
  ASSERT_EQ(armature(grid + "-o whole").code, 0);
  killed(grid + "--threads 1 -o cut", "cut.partial", 400);  // a header of 16 bytes, 40 a run
  ASSERT_TRUE(exists("cut.partial/journal.0"));
  EXPECT_FALSE(exists("cut"));
  EXPECT_THAT(armature(grid + "-o cut").err, HasSubstr("--resume continues with them"));
  EXPECT_THAT(armature(grid + "-o cut --resume --weights 1,0").err,
              HasSubstr("holds cells of another job: --weights was '0.5,0.5', is '1,0'; --restart"));
  const Answer resumed = armature(grid + "-o cut --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("finished cells were found"));
  expect_same("whole", "cut");
}

TEST_F(TuneVerb, TakesTheStepOfAPairWithoutErrorControl) {
  const Answer answer =
      armature("tune " + arm + " --integrator dopri5 --step 0.05 --end 1 --alpha 1:3:2 --beta 1:3:2 -o g");
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(json("g/tune.json")["step"], 0.05);
}

// Euler's steps are far too long for the gains: all runs are lost, and that is no success.
TEST_F(TuneVerb, FailsWhereNoGainsKeepTheMotion) {
  const Answer answer =
      armature("tune " + arm + " --integrator euler --step 0.1 --end 40 --alpha 500:900:3 --beta 9e5:9e6:3 -o g");
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.out, HasSubstr("none of the 9 pairs of gains keeps the motion"));
  EXPECT_EQ(json("g/tune.json")["status"], "failed");
}

TEST_F(TuneVerb, SaysThatNoGainsDoAsWell) {
  const Answer answer =
      armature("tune " + arm + " --integrator rk4 --step 1e-3 --end 0.02 --alpha 0:50:3 --beta 0:500:3 -o g");
  EXPECT_THAT(answer.out, HasSubstr("No stabilization has the same e"));
}

TEST_F(TuneVerb, RefusesWhatCannotBe) {
  EXPECT_EQ(armature("tune " + arm + " --refine -1").code, 2);
  EXPECT_THAT(armature("tune " + arm + " --alpha 1:2").err, HasSubstr("expected FROM:TO:COUNT"));
  EXPECT_THAT(armature("tune " + arm + " --weights 1").err, HasSubstr("expected C,D"));
  EXPECT_THAT(armature("tune " + arm + " --weights 1,inf").err, HasSubstr("'inf' is not a weight"));
  EXPECT_THAT(armature("tune " + arm + " --alpha -5:5:3").err, HasSubstr("gains must not be negative"));
  EXPECT_THAT(armature("tune " + arm + " --integrator euler --step 5 --end 1").err,
              HasSubstr("the step of 5 s is longer than the motion of 1 s"));
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature("tune " + arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << arguments;
    EXPECT_FALSE(exists("results")) << arguments;
  };
  refused(arm + " --integrator ida", "--integrator ida: chooses its own steps");
  refused(arm + " --weights 0,0", "one of them must not be zero");
  refused(arm + " --of cirkle",
          "--of cirkle: unknown name 'cirkle'; the constraints are circle (did you mean 'circle'?)");
  refused(std::string(source_directory) + "/models/two_joint_arm.yaml", "the model has no constraints");
}

}  // namespace
}  // namespace armature::internal
