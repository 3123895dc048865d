// Chains of names as long as a loop makes them, and mistakes in the middle of them.
#include <gmock/gmock.h>

#include "read/reader.hpp"
#include "system/build_model.hpp"

namespace armature::internal {
namespace {

std::string built(const std::string& more, const std::vector<std::string>& free_parameters = {}) {
  try {
    build_model(read_model_text("armature: 1\ngravity: [0, 0, 0]\nplane: xy\n"
                                "bodies: {rod: {mass: 1, inertia: {rod: 1}}}\n"
                                "joints: {hinge: {type: revolute, between: [ground, rod]}}\n" +
                                    more,
                                "m.yaml"),
                free_parameters);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LongChains, OfDefinitionsAreBuilt) {
  EXPECT_EQ(built("define: {p0: hinge, \"p{i}\": {for: {i: 1..9999}, is: \"p{i-1} + 1\"}}\n"
                  "forces: {f: {type: effort, on: hinge, is: p9999}}\n"),
            "no error");
}

// Each parameter names the next one twice: without a memory of what is known, 2^40 lookups.
TEST(LongChains, OfFreeParametersAreBuilt) {
  EXPECT_EQ(built("parameters: {\"p{i}\": {for: {i: 1..40}, is: \"p{i+1} + p{i+1}\"}, p41: 0}\n"
                  "forces: {f: {type: effort, on: hinge, is: p1}}\n",
                  {"p41"}),
            "no error");
  EXPECT_EQ(built("parameters: {\"p{i}\": {for: {i: 1..9999}, is: \"p{i+1} + 1\"}, p10000: 0}\n"
                  "forces: {f: {type: effort, on: hinge, is: p1}}\n",
                  {"p10000"}),
            "no error");
}

TEST(LongChains, OfSignalsAreRefused) {
  EXPECT_THAT(built("controllers: {\"u{i}\": {for: {i: 1..9999}, type: formula, is: \"u{i+1} + 1\"}, "
                    "u10000: {type: formula, is: hinge}}\n"
                    "forces: {f: {type: effort, on: hinge, is: u1}}\n"),
              testing::HasSubstr("depends on a chain of more than 100 signals"));
}

}  // namespace
}  // namespace armature::internal
