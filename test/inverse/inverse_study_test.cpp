#include "inverse/inverse_study.hpp"

#include <gmock/gmock.h>

#include "inverse/inverted.hpp"
#include "model/request_error.hpp"

namespace armature::internal {
namespace {

std::string why_no_kinematics(const std::string& zero) {
  try {
    prepare_kinematics(read_model_text(
        "armature: 1\n" + wanted_disc("constraints: {hold: {type: prescribed, zero: \"" + zero + "\"}}\n")));
  } catch (const RequestError& error) {
    return error.what();
  }
  return "";
}

TEST(InverseStudy, KinematicsNeedsSomethingThatMoves) {
  EXPECT_EQ(why_no_kinematics("turn - t"), "");
  EXPECT_EQ(why_no_kinematics("turn - if(t > 1, 2, 3)"), "");
  EXPECT_THAT(why_no_kinematics("turn - 3"),
              testing::HasSubstr("nothing moves; prescribe a formula in t for one of turn"));
}

TEST(InverseStudy, PreparesTheStartOfTheMotion) {
  const Prepared start = prepare_inverse(read_model_text(
      "armature: 1\n" +
      driven_crank(
          "inverse: {motion: {crank: 0.5 + t}, actuators: [crank]}\nstart: {near: {knee: -1, slide: 0.6}}\n")));
  EXPECT_NEAR(start.start.x[0], 0.5, 1e-12);
}

}  // namespace
}  // namespace armature::internal
