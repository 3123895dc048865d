// What every formulation solves for:  M vdot + Phi' lambda = f,  Phi vdot = b.
#pragma once

#include <Eigen/Core>

namespace armature::internal {

struct Acceleration {
  Eigen::VectorXd vdot;    // nv
  Eigen::VectorXd lambda;  // m; with dependent rows the one of least norm
  int rank = 0;            // of Phi, as linear/kinetic_rows decides it
  double smallest = 1;     // smallest pivot among the independent rows: the sine of an angle in the kinetic metric
  bool ok = false;         // false: not solved; formulation.hpp's refusal() says why

  Acceleration() = default;
  Acceleration(int nv, int m) : vdot(Eigen::VectorXd::Zero(nv)), lambda(Eigen::VectorXd::Zero(m)) {}
};

}  // namespace armature::internal
