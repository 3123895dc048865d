#include <gmock/gmock.h>

#include <cmath>

#include "cli/program.hpp"

namespace armature {
namespace {

using testing::HasSubstr;

using ModesVerb = Program;

TEST_F(ModesVerb, PrintsWritesAndDifferentiates) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("modes pendulum.yaml --sensitivity length -o linear");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("3.132092"));
  const auto result = json("linear/modes.json");
  EXPECT_NEAR(result["modes"][0]["eigenvalue"][1].get<double>(), std::sqrt(9.81), 1e-12);
  EXPECT_NEAR(result["modes"][0]["sensitivity"]["length"][1].get<double>(), -std::sqrt(9.81) / 2, 1e-12);
  EXPECT_THAT(read("linear/A.csv"), HasSubstr(",theta,theta'\ntheta,0,1\n"));
  EXPECT_EQ(armature("modes pendulum.yaml -o linear").code, 0);  // a result may be replaced
}

TEST_F(ModesVerb, RefusesWhatItDoesNotKnow) {
  write("pendulum.yaml", pendulum);
  const Answer answer = armature("modes pendulum.yaml --sensitivity lenght");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("unknown parameter 'lenght' (did you mean 'length'?)"));
}

}  // namespace
}  // namespace armature
