#include "mechanics/articulated_tree.hpp"

#include <algorithm>
#include <cmath>

namespace armature::internal {

namespace {

constexpr double of_directions = 1e-15;  // round-off of products of directions

int axis_of(const Vec3& n) {  // coordinate axis along which a unit vector lies; -1: none
  for (int i = 0; i < 3; ++i)
    if (n[i].is(1) || n[i].is(-1)) return i;
  return -1;
}

// Axes with the third one along n.
Mat3 axes_along(const Vec3& n) {
  int least = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(n[i].value()) < std::abs(n[least].value())) least = i;
  Vec3 e{};
  e[least] = 1.0;
  const Vec3 y = cross(n, e), e2 = (1.0 / norm(y)) * y, e1 = cross(e2, n);
  Mat3 A;
  for (int i = 0; i < 3; ++i) A(i, 0) = e1[i], A(i, 1) = e2[i], A(i, 2) = n[i];
  return A;
}

// Round-off of products of constant turns would hide zeros and ones.
Mat3 cleaned(Mat3 R) {
  for (Expression& entry : R.entry)
    for (const double simple : {-1.0, 0.0, 1.0})
      if (entry.is_constant() && std::abs(entry.value() - simple) < of_directions) entry = simple;
  return R;
}

Mat3 outer_product(const Vec3& x, const Vec3& y) {
  Mat3 A;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) A(i, j) = x[i] * y[j];
  return A;
}

Mat3 second_moments(const Mat3& J) {
  const Expression half = 0.5 * (J(0, 0) + J(1, 1) + J(2, 2));
  Mat3 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result(i, j) = i == j ? half - J(i, j) : -J(i, j);
  return result;
}

// Masses and forces in a frame that has the given pose in the one they are given in. They are turned first and moved then: the
// way along the axis of a turn has no other component in the new axes, so that moments of inertia about it keep their digits.
void set_in_frame(const Link& link, const Pose& frame, ArticulatedLink& result) {
  const Mat3 At = transpose(frame.R);
  const Vec3 o = without_round_off(-(At * frame.p), of_directions), s = At * link.mass.moment, f = At * link.force;
  const Expression m = link.mass.mass;
  result.mass = m;
  result.moment = s + m * o;
  result.second = At * second_moments(link.mass.inertia) * frame.R + outer_product(o, s) + outer_product(s, o) +
                  outer_product(o, m * o);
  result.force = f;
  result.torque = At * link.torque + cross(o, f);
}

// The frame of a link that turns about a constant axis: its axes along the axis, its origin on it where that costs least.
Pose turning_frame(const Link& link, const Pose& parent) {
  const Vec3& n = link.turn->axis;
  Pose frame;
  if (axis_of(n) < 0) frame.R = axes_along(n);
  const Expression along = dot(link.turn->outer * n, link.pose.p - parent.p);
  if (along.is_constant()) frame.p = -along * n;
  return frame;
}

bool turns(const Link& link) { return link.turn && is_constant(link.turn->axis) && link.freedoms.size() == 1; }

ArticulatedLink placed(const Link& link, const Pose& frame, const Pose& parent) {
  ArticulatedLink result;
  result.parent = link.parent;
  result.bias = link.bias, result.spin_bias = link.spin_bias;
  const Mat3 At = transpose(parent.R);
  if (turns(link)) {
    // a turn about a coordinate axis of the new frame, with the sign of the old axis
    const Vec3 n = transpose(frame.R) * link.turn->axis;
    const int axis = axis_of(link.turn->axis) < 0 ? 2 : axis_of(link.turn->axis);
    const bool backwards = axis_of(link.turn->axis) >= 0 && n[axis].is(-1);
    Vec3 unit{};
    unit[axis] = backwards ? -1.0 : 1.0;
    result.turn =
        Turn::about(cleaned(At * link.turn->outer * frame.R), axis, backwards ? -link.turn->angle : link.turn->angle);
    result.p = At * (link.pose.p - parent.p + link.turn->outer * frame.p);
    result.freedoms = {{link.freedoms.front().velocity, unit, transpose(frame.R) * link.freedoms.front().linear}};
  } else {
    // any other link keeps its frame, seen from the parent in its new one
    result.turn = Turn::by(At, link.pose.R);
    result.p = At * (link.pose.p - parent.p);
    result.freedoms = link.freedoms;
  }
  set_in_frame(link, frame, result);
  return result;
}

std::vector<ArticulatedLink> placed_links(const Tree& tree) {
  std::vector<ArticulatedLink> links;
  std::vector<Pose> frames;  // in those of the tree
  for (int i = 0; i < tree.size(); ++i) {
    const Pose parent = tree[i].parent < 0 ? Pose{} : frames[static_cast<std::size_t>(tree[i].parent)];
    frames.push_back(turns(tree[i]) ? turning_frame(tree[i], parent) : Pose{});
    links.push_back(placed(tree[i], frames.back(), parent));
  }
  return links;
}

// Each velocity moves one link at most, and no inertia couples two of them.
bool fits(const Tree& tree, const JointElements& elements, std::size_t nv, std::vector<int>& outside) {
  std::vector<int> links_of(nv, 0);
  for (int i = 0; i < tree.size(); ++i)
    for (const Freedom& freedom : tree[i].freedoms) ++links_of[static_cast<std::size_t>(freedom.velocity)];
  for (std::size_t k = 0; k < nv; ++k) {
    if (links_of[k] > 1) return false;
    if (links_of[k] == 0) outside.push_back(static_cast<int>(k));
  }
  return std::all_of(elements.reflected.begin(), elements.reflected.end(),
                     [](const auto& entry) { return entry.first.first == entry.first.second || entry.second.is(0); });
}

}  // namespace

std::shared_ptr<ArticulatedTree> articulated_tree(const Tree& tree, const JointElements& elements,
                                                  const std::vector<Expression>& v, const Vec3& gravity) {
  auto result = std::make_shared<ArticulatedTree>();
  if (!fits(tree, elements, v.size(), result->outside)) return nullptr;
  // links in their new frames, with masses moved as near to the ground as they go
  result->links = placed_links(tree);
  regroup_masses(result->links);
  result->wrenches = link_wrenches(result->links, v, gravity);
  // forces and inertia of elements, by velocity
  result->applied.assign(v.size(), 0.0);
  result->inertia.assign(v.size(), 0.0);
  for (const auto& [k, force] : elements.applied) result->applied[static_cast<std::size_t>(k)] = force;
  for (const auto& [place, inertia] : elements.reflected) {
    const auto k = static_cast<std::size_t>(place.first);
    if (place.first == place.second) result->inertia[k] = inertia;
  }
  result->kinetic = kinetic_energy(result->links, v);
  for (std::size_t k = 0; k < v.size(); ++k) result->kinetic += 0.5 * (result->inertia[k] * v[k] * v[k]);
  return result;
}

long composite_factor_size(const ArticulatedTree& tree) {
  std::vector<long> above;  // velocities of the links between each and the ground, with its own
  long size = 0;
  for (const ArticulatedLink& link : tree.links) {
    long count = link.parent < 0 ? 0 : above[static_cast<std::size_t>(link.parent)];
    for (std::size_t k = 0; k < link.freedoms.size(); ++k, ++count) size += count * (count + 1);
    above.push_back(count);
  }
  return size;
}

}  // namespace armature::internal
