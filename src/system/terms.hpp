// Terms: everything numerics needs at one state, grouped by the stage that fills it. The narrow waist between the
// compiled model and the formulations.
#pragma once

#include <Eigen/Core>

namespace armature {

struct Terms {
  // position stage: depends on t, q
  Eigen::MatrixXd M;    // nv x nv, both triangles
  Eigen::MatrixXd Phi;  // m x nv
  Eigen::VectorXd phi;  // m
  // velocity stage: depends on t, q, v too
  Eigen::VectorXd phidot;  // m,  Phi v + phi_t
  Eigen::VectorXd gamma;   // m,  Phi vdot = gamma keeps phidot constant
  Eigen::VectorXd qdot;    // nq
  // force stage: depends on everything
  Eigen::VectorXd f;     // nv
  Eigen::VectorXd zdot;  // nz
};

}  // namespace armature
