// Every shipped model whose equations can be printed. Those of beams are pages long, and take minutes.
#include <stdexcept>

#include "support/printed_code.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> all_shipped_models() {
  std::vector<std::string> names;
  const std::filesystem::path models = std::string(source_directory) + "/models";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(models)) {
    const std::filesystem::path folder = entry.path().parent_path().filename();
    if (entry.path().extension() == ".yaml" && folder != "robots" && folder != "beams")
      names.push_back(std::filesystem::relative(entry.path(), models).replace_extension().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class PrintedCodeOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, PrintedCodeOf, testing::ValuesIn(all_shipped_models()), [](const auto& info) {
  std::string name = info.param;
  std::ranges::replace(name, '/', '_');
  return name;
});

// Relative to the terms of each equation; tolerance: round-off of sums of many terms.
TEST_P(PrintedCodeOf, GivesTheAccelerationsOfTheEngine) {
  try {
    // the symbol of the exponent of a gas spring may be any number but 1, where its energy is a limit
    const PrintedCode code(
        shipped(GetParam(), GetParam() == "elements/gas_spring" ? Settings{{"n", "1.2"}} : Settings{}));
    EXPECT_LT(code.residual(PrintingStyle::c), 1e-9);
    EXPECT_LT(code.residual(PrintingStyle::python), 1e-9);
  } catch (const ModelError& error) {
    GTEST_SKIP() << "refused: " << error.what();
  } catch (const std::length_error& error) {
    GTEST_SKIP() << "refused: " << error.what();
  }
}

}  // namespace
}  // namespace armature::internal
