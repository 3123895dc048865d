// The folder of the step stays a place that one can read: short files, classes of few methods.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/paths.hpp"

namespace armature::internal {
namespace {

std::map<std::string, std::vector<std::string>> files_of_the_step() {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(source_directory) + "/src/step")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) files[entry.path().filename()].push_back(line);
  }
  return files;
}

TEST(StepFolder, HasNoFileAbove300Lines) {
  const auto files = files_of_the_step();
  ASSERT_GT(files.size(), 30u);
  for (const auto& [name, lines] : files) EXPECT_LE(lines.size(), 300u) << name;
}

// Every method is marked for devices, at the first level of its class.
TEST(StepFolder, HasNoClassAbove25Methods) {
  std::map<std::string, int> methods;
  for (const auto& [name, lines] : files_of_the_step()) {
    std::string owner;
    for (const std::string& line : lines) {
      if ((line.starts_with("class ") || line.starts_with("struct ")) && line.ends_with("{"))
        owner = name + ": " + line;
      if (line.starts_with("};")) owner.clear();
      if (!owner.empty() && line.starts_with("  ARMATURE_STEP ")) ++methods[owner];
    }
  }
  ASSERT_GT(methods.size(), 15u);
  for (const auto& [owner, count] : methods) EXPECT_LE(count, 25) << owner;
}

}  // namespace
}  // namespace armature::internal
