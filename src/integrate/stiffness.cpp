#include "integrate/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

// Error control lets steps swing about the boundary by some percent. A quotient far beyond it is that of an entry which other
// entries drive.
constexpr double least_share = 0.85;
constexpr double most_share = 1.5;

// The entry whose slope differs most, in tolerances.
int largest_entry(const Tolerance& tolerance, const Eigen::VectorXd& of_slope, const Eigen::VectorXd& x1) {
  Eigen::Index largest = 0;
  (of_slope.array().abs() / (tolerance.atol.array() + tolerance.rtol * x1.array().abs())).maxCoeff(&largest);
  return static_cast<int>(largest);
}

}  // namespace

void StiffnessTest::look(double h, const Tolerance& tolerance, const Eigen::VectorXd& of_slope,
                         const Eigen::VectorXd& of_x, const Eigen::VectorXd& x1) {
  const int entry = largest_entry(tolerance, of_slope, x1);
  const double change = std::abs(of_slope[entry]), apart = std::abs(of_x[entry]);
  const bool near = h * change > least_share * boundary_ * apart && h * change < most_share * boundary_ * apart;
  if (!near) {
    lead_ = std::max(0, lead_ - 1);
    return;
  }
  lead_ = std::min(lead_ + 1, enough);
  ++near_;
  rate_ = change / apart;
  entry_ = entry;
}

}  // namespace armature::internal
