#include "inverse/inverse_model.hpp"

#include <gmock/gmock.h>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

Prepared inverse_model(const std::string& text) { return compile_inverse(read_model_text("armature: 1\n" + text)); }

std::string why_not_inverted(const std::string& more) {
  try {
    inverse_model(wanted_disc(more));
  } catch (const ModelError& error) {
    return error.diagnostics().at(0).key + ": " + error.diagnostics()[0].message;
  }
  return "";
}

// Two wanted coordinates and a loop: which rows are those of the motion, and which parameters the efforts.
TEST(InverseModel, KnowsItsRowsAndItsEfforts) {
  const Prepared start =
      inverse_model(driven_crank("constraints: {}\ninverse: {motion: {crank: t}, actuators: [crank, slide]}\n"
                                 "start: {near: {knee: -1, slide: 0.6}}\n"));
  const Equations& e = start.system->equations();
  const std::vector<bool> rows = rows_of_motion(e);
  int wanted = 0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k], e.rows[k].name.starts_with(motion_prefix)) << e.rows[k].name;
    wanted += rows[k];
  }
  EXPECT_EQ(wanted, 1);
  EXPECT_EQ(effort_places(e).size(), 2u);
  EXPECT_EQ(effort_index(e, "crank"), 0);
  EXPECT_EQ(effort_index(e, "slide"), 1);
  for (const int place : effort_places(e))
    EXPECT_TRUE(e.p_name[static_cast<std::size_t>(place)].starts_with(effort_prefix));
}

TEST(InverseModel, FindsQuantitiesByName) {
  const Prepared start =
      inverse_model(wanted_disc("define: {double: 2*turn}\ninverse: {motion: {turn: t}, actuators: [turn]}\n"));
  EXPECT_NE(find_quantity(start.system->equations(), "double"), nullptr);
  EXPECT_EQ(find_quantity(start.system->equations(), "triple"), nullptr);
}

TEST(InverseModel, SaysWhatIsMissing) {
  EXPECT_EQ(why_not_inverted("inverse: {actuators: [turn]}\n"),
            "inverse: 'motion' is missing ({name: formula}: prescribed motion of coordinates or points)");
  EXPECT_THAT(why_not_inverted("inverse: {motion: {turn: t}}\n"),
              HasSubstr("inverse.actuators: is missing: the model has no drives"));
}

// What uses a controller goes with it, also by way of another definition.
TEST(InverseModel, LeavesOutWhatControllersMake) {
  const Prepared start = inverse_model(
      wanted_disc("controllers: {c: {type: formula, is: turn}}\ndefine: {twice: 2*c, more: 1 + twice, own: 3*turn}\n"
                  "inverse: {motion: {turn: t}, actuators: [turn]}\n"));
  EXPECT_EQ(find_quantity(start.system->equations(), "twice"), nullptr);
  EXPECT_EQ(find_quantity(start.system->equations(), "more"), nullptr);
  EXPECT_NE(find_quantity(start.system->equations(), "own"), nullptr);
  ASSERT_FALSE(start.findings.empty());
  EXPECT_THAT(start.findings[0].sentence, testing::AllOf(HasSubstr("twice"), HasSubstr("more")));
}

}  // namespace
}  // namespace armature::internal
