// Joints as chains of simple ones, and the values by which they move so.
#include "import/joint_chain.hpp"

#include <gtest/gtest.h>

namespace armature::internal {
namespace {

// Any rotation about n, then one about m, both perpendicular: R = exp(first n) exp(second m), by Rodrigues' formula as Eigen has it.
TEST(JointChain, AUniversalJointHasBothItsAnglesBack) {
  RobotJoint joint;
  joint.type = JointType::universal;
  joint.axis = Eigen::Vector3d(2, 1, -2) / 3, joint.second = Eigen::Vector3d(1, 2, 2) / 3;
  for (const double first : {-2.5, -0.3, 0.4, 1.9})
    for (const double second : {-2.2, -0.7, 0.6, 2.8}) {
      const Eigen::Matrix3d R =
          (Eigen::AngleAxisd(first, joint.axis) * Eigen::AngleAxisd(second, joint.second)).toRotationMatrix();
      start_with(joint, {R, Eigen::Vector3d::Zero()});
      ASSERT_EQ(joint.values.size(), 2u);
      EXPECT_NEAR(joint.values[0], first, 1e-14);
      EXPECT_NEAR(joint.values[1], second, 1e-14);
      EXPECT_LT((motion_at_start(joint).R - R).cwiseAbs().maxCoeff(), 1e-14);
    }
}

}  // namespace
}  // namespace armature::internal
