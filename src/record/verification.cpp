#include "record/verification.hpp"

#include <cmath>
#include <limits>

namespace armature::internal {

double Verification::Digits::least() const {
  double least = std::numeric_limits<double>::quiet_NaN();
  for (const double digits : agree) least = std::fmin(least, digits);
  return least;
}

}  // namespace armature::internal
