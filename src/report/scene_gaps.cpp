// Where contacts stand whose gap is a formula. Of one that follows a single length,
//
//   gap = f x + g      f, g: of parameters alone
//
// the gap closes at  x = -g/f. Where x is the coordinate of a slider, it meets an end stop there. Where it is a coordinate of a point, a
// plane across that axis is under the point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "expression/derivative.hpp"
#include "expression/lower.hpp"
#include "mechanics/bodies.hpp"
#include "model/joint_components.hpp"
#include "report/formula_joints.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

// A point of a body and one of its coordinates: "box.front.y", or "ball.z" of the origin of a body.
struct PointCoordinate {
  const Body* body = nullptr;
  Formula at;
  std::size_t axis = 0;
};

std::optional<PointCoordinate> point_coordinate(const std::string& name, const Model& model) {
  if (name.size() < 3 || name[name.size() - 2] != '.') return std::nullopt;
  const std::size_t axis = std::string_view("xyz").find(name.back());
  const std::string place = name.substr(0, name.size() - 2);
  if (axis == std::string_view::npos) return std::nullopt;
  for (const Body& body : model.bodies) {
    if (body.name == place) return PointCoordinate{&body, {}, axis};
    for (const NamedPoint& point : body.points)
      if (body.name + "." + point.name == place) return PointCoordinate{&body, point.at, axis};
  }
  return std::nullopt;
}

// A gap, and the one length that it follows.
class GapFormula {
 public:
  GapFormula(const Formula& gap, const Model& model, EquationsBuilder& builder)
      : gap_(gap), model_(model), builder_(builder) {}

  // The only name in the formula that moves; none where there are several, or where time moves it too.
  std::optional<std::string> length() const {
    std::optional<std::string> found;
    for (const std::string& name : names_in(gap_, model_)) {
      if (name == "t") return std::nullopt;
      if (!find_coordinate(model_, name) && !point_coordinate(name, model_)) continue;
      if (found) return std::nullopt;
      found = name;
    }
    return found;
  }

  Expression factor(const std::string& length) {
    const Expression x = builder_.graph().input("gap along " + length);
    return Derivative(LeafMap{{x.id(), Expression(1.0)}})(with(length, x));
  }
  Expression at_zero(const std::string& length) { return with(length, 0.0); }

 private:
  Expression with(const std::string& length, Expression x) { return lower_scalar(gap_, scope(length, x)); }

  Scope scope(const std::string& length, Expression x) {
    Scope scope;
    scope.look_up = [=, this](const std::string& name) -> std::optional<Value> {
      if (name == length) return Value(x);
      const auto definition = std::ranges::find(model_.definitions, name, &std::pair<std::string, Formula>::first);
      if (definition != model_.definitions.end()) return lower(definition->second, this->scope(length, x));
      return builder_.look_up(name);
    };
    return scope;
  }

  const Formula& gap_;
  const Model& model_;
  EquationsBuilder& builder_;
};

// How far a ball or wheel about a point reaches from it, m.
double round_reach(const SceneBody& body, const Triple& at) {
  for (const SceneShape& shape : body.shapes)
    if (shape.radius > 0 && shape.at == at && shape.kind != "rod") return shape.radius;
  return 0;
}

double farthest_point(const SceneBody& body) {
  double farthest = 0;
  for (const auto& [name, at] : body.points) farthest = std::max(farthest, vector_of(at).norm());
  return farthest;
}

}  // namespace

void Scene::Builder::add_gaps(EquationsBuilder& builder) {
  for (const ForceElement& element : model_.forces) {
    if (std::string_view(element.kind->type()) != "contact" || !element.values["gap"].given()) continue;
    try {
      add_gap(element, builder);
    } catch (const FormulaError&) {  // a table or a signal, which a picture does not follow
    }
  }
}

void Scene::Builder::add_gap(const ForceElement& element, EquationsBuilder& builder) {
  GapFormula gap(element.values["gap"], model_, builder);
  const std::optional<std::string> length = gap.length();
  if (!length) return;
  const Expression factor = gap.factor(*length), closed = -gap.at_zero(*length) / factor;
  if (!is_fixed(factor, builder.equations()) || !is_fixed(closed, builder.equations())) return;
  const double f = constant(factor, builder, "");
  if (!std::isfinite(f) || f == 0) return;
  const auto joint = std::ranges::find(scene_.joints, *length, &SceneJoint::name);
  if (joint != scene_.joints.end()) {
    const std::size_t end = f > 0 ? 0 : 1;
    if (joint->glyph == "slider" && !joint->stops[end])
      joint->stops[end] =
          constant(closed, builder, fmt::format("joints/{}/stops/{}", joint - scene_.joints.begin(), end));
  } else if (const auto point = point_coordinate(*length, model_)) {
    const ScenePlace at = place({point->body->name, point->at, {}}, builder, "");
    add_gap_plane(element.name, at, builder.find_bodies()->pose_of({point->body->name, point->at, {}}).p, point->axis,
                  closed, f);
  }
}

// Across one of the axes of the ground, under a point p of a body; planar: a line that is as long as two thirds of the body's reach.
void Scene::Builder::add_gap_plane(const std::string& name, const ScenePlace& place, const Vec3& p, std::size_t axis,
                                   Expression closed, double factor) {
  const SceneBody& body = scene_.bodies[static_cast<std::size_t>(place.body)];
  const double sign = factor > 0 ? 1 : -1, round = round_reach(body, place.at);
  const double across = round > 0 ? 3 * round : farthest_point(body) > 0 ? farthest_point(body) / 3 : 0.3 * reach();
  Vec3 under = p;
  under[axis] = closed - sign * round;
  const auto moved = [&](std::size_t along, double by) {
    Vec3 at = under;
    at[along] = at[along] + by;
    return at;
  };
  const std::size_t normal = model_.plane == "yz" ? 0 : model_.plane == "xz" ? 1 : 2;
  std::vector<Vec3> line;
  if (model_.plane.empty()) {
    const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const auto& [a, b] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}}) {
      Vec3 corner = moved(u, a * across);
      corner[v] = corner[v] + b * across;
      line.push_back(corner);
    }
  } else if (axis != normal) {
    // the free side is to the right of the way from the first point to the second, seen from the normal of the plane
    const std::size_t along = 3 - axis - normal;
    const double turn = sign * ((normal + 1) % 3 == axis ? 1 : -1);
    line = {moved(along, -turn * across), moved(along, turn * across)};
  }
  add_outline(name, line, !model_.plane.empty());
}

}  // namespace armature::internal
