// MJCF as a whole: what is taken, and what is listed.
#include <gmock/gmock.h>

#include "import/robot_texts.hpp"

namespace armature::internal::imports {
namespace {

using testing::HasSubstr;

TEST(ReadMjcf, WhatIsNotTakenIsListed) {
  const ImportedModel result =
      text(R"(<mujoco><worldbody><body name="a"><joint name="x"/><geom size="0.1"/></body></worldbody>
    <sensor/><actuator><muscle name="m" joint="x"/></actuator>
    <equality><connect name="c" body1="a" anchor="0 0 1" active="false"/></equality></mujoco>)");
  EXPECT_THAT(result.not_taken,
              testing::UnorderedElementsAre("line 2: <sensor>", "line 2: actuator muscle m: is not taken",
                                            "LOOP NOT KEPT: line 3: connect c: is not active"));
  EXPECT_THAT(result.text, HasSubstr("# Not taken:\n#   LOOP NOT KEPT: line 3: connect c: is not active\n"));
}

TEST(ReadMjcf, GravityMayBeOff) {
  EXPECT_THAT(text(mjcf("", "<option><flag gravity=\"disable\"/></option>")).text, HasSubstr("gravity: [0, 0, 0]"));
}

}  // namespace
}  // namespace armature::internal::imports
