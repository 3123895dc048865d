// The tree as the articulated-body recursion takes it (system/articulated_solve.hpp): links in frames of its own choosing, in
// which the recursion is shortest, with the forces upon them.
//
// - A link that turns about one axis has that axis along a coordinate axis of its frame, and its origin where the axis comes
//   nearest to the parent's origin.
// - Masses that a joint does not move are the parent's: those on the axis of a turn, those in the center of a ball, and the
//   second moments of a body that slides. What the ground takes over is nobody's.
//
// Both leave every motion as it is (Khalil and Dombre, Modeling, Identification and Control of Robots, 2002, ch. 9).
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "mechanics/tree.hpp"
#include "mechanics/turn.hpp"

namespace armature::internal {

struct ArticulatedLink {
  int parent = -1;
  Turn turn;  // to the parent's axes
  Vec3 p{};   // origin, in the parent's frame
  std::vector<Freedom> freedoms;
  Vec3 bias{}, spin_bias{};  // as those of a Link
  Expression mass = 0;
  Vec3 moment{};           // m c
  Mat3 second{};           // sum of m x x': J = trace E - second
  Vec3 force{}, torque{};  // applied, about the link's origin
};

// Moment about a link's origin and force, in its axes.
struct Wrench {
  Vec3 n{}, f{};
};

struct ArticulatedTree {
  std::vector<ArticulatedLink> links;  // parents first
  std::vector<Wrench> wrenches;        // that give each link its acceleration at vdot = 0, less what is applied to it
  std::vector<Expression> applied;     // generalized forces besides, one per velocity
  std::vector<Expression> inertia;     // of velocities besides that of the links
  std::vector<int> outside;            // velocities that move no link
  Expression kinetic = 0;

  int common_link(int a, int b) const {  // on the way from the ground to both; -1: the ground
    while (a != b) (a > b ? a : b) = links[static_cast<std::size_t>(a > b ? a : b)].parent;
    return a;
  }
};

struct JointElements {
  const std::map<int, Expression>& applied;                    // by velocity
  const std::map<std::pair<int, int>, Expression>& reflected;  // inertia between two velocities
};

// Null where M has another structure: a velocity that moves several links (a beam), or inertia between different joints (a
// rotor that is carried by another link).
std::shared_ptr<ArticulatedTree> articulated_tree(const Tree& tree, const JointElements& elements,
                                                  const std::vector<Expression>& v, const Vec3& gravity);

// Operations that M = L D L' takes, by entries: each pivot meets the velocities between its own and the ground.
long composite_factor_size(const ArticulatedTree& tree);

void regroup_masses(std::vector<ArticulatedLink>& links);
std::vector<Wrench> link_wrenches(const std::vector<ArticulatedLink>& links, const std::vector<Expression>& v,
                                  const Vec3& gravity);
Expression kinetic_energy(const std::vector<ArticulatedLink>& links, const std::vector<Expression>& v);

}  // namespace armature::internal
