// Terms: everything numerics needs at one state, grouped by the stage that fills it. The narrow waist between the
// compiled model and the formulations. Matrices are dense, or hold only what is not zero by structure.
#pragma once

#include <Eigen/Core>

#include "linear/sparse_matrix.hpp"

namespace armature::internal {

template <class Matrix>
struct TermsOf {
  // position stage: depends on t, q
  Matrix M;             // nv x nv, both triangles
  Matrix Phi;           // m x nv
  Eigen::VectorXd phi;  // m
  // m: what the square of a row's norm in the kinetic metric is measured by, that of the whole vector whose length the row
  // fixes; 0: by itself and the rows of its group
  Eigen::VectorXd extent;
  // velocity stage: depends on t, q, v too
  Eigen::VectorXd phidot;  // m,  Phi v + phi_t
  Eigen::VectorXd gamma;   // m,  Phi vdot = gamma keeps phidot constant
  Eigen::VectorXd qdot;    // nq
  // force stage: depends on everything
  Eigen::VectorXd f;     // nv
  Eigen::VectorXd zdot;  // nz
};

using Terms = TermsOf<Eigen::MatrixXd>;
using SparseTerms = TermsOf<SparseMatrix>;

}  // namespace armature::internal
