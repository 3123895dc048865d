#include "import/robot_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary_folder.hpp"

namespace armature::internal {
namespace {

TEST(RobotFiles, LieInTheFolderOfTheRobot) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "robot/meshes");
  std::ofstream(folder / "robot/meshes/a.stl") << "x";
  std::ofstream(folder / "outside.stl") << "x";
  const RobotFiles files(folder / "robot");
  const auto why_not = [&](const std::string& name) {
    std::string why;
    return files.find(name, why) ? "" : why;
  };
  EXPECT_EQ(why_not("meshes/a.stl"), "");
  EXPECT_EQ(why_not("package://robot/meshes/a.stl"), "");
  EXPECT_EQ(why_not("model://meshes/a.stl"), "");
  EXPECT_EQ(why_not("meshes/b.stl"), "there is no file 'meshes/b.stl'");
  EXPECT_NE(why_not("../outside.stl").find("lies outside the folder of the robot"), std::string::npos);
  EXPECT_NE(why_not((folder / "robot/meshes/a.stl").string()).find("is an absolute path"), std::string::npos);
  EXPECT_NE(why_not("https://a.b/a.stl").find("only package:// and model:// are followed"), std::string::npos);
  std::string why;
  EXPECT_EQ(files.read("meshes/a.stl", why), "x");
}

TEST(RobotFiles, AreAskedForBeforeTheyAreOpened) {
  const TemporaryFolder folder;
  std::ofstream(folder / "a.stl") << "x";
  std::string why;
  EXPECT_FALSE(RobotFiles(folder / "", [](const std::filesystem::path&) { return false; }).find("a.stl", why));
  EXPECT_TRUE(RobotFiles(folder / "", [](const std::filesystem::path&) { return true; }).find("a.stl", why));
}

}  // namespace
}  // namespace armature::internal
