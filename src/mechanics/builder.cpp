#include "mechanics/builder.hpp"

#include <cmath>

#include "expression/interpolate.hpp"

namespace armature::internal {

namespace {

// A row that folded to a constant says nothing about the motion; unless the constant is not zero: then nothing can move.
constexpr double closed = 1e-9;  // m or rad

std::string apart(double gap, const std::string& unit) {
  char text[64];
  std::snprintf(text, sizeof text,
                unit == "m"    ? "%.4g mm"
                : unit.empty() ? "%.4g"
                               : "%.4g %s",
                unit == "m" ? gap * 1e3 : gap, unit.c_str());
  return text;
}

[[noreturn]] void refuse_body(const std::string& body, Location where) {
  throw FormulaError(where, "there is no body '" + body + "'");
}

}  // namespace

EquationsBuilder::EquationsBuilder(const Model& model, Equations& equations)
    : model_(model), eq_(equations), graph_(*equations.graph) {
  for (const Parameter& parameter : model.parameters) parameters_.emplace(parameter.name, &parameter);
  for (const auto& [name, formula] : model.definitions) definitions_.emplace(name, &formula);
  scope_.look_up = [this](const std::string& name) { return look_up(name); };
  scope_.rate = [this](Expression x) { return rate_of(x); };
  scope_.function = [this](const std::string& name, Expression x) -> std::optional<Expression> {
    auto table = model_.tables.find(name);
    if (table == model_.tables.end()) return std::nullopt;
    return interpolate(table->second, x);
  };
  scope_.names = [this] {
    std::vector<std::string> names{"t"};
    for (const auto& parameter : model_.parameters) names.push_back(parameter.name);
    for (const auto& definition : model_.definitions) names.push_back(definition.first);
    for (const auto& [name, coordinate] : coordinates_) names.push_back(name);
    for (const auto& point : model_.points) names.push_back(point.name);
    for (const auto& body : model_.bodies) names.push_back(body.name);
    for (const auto& body : model_.bodies)
      for (const auto& point : body.points) names.push_back(body.name + "." + point.name);
    return names;
  };
}

void EquationsBuilder::fail(Location where, const std::string& key, const std::string& message) {
  diagnostics_.push_back({where, key, message});
}

void EquationsBuilder::throw_if_failed() const {
  if (!diagnostics_.empty()) throw ModelError(model_.file, diagnostics_);
}

void EquationsBuilder::set_flow() {
  flow_[eq_.t.id()] = 1.0;
  for (std::size_t i = 0; i < eq_.q.size(); ++i) flow_[eq_.q[i].id()] = eq_.qdot[i];
  for (std::size_t i = 0; i < virtual_leaves_.size() / 2; ++i)
    flow_[virtual_leaves_[i].id()] = virtual_leaves_[virtual_leaves_.size() / 2 + i];
  along_flow_.reset();
}

Expression EquationsBuilder::along_flow(Expression x) {
  if (!along_flow_) along_flow_.emplace(flow_);
  return (*along_flow_)(x);
}

const NamedCoordinate& EquationsBuilder::add_coordinate(const std::string& name, Coordinate::Kind kind,
                                                        const std::string& owner) {
  const std::string unit = kind == Coordinate::Kind::length ? "m" : "rad";
  if (const int i = positions_.find(eq_.positions, name), k = velocities_.find(eq_.velocities, name + "'");
      i >= 0 && k >= 0)
    return coordinates_[name] = {name, unit, eq_.q[i], eq_.v[k]};
  eq_.positions.push_back({name, kind, unit, owner});
  eq_.velocities.push_back({name + "'", kind, unit + "/s", owner});
  eq_.q.push_back(graph_.input(name));
  eq_.v.push_back(graph_.input(name + "'"));
  eq_.qdot.push_back(eq_.v.back());
  eq_.q_initial.push_back(0);
  flow_[eq_.q.back().id()] = eq_.qdot.back();
  along_flow_.reset();
  return coordinates_[name] = {name, unit, eq_.q.back(), eq_.v.back()};
}

void EquationsBuilder::name_coordinate(NamedCoordinate coordinate) { coordinates_[coordinate.name] = coordinate; }

Expression EquationsBuilder::add_state(const std::string& name, const std::string& unit, const std::string& owner) {
  for (std::size_t i = 0; i < eq_.others.size(); ++i)
    if (eq_.others[i].name == name) return eq_.z[i];
  eq_.others.push_back({name, Coordinate::Kind::other, unit, owner});
  eq_.z.push_back(graph_.input(name));
  eq_.zdot.push_back(0.0);
  return eq_.z.back();
}

void EquationsBuilder::set_rate(Expression state, Expression zdot) {
  for (std::size_t i = 0; i < eq_.z.size(); ++i)
    if (eq_.z[i] == state) eq_.zdot[i] = zdot;
}

Expression EquationsBuilder::add_discrete(const std::string& name, double period, double offset) {
  for (const Discrete& known : eq_.discrete)
    if (known.name == name) return known.leaf;
  eq_.discrete.push_back({name, graph_.input(name), 0.0, 0, period, offset});
  return eq_.discrete.back().leaf;
}

void EquationsBuilder::set_next(Expression leaf, Expression next) {
  for (Discrete& value : eq_.discrete)
    if (value.leaf == leaf) value.next = next;
}

EquationsBuilder::Turning EquationsBuilder::turning_of(const std::string& body, Location where) {
  refuse_body(body, where);
}
Vec3 EquationsBuilder::gap(const Attachment& a, const Attachment&) { refuse_body(a.body, a.where); }
bool EquationsBuilder::can_move(const Attachment& place) { refuse_body(place.body, place.where); }
std::vector<Expression> EquationsBuilder::apply_wrench(const Attachment& place, const Vec3&, const Vec3&, bool) {
  refuse_body(place.body, place.where);
}

int EquationsBuilder::velocity_of(std::int32_t leaf) {
  if (static_cast<int>(velocity_number_.size()) != velocity_count()) {
    velocity_number_.clear();
    for (const Expression& v : eq_.v) velocity_number_.emplace(v.id(), static_cast<int>(velocity_number_.size()));
    for (std::size_t k = virtual_leaves_.size() / 2; k < virtual_leaves_.size(); ++k)
      velocity_number_.emplace(virtual_leaves_[k].id(), static_cast<int>(velocity_number_.size()));
  }
  const auto found = velocity_number_.find(leaf);
  return found == velocity_number_.end() ? -1 : found->second;
}

void EquationsBuilder::apply(Expression effort, Expression rate) {
  if (effort.is(0) || rate.is_constant()) return;
  for (std::int32_t leaf : leaves_of(rate))
    if (const int k = velocity_of(leaf); k >= 0) applied_[k] += Derivative({{leaf, 1.0}})(rate) * effort;
}

// T = 1/2 I rate^2 with rate = J v:  M += I J'J,  f -= I J' (dJ/dt v).
void EquationsBuilder::add_inertia(Expression inertia, Expression rate) {
  std::vector<std::pair<int, Expression>> J;
  for (std::int32_t leaf : leaves_of(rate))
    if (const int k = velocity_of(leaf); k >= 0) J.emplace_back(k, Derivative({{leaf, 1.0}})(rate));
  for (const auto& [i, Ji] : J)
    for (const auto& [k, Jk] : J) reflected_[{i, k}] += inertia * Ji * Jk;
  apply(-(inertia * along_flow(rate)), rate);
}

std::string EquationsBuilder::rate_in(Expression phi) {
  const std::vector<std::int32_t> leaves = leaves_of(phi);
  const auto name = [&](std::int32_t leaf) { return "'" + graph_.inputs()[graph_[leaf].a]; };
  for (std::int32_t leaf : leaves)
    if (velocity_of(leaf) >= 0) return name(leaf) + "', a velocity";
  for (const Expression& z : eq_.z)
    if (std::binary_search(leaves.begin(), leaves.end(), z.id())) return name(z.id()) + "', which is not a position";
  return "";
}

void EquationsBuilder::add_row(const std::string& owner, const std::string& suffix, const std::string& direction,
                               const std::string& unit, Location where, Expression phi) {
  const std::string name = suffix.empty() ? owner : owner + "." + suffix;
  if (const std::string rate = rate_in(phi); !rate.empty()) {
    throw FormulaError(where, "must depend on positions and t only, but it depends on " + rate);
  } else if (!phi.is_constant()) {
    eq_.rows.push_back({name, owner, direction, unit, false, phi});
  } else if (std::abs(phi.value()) > closed) {
    fail(where, owner,
         "cannot be satisfied: its two sides stay " + apart(phi.value(), unit) + " apart in " + direction +
             " whatever the pose");
  } else {
    eq_.vanished.push_back({name, owner, direction});
  }
}

}  // namespace armature::internal
