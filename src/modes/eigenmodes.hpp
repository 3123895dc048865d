// Eigenvalues of a linearized motion and the shapes that go with them: dx(t) = Re(shape e^{s t}).
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

#include "modes/linearization.hpp"

namespace armature::internal {

// One real eigenvalue, or a conjugate pair (that of positive frequency).
struct Eigenmode {
  std::complex<double> eigenvalue;  // 1/s
  Eigen::VectorXcd shape;           // of all of x, dependent coordinates too; the largest position (else entry) is 1
  bool oscillates() const { return eigenvalue.imag() != 0; }
  double frequency() const { return std::abs(eigenvalue); }  // undamped natural frequency, rad/s
  // Damping ratio -Re s / |s|: 1 for what creeps back, negative for what grows.
  double damping() const { return std::abs(eigenvalue) > 0 ? -eigenvalue.real() / std::abs(eigenvalue) : 0; }
};

// In order of frequency. positions: how many of the first entries of x are positions.
std::vector<Eigenmode> eigenmodes(const Linearization& linear, int positions);

}  // namespace armature::internal
