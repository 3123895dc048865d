// armature import as its user sees it: a model that was edited after its import is not overwritten.
#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;

class Import : public Program {
 protected:
  const std::string leg_ = "import " + std::string(source_directory) + "/models/robots/leg.urdf -o leg.yaml";
};

TEST_F(Import, ReplacesAModelThatIsStillAsImported) {
  ASSERT_EQ(armature(leg_).code, 0);
  const std::string first = read("leg.yaml");
  EXPECT_EQ(armature(leg_).code, 0);
  EXPECT_EQ(read("leg.yaml"), first);
}

TEST_F(Import, KeepsAModelThatWasEditedUnlessForced) {
  ASSERT_EQ(armature(leg_).code, 0);
  const std::string edited = "# my own gains\n" + read("leg.yaml");
  write("leg.yaml", edited);
  const Answer refused = armature(leg_);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(read("leg.yaml"), edited);
  EXPECT_EQ(armature(leg_ + " --force").code, 0);
  EXPECT_NE(read("leg.yaml"), edited);
}

TEST_F(Import, KeepsAModelThatWasWrittenByHand) {
  write("leg.yaml", pendulum);
  EXPECT_EQ(armature(leg_).code, 2);
  EXPECT_EQ(read("leg.yaml"), pendulum);
}

}  // namespace
}  // namespace armature::internal
