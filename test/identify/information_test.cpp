// Intervals, correlations and what the data do not determine, for linear problems with known answers.
#include "identify/information.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "linear/triangular_factor.hpp"

namespace armature::internal {
namespace {

using Eigen::MatrixXd;
using testing::HasSubstr;

Estimate parameter(const std::string& name, double value) {
  Estimate estimate;
  estimate.name = name, estimate.value = value;
  return estimate;
}

InformationRequest request_of(MatrixXd J, const std::vector<Estimate>& estimates) {
  InformationRequest request;
  request.measurements = static_cast<double>(J.rows());
  triangularize(J, J.cols());
  request.R = J.topRows(J.cols());
  for (const Estimate& estimate : estimates) request.sizes.push_back(std::abs(estimate.value));
  for (const Estimate& estimate : estimates) request.parameters.emplace_back(estimate.name, estimate.value);
  return request;
}

// A straight line through n points: the textbook formulas.
TEST(Information, OfAStraightLineIsTheTextbooks) {
  const int n = 50;
  MatrixXd J(n, 2);
  for (int k = 0; k < n; ++k) J.row(k) << 1, 0.1 * k;
  J /= 0.2;  // noise
  std::vector<Estimate> estimates{parameter("a", 3), parameter("b", -2)};
  const Information information = find_information(request_of(J, estimates), estimates);
  const double mean = 0.1 * (n - 1) / 2, squares = 0.01 * n * (n * n - 1.0) / 12;
  EXPECT_NEAR(estimates[1].deviation, 0.2 / std::sqrt(squares), 1e-12);
  EXPECT_NEAR(estimates[0].deviation, 0.2 * std::sqrt(1.0 / n + mean * mean / squares), 1e-12);
  EXPECT_NEAR(information.correlation(0, 1), -mean / std::sqrt(mean * mean + squares / n), 1e-12);
  EXPECT_NEAR(estimates[1].half_width / estimates[1].deviation, 2.0106, 1e-4);  // Student's t with 48 freedoms
  EXPECT_TRUE(information.undetermined.empty());
}

TEST(Information, NamesTheProductThatIsDetermined) {
  // y = K/R t: only the quotient shows
  const double K = 0.2, R = 1.5;
  MatrixXd J(30, 3);
  for (int k = 0; k < 30; ++k) J.row(k) << k / R, -K * k / (R * R), 1 + 0.1 * k * k;
  std::vector<Estimate> estimates{parameter("K", K), parameter("R", R), parameter("c", 1)};
  const Information information = find_information(request_of(J, estimates), estimates);
  ASSERT_EQ(information.undetermined.size(), 1u);
  EXPECT_THAT(information.undetermined[0].sentence, testing::AnyOf(HasSubstr("only R/K is"), HasSubstr("only K/R is")));
  EXPECT_TRUE(std::isinf(estimates[0].half_width) && std::isinf(estimates[1].half_width));
  EXPECT_TRUE(std::isfinite(estimates[2].half_width));
}

TEST(Information, NamesTheSumThatIsDetermined) {
  // y = (m2 l2^2/4 + J2) t with l2 known
  const double l2 = 0.62;
  MatrixXd J(30, 2);
  for (int k = 0; k < 30; ++k) J.row(k) << l2 * l2 / 4 * k, k;
  std::vector<Estimate> estimates{parameter("m2", 0.75), parameter("J2", 0.03)};
  InformationRequest request = request_of(J, estimates);
  request.parameters.emplace_back("l2", l2);
  const Information information = find_information(request, estimates);
  ASSERT_EQ(information.undetermined.size(), 1u);
  EXPECT_THAT(information.undetermined[0].sentence,
              testing::AnyOf(HasSubstr("only J2 + m2*l2^2/4 is determined"), HasSubstr("m2 + J2*4")));
}

TEST(Information, KeepsIndependentDirectionsApart) {
  // a and b only as a product, c and d only as a sum, e not at all
  MatrixXd J(40, 5);
  for (int k = 0; k < 40; ++k) {
    const double s = std::sin(0.3 * k), u = std::cos(0.7 * k);
    J.row(k) << 2 * s, 3 * s, u, u, 0;
  }
  std::vector<Estimate> estimates{parameter("a", 3), parameter("b", 2), parameter("c", 1), parameter("d", 5),
                                  parameter("e", 4)};
  const Information information = find_information(request_of(J, estimates), estimates);
  ASSERT_EQ(information.undetermined.size(), 3u);
  std::string all;
  for (const UndeterminedDirection& direction : information.undetermined) all += direction.sentence + "\n";
  EXPECT_THAT(all, testing::AnyOf(HasSubstr("only b*a is"), HasSubstr("only a*b is")));
  EXPECT_THAT(all, testing::AnyOf(HasSubstr("only c + d is"), HasSubstr("only d + c is")));
  EXPECT_THAT(all, HasSubstr("do not determine e: no signal depends on it"));
}

TEST(Information, OfDataThatSayLittleIsVague) {
  MatrixXd J(20, 2);
  for (int k = 0; k < 20; ++k) J.row(k) << 1, 1e-3 * std::sin(1.0 * k);  // the noise is 1
  std::vector<Estimate> estimates{parameter("a", 100), parameter("b", 2)};
  const Information information = find_information(request_of(J, estimates), estimates);
  ASSERT_EQ(information.undetermined.size(), 1u);
  EXPECT_EQ(information.undetermined[0].sentence, "the data hardly determine b");
  EXPECT_TRUE(std::isfinite(estimates[0].half_width));
}

}  // namespace
}  // namespace armature::internal
