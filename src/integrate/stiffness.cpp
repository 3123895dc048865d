#include "integrate/stiffness.hpp"

#include <algorithm>
#include <cmath>

#include "step/stability_limit.hpp"

namespace armature::internal {

void StiffnessTest::look(double h, const Tolerance& tolerance, const Eigen::VectorXd& of_slope,
                         const Eigen::VectorXd& of_x, const Eigen::VectorXd& x1) {
  const auto limit = step::StabilityLimit::of(
      static_cast<int>(x1.size()), h, boundary_, [&](int e) { return of_slope[e]; }, [&](int e) { return of_x[e]; },
      [&](int e) { return tolerance.atol[e] + tolerance.rtol * std::abs(x1[e]); });
  if (!limit.reached) {
    lead_ = std::max(0, lead_ - 1);
    return;
  }
  lead_ = std::min(lead_ + 1, enough);
  ++near_;
  rate_ = limit.rate;
  entry_ = limit.entry;
}

}  // namespace armature::internal
