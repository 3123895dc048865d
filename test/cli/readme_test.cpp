// What README.md shows must work.

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace armature::internal {
namespace {

std::string readme_model() {
  std::ifstream in(std::string(source_directory) + "/README.md");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const std::string opening = "```yaml\n";
  const auto begin = text.find(opening) + opening.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

class Readme : public Program {};

TEST_F(Readme, ModelRunsAsShown) {
  write("four_bar.yaml", readme_model());
  for (const char* options : {"", " --set crank='0.25 m' --end 10 -o shorter"}) {
    const Answer answer = armature(std::string("run four_bar.yaml") + options);
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.err, "");
  }
  EXPECT_TRUE(exists("results/four_bar/trajectory.csv"));
  EXPECT_TRUE(exists("shorter/run.json"));
}

}  // namespace
}  // namespace armature::internal
