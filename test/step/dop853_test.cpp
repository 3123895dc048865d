#include "step/dop853.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

// Order conditions of bushy trees up to eight: sum b_i c_i^(k-1) = 1/k; rows of all stages sum to their times, estimates to nothing.
TEST(Dop853, MeetsTheConditionsOfQuadrature) {
  const Tableau& method = dormand_prince_853();
  for (int k = 1; k <= 8; ++k) {
    double sum = 0;
    for (int i = 0; i < method.stages; ++i) {
      double power = method.b[i];
      for (int n = 1; n < k; ++n) power *= method.c[i];
      sum += power;
    }
    EXPECT_NEAR(sum, 1.0 / k, 1e-13) << k;
  }
  for (int i = 0; i < method.stages; ++i) {
    double row = 0;
    for (int j = 0; j < i; ++j) row += method.A[i][j];
    EXPECT_NEAR(row, method.c[i], 1e-13) << i;
  }
  for (int i = 0; i < method.further_stages; ++i) {
    double row = 0;
    for (const double entry : method.further_A[i]) row += entry;
    EXPECT_NEAR(row, method.further_c[i], 1e-13) << i;
  }
  for (int e = 0; e < method.estimates; ++e) {
    double sum = 0;
    for (const double entry : method.E[e]) sum += entry;
    EXPECT_NEAR(sum, 0, 1e-13) << e;
  }
}

}  // namespace
}  // namespace armature::step
