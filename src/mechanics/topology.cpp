#include "mechanics/topology.hpp"

#include <algorithm>
#include <map>

#include "mechanics/bodies.hpp"

namespace armature::internal {

namespace {

// Whether a joint has motions that are not parallel to a plane: turns about its normal and slides along it are.
bool leaves_plane(const JointGeometry& joint, const std::string& plane) {
  const int normal = plane == "yz" ? 0 : plane == "xz" ? 1 : 2;
  for (const ElementaryMotion& motion : joint.motions) {
    if (motion.kind == ElementaryMotion::Kind::ball || !motion.lead.is(0)) return true;
    for (int i = 0; i < 3; ++i)
      if ((i == normal) != (motion.kind == ElementaryMotion::Kind::rotation) && !motion.axis[i].is(0)) return true;
  }
  return false;
}

void check_tree(EquationsBuilder& builder, const SpanningTree& tree) {
  const Model& model = builder.model();
  for (const std::string& body : tree.unreached)
    builder.fail(std::ranges::find(model.bodies, body, &Body::name)->where, "bodies." + body,
                 "no uncut joint connects it to the ground; give it a joint (type: free if it moves freely)");
  for (int j : tree.cut)
    if (model.joints[j].cut == false)
      builder.fail(model.joints[j].where, "joints." + model.joints[j].name,
                   "cannot stay uncut: all joints of its loop have 'cut: false'");
}

JointGeometry geometry_of(EquationsBuilder& builder, const Joint& joint) {
  const Vec3 axis_a = joint.axis_a.given() ? builder.vector(joint.axis_a) : Vec3{0.0, 0.0, 1.0};
  const Vec3 axis_b = joint.axis_b.given() ? builder.vector(joint.axis_b) : axis_a;
  if (is_zero(axis_a) || is_zero(axis_b)) throw FormulaError(joint.where, "the axis has no direction");
  std::vector<Expression> own;
  for (const Formula& formula : joint.own) own.push_back(builder.scalar(formula));
  return joint_geometry(joint, axis_a, joint.axis_b.given() ? &axis_b : nullptr, std::move(own));
}

}  // namespace

Topology topology_of(EquationsBuilder& builder) {
  const Model& model = builder.model();
  Topology topology{spanning_tree(model), {}};
  check_tree(builder, topology.tree);
  for (const Joint& joint : model.joints)
    builder.guarded("joints." + joint.name, [&] {
      topology.geometry.push_back(geometry_of(builder, joint));
      if (!model.plane.empty() && leaves_plane(topology.geometry.back(), model.plane))
        throw FormulaError(joint.where, "moves out of the plane " + model.plane);
    });
  builder.throw_if_failed();
  return topology;
}

std::vector<Expression> arm_squares(const EquationsBuilder& builder) {
  std::vector<Expression> squares;
  std::map<std::string, Vec3> first;
  for (const Joint& joint : builder.model().joints)
    for (const Attachment* place : {&joint.a, &joint.b}) {
      const auto [at, is_first] = first.try_emplace(place->body, point_of(*place, builder));
      const Vec3 arm = is_first ? Vec3{} : point_of(*place, builder) - at->second;
      if (!is_zero(arm)) squares.push_back(dot(arm, arm));
    }
  return squares;
}

}  // namespace armature::internal
