#include "model/format_keys.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "expression/units.hpp"
#include "support/paths.hpp"

namespace armature {
namespace {

TEST(FormatKeys, AreDescribedOnceEach) {
  for (const FormatSection& section : format_sections()) {
    std::set<std::string_view> seen;
    for (const KeySpec& spec : section.keys) {
      EXPECT_TRUE(seen.insert(spec.name).second) << section.name << ": " << spec.name;
      EXPECT_FALSE(spec.what.empty()) << section.name << ": " << spec.name;
    }
  }
}

TEST(FormatKeys, HaveUnitsThatParse) {
  for (const FormatSection& section : format_sections())
    for (const KeySpec& spec : section.keys) {
      EXPECT_NO_THROW(dimension_of(spec, false)) << section.name << ": " << spec.name;
      EXPECT_NO_THROW(dimension_of(spec, true)) << section.name << ": " << spec.name;
    }
}

TEST(FormatKeys, TakeTheUnitOfAnAngleOrOfALength) {
  const KeySpec* damping = find_key(keys_of("joints: one axis"), "damping");
  EXPECT_EQ(dimension_of(*damping, false), unit_of("N*m*s").dimension);
  EXPECT_EQ(dimension_of(*damping, true), unit_of("N*s/m").dimension);
}

// docs/format.md holds the row of every key, in the words of the tables.
TEST(FormatKeys, StandInTheReference) {
  std::ifstream stream(std::string(source_directory) + "/docs/format.md");
  ASSERT_TRUE(stream);
  std::ostringstream text;
  text << stream.rdbuf();
  for (const FormatSection& section : format_sections()) {
    EXPECT_NE(text.str().find("### `" + std::string(section.name) + "`"), std::string::npos) << section.name;
    for (const KeySpec& spec : section.keys) {
      const std::string row = "| `" + std::string(spec.name) + "` | " + std::string(spec.what);
      EXPECT_NE(text.str().find(row), std::string::npos) << section.name << ": " << row;
    }
  }
}

}  // namespace
}  // namespace armature
