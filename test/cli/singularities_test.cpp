#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature {
namespace {

using testing::HasSubstr;

class SingularitiesVerb : public Program {
 protected:
  std::string model(const std::string& name) { return std::string(source_directory) + "/models/" + name + ".yaml"; }
};

TEST_F(SingularitiesVerb, NamesTheRankDropInWords) {
  const Answer answer = armature("singularities " + model("slider_crank_equal") + " --end 0.3 --moves slide -o found");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("1 true rank drops"));
  EXPECT_THAT(answer.out, HasSubstr("slider can move along x"));
  EXPECT_EQ(json("found/singularities.json")["events"][0]["kind"], "rank drop");
  EXPECT_EQ(rows("found/motion.csv").size(), 61u);
}

TEST_F(SingularitiesVerb, MapsPoses) {
  const Answer answer = armature("singularities " + model("slider_crank") + " --over crank=0:2*pi:9 -o map");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("9 of 9 poses are within reach"));
  EXPECT_EQ(rows("map/map.csv").size(), 9u);
}

TEST_F(SingularitiesVerb, RefusesWhatCannotBe) {
  EXPECT_THAT(armature("singularities " + model("slider_crank") + " --hold crank=1").err, HasSubstr("give --over"));
  EXPECT_THAT(armature("singularities " + model("slider_crank") + " --over crank=1").err,
              HasSubstr("expected FROM:TO:COUNT"));
  EXPECT_THAT(armature("singularities " + model("slider_crank") + " --active cranc").err,
              HasSubstr("(did you mean 'crank'?)"));
}

}  // namespace
}  // namespace armature
