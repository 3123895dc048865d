#include "mechanics/tree_joints.hpp"

#include <algorithm>
#include <map>

#include "model/joint_kinds.hpp"

namespace armature::internal {

namespace {

void add_ball_coordinates(Equations& e, const std::string& joint, const std::string& prefix) {
  e.quaternions.push_back({static_cast<int>(e.q.size()), static_cast<int>(e.v.size())});
  std::array<Expression, 4> q;
  Vec3 w;
  for (int k = 0; k < 4; ++k) {
    const std::string name = prefix + "wxyz"[k];
    e.positions.push_back({name, Coordinate::Kind::quaternion, "", joint});
    e.q.push_back(q[k] = e.graph->input(name));
    e.q_initial.push_back(k == 0);
  }
  for (int k = 0; k < 3; ++k) {
    const std::string name = joint + ".w" + "xyz"[k];
    e.velocities.push_back({name, Coordinate::Kind::angle, "rad/s", joint});
    e.v.push_back(w[k] = e.graph->input(name));
  }
  // qdot = 1/2 q (0, w), with w in b's axes
  e.qdot.push_back(-0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]));
  e.qdot.push_back(0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]));
  e.qdot.push_back(0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]));
  e.qdot.push_back(0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]));
}

// One motion of a joint: first index in q and in v. A virtual one has no q.
struct IndexedMotion {
  ElementaryMotion motion;
  int q, v;
};

// Six virtual displacements of b against a, of a joint whose reaction is asked for.
std::vector<IndexedMotion> virtual_motions(EquationsBuilder& builder, const std::string& joint) {
  std::vector<IndexedMotion> motions;
  const int first = builder.velocities().first_displacement(joint);
  for (int i = 0; i < 6 && first >= 0; ++i) {
    ElementaryMotion motion{i < 3 ? ElementaryMotion::Kind::translation : ElementaryMotion::Kind::rotation, {}, ""};
    motion.axis[i % 3] = 1.0;
    motions.push_back({motion, -1, static_cast<int>(builder.equations().v.size()) + first + i});
  }
  return motions;
}

// The motions of a joint from a to b, its virtual ones first; names its coordinates.
std::vector<IndexedMotion> motions_of(EquationsBuilder& builder, const Joint& joint, const JointGeometry& geometry,
                                      int q, int v) {
  const Equations& e = builder.equations();
  std::vector<IndexedMotion> motions = virtual_motions(builder, joint.name);
  for (const ElementaryMotion& motion : geometry.motions) {
    const bool ball = motion.kind == ElementaryMotion::Kind::ball;
    motions.push_back({motion, q, v});
    if (!ball)
      builder.name_coordinate({component_name(joint.name, motion.component), e.positions[q].unit, e.q[q], e.v[v]});
    q += ball ? 4 : 1;
    v += ball ? 3 : 1;
  }
  return motions;
}

// The link that a motion moves. start: the frame before the motion, on the parent.
Link link_of(EquationsBuilder& builder, int parent, const Pose& start, const IndexedMotion& moving, bool reversed) {
  const Equations& e = builder.equations();
  const ElementaryMotion& motion = moving.motion;
  Link link;
  link.parent = parent;
  const Vec3 axis = reversed ? -motion.axis : motion.axis;
  const Expression value = moving.q >= 0 ? e.q[moving.q] : builder.velocities().displacements()[moving.v - e.v.size()];
  switch (motion.kind) {
    case ElementaryMotion::Kind::rotation:
      link.pose = start * Pose{rotation(axis, value), value * (motion.lead * axis)};
      link.turn = AxisTurn{start.R, axis, value};
      link.freedoms = {{moving.v, axis, motion.lead * axis}};
      break;
    case ElementaryMotion::Kind::translation:
      link.pose = start * Pose{Mat3::identity(), value * axis};
      link.freedoms = {{moving.v, {}, axis}};
      break;
    case ElementaryMotion::Kind::ball: {
      const Mat3 R = quaternion_rotation({e.q[moving.q], e.q[moving.q + 1], e.q[moving.q + 2], e.q[moving.q + 3]});
      link.pose = start * Pose{reversed ? transpose(R) : R, {}};
      // v is the angular velocity of b in b's axes; seen from b, a turns by -v, in a's axes -R v
      for (int k = 0; k < 3; ++k) {
        Vec3 unit{};
        unit[k] = 1.0;
        link.freedoms.push_back({moving.v + k, reversed ? -(R * unit) : unit, {}});
      }
      break;
    }
  }
  return link;
}

// The chain of a joint's motions as links, from whichever side is nearer to the ground; then the far body on the last one.
void place_joint(EquationsBuilder& builder, Bodies& bodies, const Topology& topology, const SpanningTree::Edge& edge,
                 std::pair<int, int> first_index) {
  const Joint& joint = builder.model().joints[edge.joint];
  const JointGeometry& geometry = topology.geometry[edge.joint];
  const Attachment& near = edge.reversed ? joint.b : joint.a;
  const Attachment& far = edge.reversed ? joint.a : joint.b;
  const BodyPlace near_place = bodies.place_at(near);
  int link = near_place.link;
  Pose start = near_place.pose;
  if (edge.reversed) start = start * Pose{transpose(geometry.align), {}};
  std::vector<IndexedMotion> motions = motions_of(builder, joint, geometry, first_index.first, first_index.second);
  if (edge.reversed) std::reverse(motions.begin(), motions.end());
  for (const IndexedMotion& motion : motions) {
    link = bodies.tree().add(link_of(builder, link, start, motion, edge.reversed));
    start = {};
  }
  // the far body's frame: its joint point lies at the end of the chain
  const Mat3 turn = edge.reversed ? Mat3::identity() : geometry.align;
  bodies.place(far, link, start * Pose{turn, {}});
}

}  // namespace

void add_joint_coordinates(EquationsBuilder& builder, const Joint& joint, const JointGeometry& geometry) {
  using Kind = ElementaryMotion::Kind;
  for (const ElementaryMotion& motion : geometry.motions) {
    if (motion.kind == Kind::ball)
      add_ball_coordinates(builder.equations(), joint.name, joint.name + quaternion_prefix(joint.type));
    else
      builder.add_coordinate(component_name(joint.name, motion.component),
                             motion.kind == Kind::rotation ? Coordinate::Kind::angle : Coordinate::Kind::length,
                             joint.name);
  }
}

void place_tree_joints(EquationsBuilder& builder, Bodies& bodies, const Topology& topology) {
  // first index in q and v, by joint
  const Equations& e = builder.equations();
  std::map<std::string, std::pair<int, int>> first_index;
  for (std::size_t i = e.positions.size(); i-- > 0;) first_index[e.positions[i].joint].first = static_cast<int>(i);
  for (std::size_t i = e.velocities.size(); i-- > 0;) first_index[e.velocities[i].joint].second = static_cast<int>(i);

  for (const SpanningTree::Edge& edge : topology.tree.edges) {
    const std::string& joint = builder.model().joints[edge.joint].name;
    builder.guarded("joints." + joint, [&] { place_joint(builder, bodies, topology, edge, first_index[joint]); });
  }
}

}  // namespace armature::internal
