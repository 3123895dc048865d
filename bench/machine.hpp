// The machines of the comparison as plain data: a tree of bodies, each on one revolute joint, and pins that close loops.
// Every engine builds its model from it; Armature reads the file of the same machine in models/.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

namespace armature::internal {
struct Prepared;
}

namespace armature::internal::bench {

struct Link {
  std::string joint;         // its name in the model file
  int parent;                // -1: ground
  Eigen::Vector3d at, axis;  // of the joint, in the parent's axes; those of the link at angle zero
  double mass;               // kg
  Eigen::Vector3d center;    // in the link's axes, whose origin is the joint
  Eigen::Matrix3d inertia;   // about the center
  double damping, effort;    // N m s, N m: of the joint
};

// The two points stay together.
struct Pin {
  int a, b;  // links
  Eigen::Vector3d at_a, at_b;
};

struct Machine {
  std::string name;
  bool planar;  // all motion is parallel to xy: two of the three rows of a pin suffice
  Eigen::Vector3d gravity;
  std::vector<Link> links;  // in the order of Armature's coordinates
  std::vector<Pin> pins;
  std::shared_ptr<const Prepared>
      prepared;          // Armature's, without the energy ledger, which the others do not keep either
  Eigen::VectorXd q, v;  // assembled start, in the order of links
  int size() const { return static_cast<int>(links.size()); }
};

Machine rrr_benchmark();  // 3RRR with uniform rods and constant torques: models/rrr_benchmark.yaml
Machine rrr_case_a();     // the published robot: models/rrr.yaml
Machine arm(int joints);  // models/arm.yaml
Machine windows(int N);   // models/n_four_bar.yaml
// By name: "rrr_benchmark", "rrr_case_a", "arm_7", "windows_40"; made once and kept.
const Machine& machine(const std::string& name);

}  // namespace armature::internal::bench
