// The whole map of the press: numbers of an independent build of the same machine.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

class PressMap : public Program {};

TEST_F(PressMap, HasTheKnownCounts) {
  const Answer answer = armature("map " + std::string(source_directory) +
                                 "/models/press.yaml --over phi0=0:2*pi:61 --over w0=-3:3:61 --rtol 1e-7 --classify "
                                 "'never: turns(phi) < 1; for good: final(phi) - at(phi, 28) > 2*pi; trapped' -o m");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto counts = json("m/result.json")["counts"];
  EXPECT_EQ(counts["never"], 1520);
  EXPECT_EQ(counts["for good"], 1241);
  EXPECT_EQ(counts["trapped"], 960);
  EXPECT_FALSE(counts.contains("failed"));
}

}  // namespace
}  // namespace armature::internal
