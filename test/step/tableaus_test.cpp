// Order conditions of the first two orders: rows sum to their times, weights to one, estimates to nothing. The order itself is measured
// in integrate/order_test.cpp.
#include "step/tableaus.hpp"

#include <gtest/gtest.h>

namespace armature::step {
namespace {

void expect_consistent(const Tableau& method) {
  double weights = 0, moment = 0;
  for (int i = 0; i < method.stages; ++i) {
    double row = 0;
    for (int j = 0; j < method.stages; ++j) {
      row += method.A[i][j];
      if (j >= i) {
        EXPECT_EQ(method.A[i][j], 0);
      }
    }
    EXPECT_NEAR(row, method.c[i], 1e-14);
    weights += method.b[i], moment += method.b[i] * method.c[i];
  }
  EXPECT_NEAR(weights, 1, 1e-14);
  if (method.order >= 2) {
    EXPECT_NEAR(moment, 0.5, 1e-14);
  }
  for (int e = 0; e < method.estimates; ++e) {
    double sum = 0;
    for (int i = 0; i <= method.stages; ++i) sum += method.E[e][i];
    EXPECT_NEAR(sum, 0, 1e-14);
  }
}

TEST(Tableaus, AreConsistent) {
  for (const Tableau* method : {&euler(), &midpoint(), &classical(), &dormand_prince_54()}) expect_consistent(*method);
}

}  // namespace
}  // namespace armature::step
