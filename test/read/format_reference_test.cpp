#include "read/format_reference.hpp"

#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "expression/units.hpp"
#include "model/diagnostics.hpp"
#include "model/joint_components.hpp"
#include "read/reader.hpp"
#include "support/paths.hpp"

namespace armature::internal {
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

// A section "forces: gear" is the one whose items say `type: gear`.
TEST(FormatKeys, OfATypeNameIt) {
  for (const FormatSection& section : format_sections()) {
    const std::size_t colon = section.name.find(": ");
    const KeySpec* type = find_key(section.keys, "type");
    if (colon == std::string_view::npos || !type || section.name.starts_with("joints")) continue;
    EXPECT_NE(type->what.find(section.name.substr(colon + 2)), std::string_view::npos) << section.name;
  }
  const Words types = find_key(keys_of("joints: no axis"), "type")->words;
  EXPECT_EQ(std::vector<std::string>(types.begin(), types.end()), joint_type_names());
}

// What is taken if a key is missing, where the options of a run hold it.
TEST(FormatKeys, SayTheDefaultsInForce) {
  const SimulateOptions options;
  const auto fallback = [](const char* section, const char* key) {
    return std::string(find_key(keys_of(section), key)->fallback);
  };
  EXPECT_EQ(fallback("simulate", "end"), fmt::format("{:g} s", options.end));
  EXPECT_EQ(fallback("simulate", "integrator"), options.integrator);
  EXPECT_EQ(fallback("simulate", "formulation"), options.formulation);
  EXPECT_EQ(fallback("simulate", "stabilization"), options.projection ? "[projection]" : "none");
  const SimulateOptions::PostAdjust adjust;
  EXPECT_EQ(fallback("post_adjust", "weight"), fmt::format("{:g}", adjust.weight));
  EXPECT_EQ(fallback("post_adjust", "penalty"), fmt::format("{:g}", adjust.penalty));
  EXPECT_EQ(fallback("post_adjust", "iterations"), fmt::format("{}", adjust.iterations));
  EXPECT_EQ(fallback("post_adjust", "tolerance"), fmt::format("{:g}", adjust.tolerance));
}

// A word that is not one of its key's is refused with all of them.
TEST(FormatKeys, AreReadByTheirWords) {
  for (const char* key : {"integrator", "formulation"}) {
    const Words words = find_key(keys_of("simulate"), key)->words;
    try {
      read_model_text(std::string("armature: 1\ngravity: [0, 0, 0]\nbodies: {}\nsimulate: {") + key + ": qqqqqq}\n",
                      "m.yaml");
      FAIL() << key;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(one_of({words.begin(), words.end()})), std::string::npos)
          << error.what();
    }
  }
}

// The reference of docs/format.md is what the tables print.
TEST(FormatKeys, AreTheReference) {
  std::ifstream page(std::string(source_directory) + "/docs/format.md");
  std::string reference, line, printed;
  for (const FormatSection& section : format_sections())
    reference += (reference.empty() ? "" : "\n") + format_markdown(section);
  while (std::getline(page, line) && line != "### `file`") continue;
  ASSERT_EQ(line, "### `file`");
  std::istringstream lines(reference);
  std::getline(lines, printed);
  while (std::getline(lines, printed)) {
    ASSERT_TRUE(std::getline(page, line)) << printed;
    ASSERT_EQ(line, printed) << "docs/format.md must end with what 'armature format --markdown' prints";
  }
  EXPECT_FALSE(std::getline(page, line)) << line;
}

TEST(FormatReference, FindsSectionsByNameKindAndType) {
  const auto names = [](std::string_view word) {
    std::vector<std::string_view> found;
    for (const FormatSection* section : find_format_sections(word)) found.push_back(section->name);
    return found;
  };
  using List = std::vector<std::string_view>;
  EXPECT_EQ(names("joints"), (List{"joints: one axis", "joints: two axes", "joints: no axis", "joints: screw"}));
  EXPECT_EQ(names("revolute"), List{"joints: one axis"});
  EXPECT_EQ(names("screw"), List{"joints: screw"});
  EXPECT_EQ(names("spring"), (List{"spring", "forces: spring"}));
  EXPECT_EQ(names("constraints: gear"), List{"constraints: gear"});
  EXPECT_EQ(names("gear_ratio"), List{});
  ASSERT_EQ(format_sections_with_key("back_emf_constant").size(), 1u);
  EXPECT_EQ(format_sections_with_key("gear_ratio")[0]->name, "drives: dc_motor");
}

}  // namespace
}  // namespace armature::internal
