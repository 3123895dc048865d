// Default classes of MJCF.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::HasSubstr;

TEST(MjcfDefaults, DefaultClassesMustBeThere) {
  EXPECT_EQ(problem(mjcf("class=\"thick\"")), "r.xml:1: joint x: there is no default class 'thick'");
}

// The class of the element itself comes before that of the bodies around it, and that before the topmost one.
TEST(MjcfDefaults, OfTheNearestClassCount) {
  const std::string classes =
      "<default><joint damping=\"1\" armature=\"0.5\"/><default class=\"soft\"><joint damping=\"2\"/></default>"
      "<default class=\"stiff\"><joint damping=\"3\"/></default></default>";
  EXPECT_THAT(text(mjcf("", classes)).text, HasSubstr("damping: 1"));
  EXPECT_THAT(text(mjcf("", classes, "childclass=\"soft\"")).text, HasSubstr("damping: 2"));
  EXPECT_THAT(text(mjcf("class=\"stiff\"", classes, "childclass=\"soft\"")).text, HasSubstr("damping: 3"));
  EXPECT_THAT(text(mjcf("class=\"stiff\"", classes)).text, HasSubstr("inertia: 0.5"));
  EXPECT_THAT(text(mjcf("damping=\"4\"", classes)).text, HasSubstr("damping: 4"));
}

}  // namespace
}  // namespace armature::internal::imports
