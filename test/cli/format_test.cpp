#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

class Format : public Program {
 protected:
  std::string printed(const std::string& arguments) {
    const Answer answer = armature("format " + arguments);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return answer.out;
  }
};

TEST_F(Format, ListsTheSections) {
  EXPECT_THAT(printed(""), HasSubstr("joints: one axis                    revolute, prismatic, cylindrical"));
}

TEST_F(Format, ExplainsASection) {
  const std::string joints = printed("joints");
  EXPECT_THAT(joints, HasSubstr("\njoints: two axes (universal)\n"));
  EXPECT_THAT(joints, HasSubstr("  damping    viscous damping coefficient\n"
                                "             number, N*m*s or N*s/m, may change with t and the motion; default: 0\n"));
  EXPECT_THAT(printed("universal"), Not(HasSubstr("no axis")));
}

TEST_F(Format, ExplainsAKey) {
  EXPECT_EQ(printed("back_emf_constant"),
            "drives: dc_motor (DC motor with a gear)\n"
            "  back_emf_constant  voltage per speed, at the motor shaft (≥ 0)\n"
            "                     number, V*s; default: torque_constant\n");
}

TEST_F(Format, PrintsTheReferenceOfThePage) {
  std::ifstream page(std::string(source_directory) + "/docs/format.md");
  EXPECT_THAT(std::string((std::istreambuf_iterator<char>(page)), {}), EndsWith(printed("--markdown")));
}

TEST_F(Format, PrintsTheReferenceForEditors) {
  const auto sections = nlohmann::json::parse(printed("--json"));
  const auto simulate =
      std::ranges::find_if(sections, [](const auto& section) { return section["name"] == "simulate"; });
  ASSERT_NE(simulate, sections.end());
  const auto& keys = (*simulate)["keys"];
  const auto step = std::ranges::find_if(keys, [](const auto& key) { return key["name"] == "max_step"; });
  ASSERT_NE(step, keys.end());
  EXPECT_EQ((*step)["what"], "longest step");
  EXPECT_EQ((*step)["value"], "number, s; default: none");
  const auto method = std::ranges::find_if(keys, [](const auto& key) { return key["name"] == "integrator"; });
  EXPECT_THAT((*method)["words"], testing::Contains("dopri5"));
  EXPECT_EQ(armature("format joints --json").code, 2);
}

TEST_F(Format, ShowsHowMachineElementsAndTasksAreModelled) {
  const std::string belt = printed("belt");
  EXPECT_THAT(belt, HasSubstr("forces: belt (elastic belt or chain on two wheels)\n"));
  EXPECT_THAT(belt, HasSubstr("\n  model:  models/elements/belt.yaml\n  page:   docs/elements.md#belt\n"));
  EXPECT_THAT(printed("planetary"), HasSubstr("planetary set: "));
  EXPECT_THAT(printed("reaction"), HasSubstr("record: {reactions: [C]}"));
}

TEST_F(Format, FindsNamesOfSeveralWords) {
  EXPECT_EQ(armature("format gear pair").out, armature("format 'gear pair'").out);
  EXPECT_THAT(armature("format torsion bar").out, HasSubstr("models/elements/torsion_bar.yaml"));
  EXPECT_THAT(armature("format psi").out, HasSubstr("docs/format.md#units"));
}

TEST_F(Format, FindsKeysThatMentionAWord) {
  EXPECT_THAT(printed("Poisson"), HasSubstr("no section or key is called 'Poisson'; it occurs in\n  beam: nu "));
}

TEST_F(Format, SaysWhatItDoesNotKnow) {
  const Answer answer = armature("format jonts");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("unknown section or key 'jonts' (did you mean 'joints'?)"));
}

}  // namespace
}  // namespace armature::internal
