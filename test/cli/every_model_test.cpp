// Every shipped model under the verbs that take it apart. A build with assertions (./go sanitize) fails here where a matrix is
// used with a size that it does not have, which is harmless by chance in a release build.
#include <gmock/gmock.h>

#include <algorithm>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> shipped_models() {
  std::vector<std::string> names;
  const std::filesystem::path models = std::string(source_directory) + "/models";
  for (const auto& folder : {models, models / "elements", models / "drives", models / "beams", models / "motors"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".yaml")
        names.push_back(std::filesystem::relative(entry.path(), models).replace_extension().string());
  std::sort(names.begin(), names.end());
  return names;
}

class EveryModel : public Program, public testing::WithParamInterface<std::string> {
 protected:
  // Some machines have no equilibrium near their start: that is said with exit code 1.
  void expect_answer(const std::string& verb, const std::string& options = "") {
    const Answer answer = armature(verb + " " + source_directory + "/models/" + GetParam() + ".yaml " + options);
    EXPECT_TRUE(answer.code == 0 || (answer.code == 1 && !answer.err.empty())) << verb << ": " << answer.code;
    EXPECT_EQ(answer.err.find("internal error"), std::string::npos) << verb << ": " << answer.err;
  }
};
INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(shipped_models()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

TEST_P(EveryModel, IsTakenApartByEveryVerb) {
  expect_answer("modes", "-o m");
  expect_answer("singularities", "--end 0.1 -o s");
  expect_answer("assemble", "--all");
  expect_answer("export", "--c -o m.c");
}

}  // namespace
}  // namespace armature::internal
