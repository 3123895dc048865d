// Edits touch the text of one value and nothing else.
#include "read/text_edit.hpp"

#include <gmock/gmock.h>

#include "support/edited_text.hpp"

namespace armature::internal {
namespace {

TEST(TextEdit, ReplacesTheTextOfAValueAndKeepsComments) {
  EXPECT_EQ(set_value(file, {"parameters", "length"}, "0.45 m"), with(file, "0.3 m", "0.45 m"));
  EXPECT_EQ(set_value(file, {"parameters", "angle"}, "31 deg"), with(file, "\"30 deg\"", "31 deg"));
  EXPECT_EQ(set_value(file, {"start", "keep", "a"}, "-0.25"), with(file, "a: -0.5", "a: -0.25"));
  EXPECT_EQ(set_value(file, {"start", "near", "body", "at", "1"}, "0.75"), with(file, "0.7,", "0.75,"));
  EXPECT_EQ(set_value(file, {"name"}, "a bar"), with(file, "µ-bar", "a bar"));
}

TEST(TextEdit, QuotesWhatWouldSplit) {
  const std::string changed = set_value(file, {"start", "keep", "a"}, "atan2(1, 2)");
  EXPECT_EQ(changed, with(file, "a: -0.5", "a: \"atan2(1, 2)\""));
}

TEST(TextEdit, AddsWhatIsMissing) {
  EXPECT_EQ(set_value(file, {"simulate", "rtol"}, "1e-8"), with(file, "{end: 5 s", "{rtol: 1e-8, end: 5 s"));
  EXPECT_EQ(set_value(file, {"parameters", "mass"}, "1 kg"), with(file, "  length:", "  mass: 1 kg\n  length:"));
  EXPECT_EQ(set_value("armature: 1\n", {"simulate", "integrator"}, "rk4"),
            "armature: 1\n\nsimulate: {integrator: rk4}\n");
}

TEST(TextEdit, ReplacesBrackets) {
  const std::string text = "simulate: {stabilization: {baumgarte: {alpha: 1, beta: 2}}, end: 1}  # }\n";
  EXPECT_EQ(set_value(text, {"simulate", "stabilization"}, "none"), "simulate: {stabilization: none, end: 1}  # }\n");
  EXPECT_EQ(
      set_value("simulate: {stabilization: none}\n", {"simulate", "stabilization"}, "{baumgarte: {alpha: 1, beta: 2}}"),
      "simulate: {stabilization: {baumgarte: {alpha: 1, beta: 2}}}\n");
}

TEST(TextEdit, TakesOutAKeyWithItsComma) {
  EXPECT_EQ(remove_value(file, {"simulate", "step"}), with(file, ", step: 2 ms", ""));
  EXPECT_EQ(remove_value(file, {"simulate", "end"}), with(file, "end: 5 s, ", ""));
  EXPECT_EQ(remove_value(file, {"parameters", "angle"}), with(file, "  angle: \"30 deg\"      # quoted\n", ""));
  EXPECT_EQ(remove_value(file, {"simulate", "rtol"}), file);
}

TEST(TextEdit, RefusesWhatItCannotWrite) {
  EXPECT_THROW(set_value(file, {"parameters", "length"}, "1\nname: x"), EditError);
  EXPECT_THROW(set_value(file, {"parameters", "length"}, ""), EditError);
  EXPECT_THROW(set_value(file, {"parameters"}, "1"), EditError);  // a section over several lines
  EXPECT_THROW(set_value(file, {"a", "b", "c"}, "1"), EditError);
  EXPECT_THROW(set_value("a: [1, 2\n", {"a"}, "1"), EditError);  // cannot be read at all
  EXPECT_THROW(set_value(file, {"parameters", "length"}, "{a: "), EditError);
}

}  // namespace
}  // namespace armature::internal
