#include "control/controller_kinds.hpp"

#include <gtest/gtest.h>

#include <set>

namespace armature::internal {
namespace {

TEST(ControllerKinds, HaveTypesOfTheirOwnAndReadByTheirTables) {
  std::set<std::string> types;
  for (const ControllerKind* kind : controller_kinds()) {
    EXPECT_TRUE(types.insert(kind->type()).second) << kind->type();
    EXPECT_EQ(kind->format().name, "controllers: " + kind->type());
    EXPECT_EQ(kind->format().keys[0].name, "type");
  }
  EXPECT_EQ(types.size(), 8u);
}

}  // namespace
}  // namespace armature::internal
