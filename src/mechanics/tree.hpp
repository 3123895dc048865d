// A tree of rigid links joined by elementary motions, and the recursive body-frame algorithms on it: poses, Newton-Euler
// and composite bodies. They are traced, not run: their results are expressions, and for a planar mechanism most of a
// 3-D recursion folds away. (Featherstone, Rigid Body Dynamics Algorithms, 2008, in 3-vectors.)
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "expression/expression_matrix.hpp"
#include "mechanics/vector.hpp"

namespace armature::internal {

// One velocity of a joint or of a flexible body: the angular and linear velocity it gives the link, in the link's axes.
struct Freedom {
  int velocity;  // index in v; several links may share it
  Vec3 angular{}, linear{};
};

// Mass, first moment m c and inertia, about the origin of the frame they are given in.
struct MassProperties {
  Expression mass = 0;
  Vec3 moment{};
  Mat3 inertia{};
};
MassProperties operator+(const MassProperties& x, const MassProperties& y);
// The same body seen from a frame in which its own frame has the given pose.
MassProperties moved(const Pose& X, const MassProperties& body);

// A turn of a link about one axis: constant axes, then by an angle.
struct AxisTurn {
  Mat3 outer;  // from the axes before the turn to the parent's
  Vec3 axis;
  Expression angle;
};

struct Link {
  int parent = -1;                    // -1: ground
  Pose pose;                          // in the parent's frame
  std::optional<AxisTurn> turn = {};  // how its axes turn, of a link that turns about one axis
  std::vector<Freedom> freedoms;
  Vec3 bias{};  // acceleration of the origin in the parent's frame at vdot = 0, link axes: freedoms that change with q
  Vec3 spin_bias{};  // and the angular one
  MassProperties mass;
  Vec3 force{}, torque{};  // applied, in link axes about the link's origin
};

// Links deeper than that share the poses of their parents. Up to there each has a pose of its own, of less arithmetic; but all
// of a chain together need more by the square of its length.
constexpr int long_chain = 40;

class Tree {
 public:
  int add(Link link);  // parents first
  Link& operator[](int i) { return links_[i]; }
  const Link& operator[](int i) const { return links_[i]; }
  int size() const { return static_cast<int>(links_.size()); }

  int depth() const { return depths_.empty() ? 0 : *std::max_element(depths_.begin(), depths_.end()); }  // of its links
  Tree without_loads() const;  // applied forces and the accelerations of links whose freedoms change with q

  int common_ancestor(int a, int b) const;
  Pose pose(int link, int ancestor = -1) const;  // of the link in the ancestor's frame

  // Newton-Euler: the generalized forces (one per velocity) that give accelerations vdot against gravity and the links'
  // applied forces. With vdot = 0 it is the bias h of  M vdot + h = 0.
  std::vector<Expression> inverse_dynamics(const std::vector<Expression>& v, const std::vector<Expression>& vdot,
                                           const Vec3& gravity) const;
  Vec3 moment() const;                         // sum of mass times place of all links, in the ground's frame
  ExpressionMatrix mass_matrix(int nv) const;  // composite bodies: M, nv x nv
  std::vector<int> leaves_first() const;       // velocities, children before parents, each once

 private:
  const Pose& shared_pose(int link) const;

  std::vector<Link> links_;
  std::vector<int> depths_;                               // of the links: how many there are up to the ground
  mutable std::vector<std::optional<Pose>> shared_pose_;  // in the ground's frame
};

}  // namespace armature::internal
