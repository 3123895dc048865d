// A motion on a mesh, as collocation knows it.
//
// The mesh has N intervals between nodes; each has three points (radau.hpp), the last of which is the node at its end. Inputs are straight
// lines between nodes.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace armature::internal {

struct PlannedMotion {
  std::vector<double> mesh;  // nodes as parts of the duration: 0, …, 1
  double duration = 1;       // s
  double largest = 0;        // of minimize: current, A
  Eigen::MatrixXd states;    // q, v and the used z: a column each for the start and for all points, 1 + 3 N
  Eigen::MatrixXd accelerations, multipliers;  // a column per point, 3 N
  Eigen::MatrixXd inputs;                      // a column per node, N + 1

  Eigen::Index intervals() const { return static_cast<Eigen::Index>(mesh.size()) - 1; }
  double time(Eigen::Index node) const { return duration * mesh[static_cast<std::size_t>(node)]; }
  Eigen::MatrixXd::ConstColXpr node(Eigen::Index k) const { return states.col(3 * k); }
};

}  // namespace armature::internal
