// Least squares with bounds and a robust loss, on problems with known answers.
#include "identify/least_squares.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LeastSquaresOptions free_options(Eigen::Index n) {
  LeastSquaresOptions options;
  options.low = VectorXd::Constant(n, -1e300), options.high = VectorXd::Constant(n, 1e300);
  return options;
}

// y = a exp(-b t), with noise or without.
struct Decay {
  explicit Decay(double noise) {
    std::mt19937 generator(3);
    std::normal_distribution<double> normal(0, noise);
    for (int k = 0; k < 200; ++k)
      t.push_back(0.02 * k), y.push_back(2 * std::exp(-1.5 * t.back()) + (noise > 0 ? normal(generator) : 0));
  }
  Linearized operator()(const VectorXd& x) const {
    Linearized result{VectorXd(t.size()), MatrixXd(t.size(), 2)};
    for (std::size_t k = 0; k < t.size(); ++k) {
      const double e = std::exp(-x[1] * t[k]);
      const auto i = static_cast<Eigen::Index>(k);
      result.r[i] = x[0] * e - y[k];
      result.J.row(i) << e, -x[0] * t[k] * e;
    }
    return result;
  }
  std::vector<double> t, y;
};

TEST(LeastSquares, FindsADecayFromFarOff) {
  const Decay decay(0);
  const LeastSquaresResult found = minimize_squares(decay, VectorXd{{20, 0.1}}, free_options(2));
  EXPECT_EQ(found.status, LeastSquaresStatus::converged);
  EXPECT_NEAR(found.x[0], 2, 1e-9);
  EXPECT_NEAR(found.x[1], 1.5, 1e-9);
}

// Rosenbrock's valley, whose residuals vanish at (1, 1).
TEST(LeastSquares, FollowsACurvedValley) {
  const auto valley = [](const VectorXd& x) {
    Linearized result{VectorXd{{10 * (x[1] - x[0] * x[0]), 1 - x[0]}}, MatrixXd(2, 2)};
    result.J << -20 * x[0], 10, -1, 0;
    return result;
  };
  const LeastSquaresResult found = minimize_squares(valley, VectorXd{{-1.2, 1}}, free_options(2));
  EXPECT_EQ(found.status, LeastSquaresStatus::converged);
  EXPECT_NEAR((found.x - VectorXd::Ones(2)).norm(), 0, 1e-8);
}

// With b held at 2 the best a is that of linear least squares.
TEST(LeastSquares, StopsAtABound) {
  const Decay decay(0.01);
  LeastSquaresOptions options = free_options(2);
  options.low[1] = 2;
  const LeastSquaresResult found = minimize_squares(decay, VectorXd{{1, 3}}, options);
  EXPECT_EQ(found.status, LeastSquaresStatus::converged);
  EXPECT_EQ(found.x[1], 2);
  EXPECT_EQ(found.held, (std::vector<int>{0, -1}));
  double above = 0, below = 0;
  for (std::size_t k = 0; k < decay.t.size(); ++k) {
    const double e = std::exp(-2 * decay.t[k]);
    above += e * decay.y[k], below += e * e;
  }
  EXPECT_NEAR(found.x[0], above / below, 1e-5);
}

// Three values of two hundred are wrong by fifty times the noise.
TEST(LeastSquares, IsNotPulledByOutliersWithHubersLoss) {
  Decay decay(0.01);
  for (const std::size_t k : {20u, 77u, 130u}) decay.y[k] += 0.5;
  const auto weighted = [&](const VectorXd& x) {
    Linearized result = decay(x);
    result.r /= 0.01, result.J /= 0.01;
    return result;
  };
  LeastSquaresOptions options = free_options(2);
  const double plain = minimize_squares(weighted, VectorXd{{1, 1}}, options).x[1];
  options.huber = true;
  const LeastSquaresResult robust = minimize_squares(weighted, VectorXd{{1, 1}}, options);
  EXPECT_EQ(robust.status, LeastSquaresStatus::converged);
  EXPECT_LT(std::abs(robust.x[1] - 1.5), 0.01);
  EXPECT_GT(std::abs(plain - 1.5), 2 * std::abs(robust.x[1] - 1.5));
}

// Huber, Robust Estimation of a Location Parameter (1964): rho(r) = r^2/2 up to k = 1.345, and k |r| - k^2/2 beyond it. The location of
// 0, 0, 0, 0 and 10 is where 4 x = k.
TEST(LeastSquares, SumsHubersLoss) {
  const auto location = [](const VectorXd& x) {
    return Linearized{VectorXd{{x[0], x[0], x[0], x[0], x[0] - 10}}, MatrixXd::Ones(5, 1)};
  };
  LeastSquaresOptions options = free_options(1);
  options.huber = true, options.tolerance = 1e-9;
  const LeastSquaresResult found = minimize_squares(location, VectorXd{{1}}, options);
  const double k = 1.345, x = k / 4;
  EXPECT_NEAR(found.x[0], x, 1e-6);
  EXPECT_NEAR(found.cost, 4 * x * x / 2 + k * (10 - x) - k * k / 2, 1e-9);
}

// Where a motion breaks down there is no value: the search goes around it.
TEST(LeastSquares, AvoidsPointsWithoutAValue) {
  const Decay decay(0);
  const auto broken = [&](const VectorXd& x) {
    if (x[1] < 1) return Linearized{{}, {}, "too slow"};
    return decay(x);
  };
  const LeastSquaresResult found = minimize_squares(broken, VectorXd{{5, 6}}, free_options(2));
  EXPECT_EQ(found.status, LeastSquaresStatus::converged);
  EXPECT_NEAR(found.x[1], 1.5, 1e-8);
  const LeastSquaresResult none = minimize_squares(broken, VectorXd{{5, 0.5}}, free_options(2));
  EXPECT_EQ(none.status, LeastSquaresStatus::no_value);
  EXPECT_EQ(none.failure, "too slow");
}

TEST(LeastSquares, SaysWhenItWasStoppedOrHadTooFewEvaluations) {
  const Decay decay(0);
  LeastSquaresOptions options = free_options(2);
  options.evaluations = 2;
  EXPECT_EQ(minimize_squares(decay, VectorXd{{20, 0.1}}, options).status, LeastSquaresStatus::exhausted);
  options.stop = [] { return true; };
  EXPECT_EQ(minimize_squares(decay, VectorXd{{20, 0.1}}, options).status, LeastSquaresStatus::stopped);
}

}  // namespace
}  // namespace armature::internal
