#include "step/minimum_search.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace armature::step {
namespace {

TEST(MinimumSearch, FindsMinimaInsideAndAtTheEnds) {
  const MinimumSearch search;
  const auto at = [&](auto f, double a, double b) { return search(f, a, b).t; };
  EXPECT_NEAR(at([](double t) { return (t - 0.3) * (t - 0.3); }, 0, 1), 0.3, 1e-8);
  EXPECT_NEAR(at([](double t) { return std::cos(t); }, 2, 5), M_PI, 1e-7);
  EXPECT_NEAR(at([](double t) { return std::abs(t - 0.7); }, 0, 1), 0.7, 3e-9);
  EXPECT_NEAR(at([](double t) { return t; }, 2, 3), 2, 4e-9);
  EXPECT_NEAR(at([](double t) { return -t; }, 2, 3), 3, 4e-9);
}

TEST(MinimumSearch, EndsWhereTheValueIsLowEnough) {
  MinimumSearch search;
  search.enough = 0.01;
  int count = 0;
  const SearchPoint found = search([&](double t) { return ++count, (t - 0.3) * (t - 0.3); }, 0, 1);
  EXPECT_LE(found.value, 0.01);
  EXPECT_EQ(count, 1);  // the first point, at 0.38, is good enough
}

TEST(MinimumSearch, TakesNoMoreThanGoldenSections) {
  int count = 0;
  MinimumSearch()([&](double t) { return ++count, t < 0.123456 ? 1 - t : t - 0.123456 - 1e3; }, 0, 1);
  EXPECT_LE(count, 44);
}

}  // namespace
}  // namespace armature::step
