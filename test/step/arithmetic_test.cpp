#include "step/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace armature::step {
namespace {

constexpr int stages = 5;
constexpr double weights[stages] = {0.3, 0, -1.7, 2.5, 1e-3};

struct Numbers {
  std::mt19937 generator{7};
  double next() { return std::uniform_real_distribution<double>(-2, 2)(generator); }
  std::vector<double> some(int n) {
    std::vector<double> result(static_cast<std::size_t>(n));
    for (double& x : result) x = next();
    return result;
  }
};

template <int W>
std::vector<Row<W>> rows_of(const std::vector<double>& numbers) {
  std::vector<Row<W>> rows(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (int k = 0; k < W; ++k) rows[i][k] = numbers[i];
  return rows;
}

// Of any number of entries: packs of eight, of two, and what is left over; beyond 24 by another function.
class EveryLength : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Entries, EveryLength, testing::Values(1, 2, 3, 7, 8, 9, 14, 23, 24, 25, 31, 64));

TEST_P(EveryLength, CombinationsAddTermAfterTermInEveryWidth) {
  const int n = GetParam();
  Numbers random;
  const std::vector<double> K = random.some(stages * n), x0 = random.some(n);
  const double h = 0.37;
  std::vector<Row<1>> one(static_cast<std::size_t>(n));
  std::vector<Row<8>> eight(static_cast<std::size_t>(n));
  combine<1>(n, weights, stages, {{h}}, rows_of<1>(K).data(), rows_of<1>(x0).data(), one.data());
  combine<8>(n, weights, stages, rows_of<8>({h})[0], rows_of<8>(K).data(), rows_of<8>(x0).data(), eight.data());
  for (int e = 0; e < n; ++e) {
    double expected = x0[static_cast<std::size_t>(e)];
    for (int i = 0; i < stages; ++i)
      if (weights[i] != 0) expected += (h * weights[i]) * K[static_cast<std::size_t>(i * n + e)];
    EXPECT_EQ(one[static_cast<std::size_t>(e)][0], expected);  // every bit
    EXPECT_EQ(eight[static_cast<std::size_t>(e)][5], expected);
  }
}

TEST_P(EveryLength, ErrorNormsHaveTheSameBitsInEveryWidth) {
  const int n = GetParam();
  Numbers random;
  std::vector<double> atol = random.some(n);
  for (double& a : atol) a = std::abs(a);
  const std::vector<double> error = random.some(n), x0 = random.some(n), x1 = random.some(n);
  Row<1> one;
  Row<8> eight;
  error_norm<1>(n, 1e-3, rows_of<1>(atol).data(), rows_of<1>(error).data(), rows_of<1>(x0).data(),
                rows_of<1>(x1).data(), one);
  error_norm<8>(n, 1e-3, rows_of<8>(atol).data(), rows_of<8>(error).data(), rows_of<8>(x0).data(),
                rows_of<8>(x1).data(), eight);
  double sum = 0;
  for (std::size_t i = 0; i < error.size(); ++i) {
    const double ratio = error[i] / (atol[i] + 1e-3 * std::max(std::abs(x0[i]), std::abs(x1[i])));
    sum += ratio * ratio / n;
  }
  EXPECT_EQ(eight[3], one[0]);
  EXPECT_NEAR(one[0], std::sqrt(sum), 1e-14 * one[0]);  // another order of the sum
}

TEST(Arithmetic, CopiesOnlyTheLanesThatAreAskedFor) {
  std::vector<Row<8>> to = rows_of<8>({1, 2}), from = rows_of<8>({3, 4});
  copy<8>(0b101u, 2, from.data(), to.data());
  for (int k = 0; k < 8; ++k) EXPECT_EQ(to[1][k], k == 0 || k == 2 ? 4 : 2);
}

TEST(Arithmetic, FindsLanesThatAreNotFiniteAndLanesThatDiffer) {
  std::vector<Row<8>> a = rows_of<8>({1, 2, 3}), b = a;
  b[1][6] = std::nan("");
  EXPECT_EQ(finite<8>(3, b.data()), 0xffu & ~(1u << 6));
  b[2][1] = 7;
  EXPECT_EQ(different<8>(3, a.data(), b.data()), 1u << 6 | 1u << 1);
}

TEST(Scalar, PowersAgreeWithTheLibrary) {
  for (double x = 1e-280; x < 1e280; x *= 3.7)
    for (const double y : {-0.17, 0.04, -0.2, -0.125, 1.0})
      EXPECT_NEAR(power(x, y) / std::pow(x, y), 1, 1e-12)
          << x << "^" << y;  // the exponent of e is good to 1e-16 of 650
}

}  // namespace
}  // namespace armature::step
