#include "mechanics/mechanism.hpp"

#include <set>

#include "mechanics/coordinate_forces.hpp"
#include "mechanics/cut_joints.hpp"
#include "mechanics/joint_elements.hpp"
#include "mechanics/loops.hpp"
#include "mechanics/tree_dynamics.hpp"
#include "mechanics/tree_joints.hpp"

namespace armature::internal {

Mechanism::Mechanism(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints)
    : builder_(model, equations, virtual_joints), bodies_(builder_), masses_(builder_) {}

void Mechanism::place_joints() {
  topology_ = topology_of(builder_);
  if (!builder_.second_build()) {
    builder_.equations().arm_squares = arm_squares(builder_);
    std::set<int> in_tree;  // in the order of the file
    for (const SpanningTree::Edge& edge : topology_.tree.edges) in_tree.insert(edge.joint);
    for (int j : in_tree) add_joint_coordinates(builder_, builder_.model().joints[j], topology_.geometry[j]);
  }
  bodies_.beams().add_coordinates();
  place_tree_joints(builder_, bodies_, topology_);
  builder_.throw_if_failed();
  add_cut_coordinates(builder_, bodies_, topology_);
  masses_.add_to(bodies_);
}

void Mechanism::close_loops() { internal::close_loops(builder_, bodies_, topology_); }

void Mechanism::add_forces() {
  builder_.guarded("gravity", [&] {
    if (builder_.model().gravity.given()) gravity_ = builder_.vector(builder_.model().gravity);
  });
  add_joint_elements(builder_);
  bodies_.beams().add_elasticity();
  add_force_elements(builder_);
}

void Mechanism::finish() { add_tree_dynamics(builder_, bodies_.tree(), masses_, gravity_); }

}  // namespace armature::internal
