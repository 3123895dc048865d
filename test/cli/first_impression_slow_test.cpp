// Every shipped model, run for a moment: what stands before its result.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

class FirstLines : public Program {};

TEST_F(FirstLines, OfShippedModelsAreTheirResults) {
  const std::filesystem::path models = std::string(source_directory) + "/models";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    if (entry.path().extension() != ".yaml" || entry.path().parent_path().filename() == "robots") continue;
    const Answer answer = armature("run '" + entry.path().string() + "' --end 1e-3 --record 1e-3 --no-report -o r");
    EXPECT_THAT(answer.out, testing::StartsWith("reached t = 0.001 s\n")) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 90);
}

}  // namespace
}  // namespace armature::internal
