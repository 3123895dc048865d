// The loops of a URDF in a file beside it.
#include <gmock/gmock.h>

#include <fstream>

#include "import/robot_texts.hpp"
#include "temporary_folder.hpp"

namespace armature::internal::imports {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(ClosedLoops, GiveMotorsThatKeepTheLimitsOfEffort) {
  const TemporaryFolder folder;
  std::ofstream(folder / "r.yaml") << "closed_loop: []\nname_mot: [j]\n";
  const ImportedModel result = import_robot(
      urdf(inertial, "<limit lower=\"-1\" upper=\"1\" effort=\"5\"/>", "revolute"), (folder / "r.urdf").string(), {});
  EXPECT_THAT(result.text, HasSubstr("clamp(j_motor_input, -5, 5)"));
  EXPECT_THAT(result.not_taken, IsEmpty());
}

TEST(ClosedLoops, HaveAsManyTypesAsPairs) {
  const TemporaryFolder folder;
  const auto found = [&](const char* beside) -> std::string {
    std::ofstream(folder / "r.yaml") << beside;
    try {
      import_robot(urdf(inertial), (folder / "r.urdf").string(), {});
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(found("closed_loop: [[arm, base]]\ntype: [3d, 6d]\n"),
              HasSubstr("r.yaml:2: type: has 2 entries, but closed_loop has 1"));
  EXPECT_THAT(found("closed_loop: [[arm, base]]\njoint_name: [j]\njoint_type: [SPHERICAL, SPHERICAL]\n"),
              HasSubstr("joint_type: has 2 entries, but joint_name has 1"));
}

}  // namespace
}  // namespace armature::internal::imports
