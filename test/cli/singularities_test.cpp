#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class SingularitiesVerb : public Program {
 protected:
  std::string model(const std::string& name) { return std::string(source_directory) + "/models/" + name + ".yaml"; }
};

TEST_F(SingularitiesVerb, NamesTheRankDropInWords) {
  const Answer answer = armature("singularities " + model("slider_crank_equal") + " --end 0.3 --moves slide -o found");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("1 true rank drop until"));
  EXPECT_THAT(answer.out, HasSubstr("slider can move along x"));
  EXPECT_THAT(answer.out, HasSubstr("(rank 1) at t = 0.26531"));
  EXPECT_EQ(json("found/singularities.json")["events"][1]["kind"], "rank drop");
  EXPECT_EQ(rows("found/motion.csv").size(), 61u);
}

// The angular velocities of ball joints are no coordinates: others are chosen where nothing is driven.
TEST_F(SingularitiesVerb, ChoosesCoordinatesThatItKnows) {
  const Answer answer = armature("singularities " + model("stewart") + " --end 0.01");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("leg3, leg4, leg5 (chosen)"));
  EXPECT_THAT(armature("singularities " + model("crane") + " --end 0.01").out,
              HasSubstr("1 active coordinate for 2 degrees of freedom: something can always move"));
}

TEST_F(SingularitiesVerb, MapsPoses) {
  const Answer answer = armature("singularities " + model("slider_crank") + " --over crank=0:2*pi:9 -o map");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("9 of 9 poses reachable"));
  EXPECT_EQ(rows("map/map.csv").size(), 9u);
}

// The start is a dead center, where the slide does not tell which way the crank goes on.
TEST_F(SingularitiesVerb, MapsFromASingularStart) {
  const Answer answer =
      armature("singularities " + model("slider_crank") + " --over slide=0.3:0.7:11 --moves slide -o map");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("11 of 11 poses reachable"));
  const auto curve = rows("map/curves.csv");
  EXPECT_EQ(curve.size(), 2u);  // both dead centers, |l1 - l2| and l1 + l2
}

// Bounds may have units and parameters.
TEST_F(SingularitiesVerb, TakesBoundsInUnits) {
  const std::string verb = "singularities " + model("slider_crank") + " --over ";
  ASSERT_EQ(armature(verb + "slide=0.4:0.6:5 -o plain").code, 0);
  ASSERT_EQ(armature(verb + "slide='400 mm':l1+0.4:5 -o units").code, 0);
  const auto plain = rows("plain/map.csv"), units = rows("units/map.csv");
  ASSERT_EQ(plain.size(), units.size());
  for (std::size_t k = 0; k < plain.size(); ++k) EXPECT_NEAR(plain[k][0], units[k][0], 1e-12);
}

class PoseSession : public SingularitiesVerb {
 protected:
  const std::string grid = "singularities " + model("rrr_motors") +
                           " --over platform.C.x=0:1.2:9 --over platform.C.y=-0.3:0.9:9 --hold platform_angle=0 "
                           "--moves platform.C.x,platform.C.y,platform_angle ";
  void expect_same(const std::string& a, const std::string& b) {
    expect_same_files(a, b, {"singularities.json", "map.csv", "curves.csv", "results.h5"});
  }
};

TEST_F(PoseSession, HasTheSameBytesForThreadsAndProcesses) {
  ASSERT_EQ(armature(grid + "--threads 1 -o one").code, 0);
  ASSERT_EQ(armature(grid + "--threads 3 -o three").code, 0);
  expect_same("one", "three");
  if (!has_mpirun()) GTEST_SKIP() << "there is no mpirun (package openmpi-bin)";
  expect_done_by_four_processes(grid + "-o four");
  expect_same("one", "four");
}

TEST_F(PoseSession, KilledAndResumedIsAsUndisturbed) {
  ASSERT_EQ(armature(grid + "-o whole").code, 0);
  killed(grid + "--threads 1 -o cut", "cut.partial", 5000);
  ASSERT_TRUE(exists("cut.partial/journal.0"));
  EXPECT_FALSE(exists("cut"));
  EXPECT_THAT(armature(grid + "-o cut").err, HasSubstr("--resume continues with them"));
  const Answer resumed = armature(grid + "-o cut --resume");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_THAT(resumed.out, HasSubstr("finished cells were found"));
  expect_same("whole", "cut");
}

TEST_F(SingularitiesVerb, RefusesWhatCannotBe) {
  EXPECT_THAT(armature("singularities " + model("slider_crank") + " --hold crank=1").err, HasSubstr("give --over"));
  EXPECT_THAT(armature("singularities " + model("slider_crank") + " --over crank=1").err,
              HasSubstr("expected FROM:TO:COUNT"));
  const auto refused = [&](const std::string& arguments, const std::string& sentence) {
    const Answer answer = armature("singularities " + model("slider_crank") + arguments);
    EXPECT_EQ(answer.code, 2) << arguments;
    EXPECT_THAT(answer.err, HasSubstr(sentence)) << arguments;
    EXPECT_FALSE(exists("results")) << arguments;
  };
  refused(" --active cranc", "--active cranc: is neither a coordinate nor a recorded quantity (did you mean 'crank'?)");
  refused(" --moves slid", "--moves slid: is neither a coordinate nor a recorded quantity (did you mean 'slide'?)");
  refused(" --over slyde=0:1:3", "--over slyde: unknown name 'slyde' (did you mean 'slide'?)");
  refused(" --over slide=0:1:3 --hold foo=1", "--hold foo: unknown name 'foo'");
  refused(" --resume", "--resume and --restart apply to maps of poses");
  refused(" --over slide='0.3 kg':0.6:3", "--over slide 0.3 kg:0.6:3: expected m, but '0.3 kg' is kg");
  refused(" --over crank='1 m':2:3", "expected a number without a dimension, but '1 m' is m");
  refused(" --over slide=0.3:0.6:3 --hold crank='1 s'", "--hold crank=1 s: expected a number without a dimension");
  refused(" --over slide=0.3:0.6:100000 --over crank=0:1:100000", "100000 x 100000 = 1e+10 cells would need about");
  const Answer none = armature("singularities " + model("slider_crank") + " --over slide=2:3:3");
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("the loops close at no pose of the grid"));
  EXPECT_FALSE(exists("results/slider_crank_singularities.partial"));
}

}  // namespace
}  // namespace armature::internal
