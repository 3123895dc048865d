#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature {
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
  EXPECT_THAT(answer.out, HasSubstr("projection does better"));
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

TEST_F(TuneVerb, RefusesWhatCannotBe) {
  EXPECT_EQ(armature("tune " + arm + " --refine -1").code, 2);
  EXPECT_THAT(armature("tune " + arm + " --alpha 1:2").err, HasSubstr("expected FROM:TO:COUNT"));
  EXPECT_THAT(armature("tune " + arm + " --weights 1").err, HasSubstr("expected C,D"));
  EXPECT_THAT(armature("tune " + arm + " --integrator ida").err, HasSubstr("chooses its own steps"));
}

}  // namespace
}  // namespace armature
