#include "import/robot_formats.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace armature::internal {
namespace {

TEST(RobotFormats, AreKnownByTheirNames) {
  std::set<std::string> roots;
  for (const RobotFormat& format : robot_formats()) {
    EXPECT_EQ(&robot_format(format.name), &format);
    EXPECT_TRUE(roots.insert(format.root).second);
    EXPECT_NE(format.read, nullptr);
    EXPECT_NE(format.write, nullptr);
  }
  EXPECT_EQ(roots, (std::set<std::string>{"robot", "sdf", "mujoco"}));
  EXPECT_THROW(robot_format("step"), std::invalid_argument);
}

}  // namespace
}  // namespace armature::internal
