// A mechanism being turned into equations: its parts, in the order in which they are made.
//
//   topology.hpp       which joints make the tree, which close loops
//   tree_joints.hpp    coordinates and links of the joints in the tree
//   bodies.hpp         bodies on the links, beams among them (beam_links.hpp)
//   cut_joints.hpp     coordinates of the joints that close loops
//   body_masses.hpp    masses of the bodies
//   loops.hpp          constraint rows
//   joint_elements.hpp springs, dampers, friction and stops on joints
//   tree_dynamics.hpp  M, f and energies
#pragma once

#include "mechanics/bodies.hpp"
#include "mechanics/body_masses.hpp"
#include "mechanics/builder.hpp"
#include "mechanics/topology.hpp"

namespace armature::internal {

class Mechanism {
 public:
  Mechanism(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints = {});

  void place_joints();  // links, coordinates and bodies
  void close_loops();   // constraint rows
  void add_forces();    // of joints, beams and force elements
  void finish();        // M, f, energies

  EquationsBuilder& builder() { return builder_; }
  const Bodies& bodies() const { return bodies_; }
  const BeamLinks& beams() { return bodies_.beams(); }
  const JointGeometry& geometry_of(std::size_t joint) const { return topology_.geometry[joint]; }

 private:
  EquationsBuilder builder_;
  Bodies bodies_;
  BodyMasses masses_;
  Topology topology_;
  Vec3 gravity_{};
};

}  // namespace armature::internal
