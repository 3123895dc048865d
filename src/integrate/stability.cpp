#include "integrate/stability.hpp"

#include <cmath>

namespace armature::internal {

namespace {

constexpr double tolerated_growth = 1e-3;  // of |R| beyond 1

// R(z) = 1 + z b' (1 + z A 1 + z^2 A^2 1 + …)
std::complex<double> stability_function(const Tableau& method, std::complex<double> z) {
  const Eigen::MatrixXd A = stage_weights(method);
  Eigen::VectorXcd power = Eigen::VectorXcd::Ones(method.stages), k = power;
  for (int i = 1; i < method.stages; ++i) power = z * (A * power), k += power;
  return 1.0 + z * (end_weights(method).transpose() * k).value();
}

}  // namespace

double stable_length(const Tableau& method, std::complex<double> lambda) {
  const std::complex<double> direction = lambda / std::abs(lambda);
  constexpr double stride = 0.02;
  double r = stride;
  while (r < 20 && std::abs(stability_function(method, r * direction)) <= 1 + tolerated_growth) r += stride;
  return r;
}

}  // namespace armature::internal
