// The whole gallery: every figure has its verdict, and every number that must come out does.
#include <gtest/gtest.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using GallerySlow = Program;

TEST_F(GallerySlow, EverythingComesOut) {
  const Answer answer = armature("gallery -o g");
  EXPECT_EQ(answer.code, 0) << answer.out << answer.err;
  const auto result = json("g/result.json");
  int items = 0, numbers = 0;
  for (const auto& entry : result["entries"])
    for (const auto& item : entry["items"]) {
      ++items;
      EXPECT_NE(item["verdict"], "FAILED") << entry["name"] << " " << item["label"];
      for (const auto& number : item["numbers"]) {
        numbers += number.contains("expected");
        if (number.contains("expected")) {
          EXPECT_NEAR(number["value"], number["expected"]["value"], number["expected"]["within"].get<double>())
              << entry["name"] << " " << item["label"] << " " << number["name"];
        }
      }
    }
  EXPECT_GE(items, 50);
  EXPECT_GE(numbers, 120);
  EXPECT_LT(result["seconds"], 120);  // s, on two cores
}

}  // namespace
}  // namespace armature::internal
