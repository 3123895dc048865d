// Where the mass matrix is not positive definite: which coordinate can move without inertia.
#pragma once

#include <vector>

#include "linear/sparse_matrix.hpp"

namespace armature::internal {

// L D L' of M without pivoting, leaves of the tree first: the velocity whose pivot is lost, -1: none, or M is not finite.
int velocity_without_inertia(const SparseMatrix& M, const std::vector<int>& elimination_order);

}  // namespace armature::internal
