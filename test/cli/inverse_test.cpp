#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature {
namespace {

using testing::HasSubstr;

class InverseVerb : public Program {};

// m l^2 theta'' + m g l cos(theta) with m = 1, l = 1, theta = t^2/2.
TEST_F(InverseVerb, RecordsTheTorqueOfAPendulum) {
  write("pendulum.yaml", std::string(pendulum) + "inverse: {motion: {theta: t^2/2}, actuators: [theta]}\n");
  const Answer answer = armature("inverse pendulum.yaml -o torques");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto table = rows("torques/trajectory.csv");
  ASSERT_EQ(table.size(), 11u);
  for (const auto& row : table) EXPECT_NEAR(row.back(), 1 + 9.81 * std::cos(row[0] * row[0] / 2), 1e-9);
}

TEST_F(InverseVerb, SaysWhatIsMissing) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("inverse pendulum.yaml");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("pendulum.yaml: inverse.motion: is missing"));
}

}  // namespace
}  // namespace armature
