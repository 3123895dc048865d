#include "mechanics/body_masses.hpp"

#include "mechanics/real_inertia.hpp"

namespace armature::internal {

namespace {

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

}  // namespace

void BodyMasses::add_to(Bodies& bodies) {
  for (const Body& body : builder_.model().bodies)
    builder_.guarded("bodies." + body.name, [&] {
      const BodyPlace& place = bodies.frame_of(body.name);
      if (body.beam || place.link < 0) return;
      MassProperties& mass = bodies.tree()[place.link].mass;
      mass = mass + moved(place.pose, mass_of(body));
    });
}

MassProperties BodyMasses::mass_of(const Body& body) {
  const Expression m = builder_.scalar(body.mass);
  const Vec3 c = body.center.given() ? without_round_off(builder_.vector(body.center)) : Vec3{};
  const Inertia& inertia = body.inertia;
  auto diagonal = [&](const Formula& formula, const char* entry) -> Expression {
    if (formula.given()) return builder_.scalar(formula);
    if (m.is(0) || builder_.second_build()) return 0.0;  // massless; or already judged with the equations of motion
    missing_.push_back({builder_.graph().input("missing inertia"), body.where, body.name, entry});
    return missing_.back().leaf;
  };
  Mat3 J;
  J(0, 0) = diagonal(inertia.xx, "xx"), J(1, 1) = diagonal(inertia.yy, "yy"), J(2, 2) = diagonal(inertia.zz, "zz");
  J(0, 1) = J(1, 0) = builder_.scalar(inertia.xy);
  J(0, 2) = J(2, 0) = builder_.scalar(inertia.xz);
  J(1, 2) = J(2, 1) = builder_.scalar(inertia.yz);
  if (!builder_.second_build()) require_real_inertia(builder_, body, J, m, c);
  if (inertia.about == Inertia::About::center) {
    // Steiner: about the body's origin
    const Expression cc = dot(c, c);
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) J(i, k) += m * ((i == k ? cc : Expression(0.0)) - c[i] * c[k]);
  }
  return {m, m * c, J};
}

void BodyMasses::check_missing() {
  if (missing_.empty()) return;
  const Equations& equations = builder_.equations();
  std::vector<Expression> visible = equations.f;
  for (int i = 0; i < equations.M.rows(); ++i)
    for (const auto& entry : equations.M.row(i)) visible.push_back(entry.value);
  const std::vector<bool> needed = needed_by(visible);
  for (const MissingInertia& missing : missing_)
    if (!needed.empty() && needed[static_cast<std::size_t>(missing.leaf.id())])
      builder_.fail(
          missing.where, "bodies." + missing.body + ".inertia",
          missing.entry + " is missing, and the motion depends on it (write 'inertia: none' for a point mass)");
}

Tree BodyMasses::without_missing(const Tree& tree) const {
  Tree without = tree;
  LeafMap none;
  for (const MissingInertia& missing : missing_) none[missing.leaf.id()] = 0.0;
  Substitution to_zero(none);
  for (int i = 0; i < without.size() && !missing_.empty(); ++i)
    for (Expression& entry : without[i].mass.inertia.entry) entry = to_zero(entry);
  return without;
}

}  // namespace armature::internal
