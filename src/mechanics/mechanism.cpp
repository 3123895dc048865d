// The tree: coordinates for every joint that is not cut, links for its motions, bodies on the links.
#include "mechanics/mechanism.hpp"

#include <fmt/format.h>

#include <cmath>

#include "mechanics/articulated_tree.hpp"
#include "model/joint_kinds.hpp"
#include "model/limits.hpp"

namespace armature::internal {

namespace {

// Round-off left by formulas such as cos(90 deg) would hide zeros from the compiler.
Vec3 cleaned(Vec3 x) {
  double largest = 0;
  for (const Expression& part : x)
    if (part.is_constant()) largest = std::max(largest, std::abs(part.value()));
  for (Expression& part : x)
    if (part.is_constant() && std::abs(part.value()) < 4e-16 * largest) part = 0.0;
  return x;
}

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

// The nodes that expressions are made of. Ids grow from operands to results.
std::vector<bool> needed_by(const std::vector<Expression>& list) {
  const Graph* graph = nullptr;
  for (const Expression& x : list)
    if (!x.is_constant()) graph = x.graph();
  std::vector<bool> needed(graph ? static_cast<std::size_t>(graph->size()) : 0, false);
  for (const Expression& x : list)
    if (!x.is_constant()) needed[static_cast<std::size_t>(x.id())] = true;
  for (auto id = static_cast<std::int32_t>(needed.size()) - 1; id >= 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    const Node& node = (*graph)[id];
    const std::int32_t operands[] = {node.a, node.b, node.c};
    for (int k = 0; k < operand_count(node.op); ++k) needed[static_cast<std::size_t>(operands[k])] = true;
  }
  return needed;
}

bool zero_vector(const Vec3& x) {
  for (const Expression& part : x)
    if (!part.is(0)) return false;
  return true;
}

}  // namespace

Mechanism::Mechanism(const Model& model, Equations& equations, const std::vector<std::string>& virtual_joints)
    : EquationsBuilder(model, equations), virtual_joints_(virtual_joints) {
  for (std::size_t k = 0; k < 12 * virtual_joints.size(); ++k)
    virtual_leaves_.push_back(
        graph_.input(k < 6 * virtual_joints.size() ? "virtual displacement" : "virtual velocity"));
  bodies_["ground"] = {};
}

int Mechanism::virtual_index(const std::string& joint) const {
  auto found = std::find(virtual_joints_.begin(), virtual_joints_.end(), joint);
  return found == virtual_joints_.end() ? -1 : 6 * static_cast<int>(found - virtual_joints_.begin());
}

void Mechanism::place_joints() {
  spanning_tree_ = spanning_tree(model_);
  for (const std::string& body : spanning_tree_.unreached)
    fail(std::ranges::find(model_.bodies, body, &Body::name)->where, "bodies." + body,
         "no uncut joint connects it to the ground; give it a joint (type: free if it moves freely)");
  for (int j : spanning_tree_.cut)
    if (model_.joints[j].cut == false)
      fail(model_.joints[j].where, "joints." + model_.joints[j].name,
           "cannot stay uncut: all joints of its loop have 'cut: false'");
  for (const Joint& joint : model_.joints) {
    guarded("joints." + joint.name, [&] {
      const Vec3 axis_a = joint.axis_a.given() ? vector(joint.axis_a) : Vec3{0.0, 0.0, 1.0};
      const Vec3 axis_b = joint.axis_b.given() ? vector(joint.axis_b) : axis_a;
      if (zero_vector(axis_a) || zero_vector(axis_b)) throw FormulaError(joint.where, "the axis has no direction");
      std::vector<Expression> own;
      for (const Formula& formula : joint.own) own.push_back(scalar(formula));
      geometry_.push_back(joint_geometry(joint, axis_a, joint.axis_b.given() ? &axis_b : nullptr, std::move(own)));
      if (!model_.plane.empty() && leaves_plane(geometry_.back(), model_.plane))
        throw FormulaError(joint.where, "moves out of the plane " + model_.plane);
    });
  }
  throw_if_failed();
  std::set<int> in_tree;
  for (const auto& edge : spanning_tree_.edges) in_tree.insert(edge.joint);
  if (!second_build()) {
    measure_arms();
    for (int j : in_tree) add_coordinates(model_.joints[j], geometry_[j]);
  }
  set_flow();
  add_beams();
  // indices by joint, from the coordinates' own records
  for (std::size_t i = eq_.positions.size(); i-- > 0;) first_index_[eq_.positions[i].joint].first = static_cast<int>(i);
  for (std::size_t i = eq_.velocities.size(); i-- > 0;)
    first_index_[eq_.velocities[i].joint].second = static_cast<int>(i);

  set_flow();
  for (const auto& edge : spanning_tree_.edges)
    guarded("joints." + model_.joints[edge.joint].name, [&] { place_joint(edge); });
  throw_if_failed();
  for (int j : spanning_tree_.cut) guarded("joints." + model_.joints[j].name, [&] { add_cut_coordinates(j); });
  for (const Body& body : model_.bodies)
    guarded("bodies." + body.name, [&] {
      const BodyPlace& place = bodies_.at(body.name);
      if (!body.beam && place.link >= 0)
        tree_[place.link].mass = tree_[place.link].mass + moved(place.pose, mass_of(body));
    });
}

// Leaves q and v of a joint, in the order of its motions; qdot = N(q) v.
void Mechanism::add_coordinates(const Joint& joint, const JointGeometry& geometry) {
  auto add_ball = [&](const std::string& prefix) {
    eq_.quaternions.push_back({static_cast<int>(eq_.q.size()), static_cast<int>(eq_.v.size())});
    std::array<Expression, 4> q;
    Vec3 w;
    for (int k = 0; k < 4; ++k) {
      const std::string name = prefix + "wxyz"[k];
      eq_.positions.push_back({name, Coordinate::Kind::quaternion, "", joint.name});
      eq_.q.push_back(q[k] = graph_.input(name));
      eq_.q_initial.push_back(k == 0);
    }
    for (int k = 0; k < 3; ++k) {
      const std::string name = joint.name + ".w" + "xyz"[k];
      eq_.velocities.push_back({name, Coordinate::Kind::angle, "rad/s", joint.name});
      eq_.v.push_back(w[k] = graph_.input(name));
    }
    // qdot = 1/2 q (0, w), with w in b's axes
    eq_.qdot.push_back(-0.5 * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]));
    eq_.qdot.push_back(0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]));
    eq_.qdot.push_back(0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]));
    eq_.qdot.push_back(0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]));
  };
  for (const ElementaryMotion& motion : geometry.motions) {
    if (motion.kind == ElementaryMotion::Kind::ball)
      add_ball(joint.name + quaternion_prefix(joint.type));
    else
      add_coordinate(
          component_name(joint.name, motion.component),
          motion.kind == ElementaryMotion::Kind::rotation ? Coordinate::Kind::angle : Coordinate::Kind::length,
          joint.name);
  }
}

// From the first joint of a body to its others: frames may have their origins anywhere.
void Mechanism::measure_arms() {
  std::map<std::string, Vec3> first;
  for (const Joint& joint : model_.joints)
    for (const Attachment* place : {&joint.a, &joint.b}) {
      const auto [at, is_first] = first.try_emplace(place->body, point_of(*place));
      const Vec3 arm = is_first ? Vec3{} : point_of(*place) - at->second;
      if (!zero_vector(arm)) eq_.arm_squares.push_back(dot(arm, arm));
    }
}

// The chain of a joint's motions as links, from whichever side is nearer to the ground; then the far body on the last one.
void Mechanism::place_joint(const SpanningTree::Edge& edge) {
  const Joint& joint = model_.joints[edge.joint];
  const JointGeometry& geometry = geometry_[edge.joint];
  const Attachment& near = edge.reversed ? joint.b : joint.a;
  const Attachment& far = edge.reversed ? joint.a : joint.b;
  const BodyPlace near_place = place_at(near.body, point_of(near), near.where);
  int link = near_place.link;
  Pose start = near_place.pose;
  if (edge.reversed) start = start * Pose{transpose(geometry.align), {}};

  // (motion, first q, first v) from a to b; a virtual joint's six displacements come first
  struct Step {
    ElementaryMotion motion;
    int q, v;
  };
  std::vector<Step> steps;
  if (const int first = virtual_index(joint.name); first >= 0)
    for (int i = 0; i < 6; ++i) {
      ElementaryMotion motion{i < 3 ? ElementaryMotion::Kind::translation : ElementaryMotion::Kind::rotation, {}, ""};
      motion.axis[i % 3] = 1.0;
      steps.push_back({motion, -1, static_cast<int>(eq_.v.size()) + first + i});
    }
  auto [q, v] = first_index_[joint.name];
  for (const ElementaryMotion& motion : geometry.motions) {
    const bool ball = motion.kind == ElementaryMotion::Kind::ball;
    steps.push_back({motion, q, v});
    if (!ball) {
      const std::string name = component_name(joint.name, motion.component);
      name_coordinate({name, eq_.positions[q].unit, eq_.q[q], eq_.v[v]});
    }
    q += ball ? 4 : 1;
    v += ball ? 3 : 1;
  }
  if (edge.reversed) std::reverse(steps.begin(), steps.end());
  for (const Step& step : steps) {
    link = add_motion(link, start, step.motion, edge.reversed, step.q, step.v);
    start = {};
  }
  // the far body's frame: its joint point lies at the end of the chain
  const Mat3 turn = edge.reversed ? Mat3::identity() : geometry.align;
  place_body(far.body, point_of(far), link, start * Pose{turn, {}}, far.where);
}

int Mechanism::add_motion(int parent, Pose start, const ElementaryMotion& motion, bool reversed, int q, int v) {
  Link link;
  link.parent = parent;
  const Vec3 axis = reversed ? -motion.axis : motion.axis;
  const Expression value = q >= 0 ? eq_.q[q] : virtual_leaves_[v - eq_.v.size()];
  switch (motion.kind) {
    case ElementaryMotion::Kind::rotation:
      link.pose = start * Pose{rotation(axis, value), value * (motion.lead * axis)};
      link.turn = AxisTurn{start.R, axis, value};
      link.freedoms = {{v, axis, motion.lead * axis}};
      break;
    case ElementaryMotion::Kind::translation:
      link.pose = start * Pose{Mat3::identity(), value * axis};
      link.freedoms = {{v, {}, axis}};
      break;
    case ElementaryMotion::Kind::ball: {
      const Mat3 R = quaternion_rotation({eq_.q[q], eq_.q[q + 1], eq_.q[q + 2], eq_.q[q + 3]});
      link.pose = start * Pose{reversed ? transpose(R) : R, {}};
      // v is the angular velocity of b in b's axes; seen from b, a turns by -v, in a's axes -R v
      for (int k = 0; k < 3; ++k) {
        Vec3 unit{};
        unit[k] = 1.0;
        link.freedoms.push_back({v + k, reversed ? -(R * unit) : unit, {}});
      }
      break;
    }
  }
  return tree_.add(std::move(link));
}

Vec3 Mechanism::point_of(const Attachment& place) const {
  return place.at.given() ? cleaned(lower_vector(place.at, scope_)) : Vec3{};
}

Pose Mechanism::pose_of(const Attachment& place, int ancestor) const {
  const BodyPlace& body = bodies_.at(place.body);
  return tree_.pose(body.link, ancestor) * body.pose * local_pose(place, point_of(place));
}

MassProperties Mechanism::mass_of(const Body& body) {
  const Expression m = scalar(body.mass);
  const Vec3 c = body.center.given() ? cleaned(vector(body.center)) : Vec3{};
  const Inertia& inertia = body.inertia;
  auto diagonal = [&](const Formula& formula, const char* entry) -> Expression {
    if (formula.given()) return scalar(formula);
    if (second_build()) return 0.0;  // already judged with the equations of motion
    missing_.push_back({graph_.input("missing inertia"), body.where, body.name, entry});
    return missing_.back().leaf;
  };
  Mat3 J;
  J(0, 0) = diagonal(inertia.xx, "xx"), J(1, 1) = diagonal(inertia.yy, "yy"), J(2, 2) = diagonal(inertia.zz, "zz");
  J(0, 1) = J(1, 0) = scalar(inertia.xy);
  J(0, 2) = J(2, 0) = scalar(inertia.xz);
  J(1, 2) = J(2, 1) = scalar(inertia.yz);
  if (inertia.about == Inertia::About::center) {
    // Steiner: about the body's origin
    const Expression cc = dot(c, c);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) += m * ((i == k ? cc : Expression(0.0)) - c[i] * c[k]);
  }
  return {m, m * c, J};
}

void Mechanism::check_missing_inertia() {
  if (missing_.empty()) return;
  std::vector<Expression> visible = eq_.f;
  for (int i = 0; i < eq_.M.rows(); ++i)
    for (const auto& entry : eq_.M.row(i)) visible.push_back(entry.value);
  const std::vector<bool> needed = needed_by(visible);
  for (const auto& missing : missing_)
    if (!needed.empty() && needed[static_cast<std::size_t>(missing.leaf.id())])
      fail(missing.where, "bodies." + missing.body + ".inertia",
           missing.entry + " is missing, and the motion depends on it (write 'inertia: none' for a point mass)");
}

// 1/2 v' M v. In a long chain every velocity meets every other in M; there M v comes from the recursion of Newton and
// Euler, at rest and without gravity, whose length grows with that of the chain.
Expression Mechanism::kinetic_energy(const std::vector<Expression>& v) const {
  Expression twice = 0.0;
  if (tree_.depth() <= long_chain) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      Expression row = 0.5 * (eq_.M(static_cast<int>(i), static_cast<int>(i)) * v[i]);
      for (const auto& [j, entry] : eq_.M.row(static_cast<int>(i)))
        if (j < static_cast<int>(i)) row += entry * v[j];
      twice += 2.0 * (row * v[i]);
    }
    return 0.5 * twice;
  }
  const std::vector<Expression> at_rest(v.size(), 0.0);
  const std::vector<Expression> momentum = tree_.without_loads().inverse_dynamics(at_rest, v, {});
  for (std::size_t i = 0; i < v.size(); ++i) twice += momentum[i] * v[i];
  for (const auto& [place, inertia] : reflected_) twice += inertia * v[place.first] * v[place.second];
  return 0.5 * twice;
}

// Each velocity meets those of all links between its own and the ground.
void Mechanism::require_room() const {
  std::vector<long> above(static_cast<std::size_t>(tree_.size()));
  long entries = 0;
  for (int i = 0; i < tree_.size(); ++i) {
    const auto own = static_cast<long>(tree_[i].freedoms.size());
    const long up = tree_[i].parent < 0 ? 0 : above[static_cast<std::size_t>(tree_[i].parent)];
    entries += own * up + own * (own + 1) / 2;
    above[static_cast<std::size_t>(i)] = up + own;
  }
  if (entries > limits::mass_matrix_entries)
    throw ModelError(model_.file,
                     {{{},
                       "joints",
                       fmt::format("the mass matrix has {} entries, more than the limit of {}: the chains of joints "
                                   "are too long, with up to {} degrees of freedom in series",
                                   entries, limits::mass_matrix_entries, *std::ranges::max_element(above))}});
}

void Mechanism::finish() {
  require_room();
  const int nv = velocity_count();
  std::vector<Expression> v = eq_.v;
  v.resize(nv, 0.0);  // virtual displacements stand still
  const std::vector<Expression> at_rest(nv, 0.0);
  const auto bias = tree_.inverse_dynamics(v, at_rest, gravity_);
  eq_.M = tree_.mass_matrix(nv);
  for (const auto& [place, inertia] : reflected_) eq_.M.add(place.first, place.second, inertia);
  eq_.f.clear();
  for (int i = 0; i < nv; ++i) eq_.f.push_back(-bias[i]);
  for (const auto& [i, force] : applied_) eq_.f[i] += force;
  // coordinates outside the tree first, then its leaves
  eq_.elimination_order = tree_.leaves_first();
  const std::set<int> in_tree(eq_.elimination_order.begin(), eq_.elimination_order.end());
  for (int i = 0; i < nv; ++i)
    if (!in_tree.contains(i)) eq_.elimination_order.insert(eq_.elimination_order.begin(), i);

  eq_.kinetic = kinetic_energy(v);
  eq_.potential -= dot(gravity_, tree_.moment());
  check_missing_inertia();
  if (!second_build()) eq_.tree = articulated_tree(tree_without_missing(), {applied_, reflected_}, v, gravity_);
}

// Inertia that no motion sees counts as none.
Tree Mechanism::tree_without_missing() const {
  Tree tree = tree_;
  LeafMap none;
  for (const auto& missing : missing_) none[missing.leaf.id()] = 0.0;
  Substitution without(none);
  for (int i = 0; i < tree.size() && !missing_.empty(); ++i)
    for (Expression& entry : tree[i].mass.inertia.entry) entry = without(entry);
  return tree;
}

}  // namespace armature::internal
