// Surfaces that touch, as lines of a scene: outlines of circles, arcs, slots and cams, and of a plane the part that is under the other
// surface. A round surface of a body that has a shape of its own is that shape.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mechanics/bodies.hpp"
#include "model/contact_surface.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

constexpr int around = 48;  // points of a closed outline

int plane_normal_index(const std::string& plane) { return plane == "yz" ? 0 : plane == "xz" ? 1 : 2; }

bool has_body(const Model& model, const std::string& body) {
  return std::ranges::count(model.bodies, body, &Body::name) > 0;
}

bool has_shape(const Model& model, const std::string& body) {
  for (const Body& each : model.bodies)
    if (each.name == body) return !each.shapes.empty();
  return false;
}

// Outlines in the axes of a body, about the place of the surface.
class SurfaceOutline {
 public:
  SurfaceOutline(EquationsBuilder& builder, const ContactSurface& surface) : builder_(builder), surface_(surface) {
    const int n = plane_normal_index(builder.model().plane);
    axis_ = unit_axis(n), e1_ = unit_axis((n + 1) % 3), e2_ = unit_axis((n + 2) % 3);
    if (builder.model().plane.empty() && surface.axis.given()) turn_to(builder.vector(surface.axis));
  }

  std::vector<Vec3> points() const {
    const bool planar = !builder_.model().plane.empty();
    switch (surface_.kind) {
      case SurfaceKind::circle:
      case SurfaceKind::cylinder: return arc(Vec3{}, 0.0, 2 * std::numbers::pi);
      case SurfaceKind::sphere:
        return planar || surface_.inside ? arc(Vec3{}, 0.0, 2 * std::numbers::pi) : std::vector<Vec3>{};
      case SurfaceKind::arc: return arc(Vec3{}, builder_.scalar(surface_.from), builder_.scalar(surface_.to));
      case SurfaceKind::capsule:
      case SurfaceKind::slot: return planar ? stadium() : std::vector<Vec3>{};
      case SurfaceKind::cam: return cam();
      default: return {};
    }
  }

 private:
  static Vec3 unit_axis(int i) {
    Vec3 e{};
    e[static_cast<std::size_t>(i)] = 1.0;
    return e;
  }
  void turn_to(const Vec3& axis) {
    axis_ = 1.0 / norm(axis) * axis;
    std::size_t least = 0;
    for (std::size_t i = 1; i < 3 && is_constant(axis_); ++i)
      if (std::abs(axis_[i].value()) < std::abs(axis_[least].value())) least = i;
    const Vec3 e = unit_axis(static_cast<int>(least)), t = e - dot(e, axis_) * axis_;
    e1_ = 1.0 / norm(t) * t, e2_ = cross(axis_, e1_);
  }
  Vec3 at_angle(Expression angle) const { return cos(angle) * e1_ + sin(angle) * e2_; }

  std::vector<Vec3> arc(const Vec3& center, Expression from, Expression to) const {
    const Expression r = builder_.scalar(surface_.radius);
    std::vector<Vec3> list;
    for (int k = 0; k <= around; ++k)
      list.push_back(center + r * at_angle(from + (static_cast<double>(k) / around) * (to - from)));
    return list;
  }

  // Half a circle about each end of the center line.
  std::vector<Vec3> stadium() const {
    const Vec3 from = surface_.from.given() ? builder_.vector(surface_.from) : Vec3{},
               to = builder_.vector(surface_.to), e = to - from;
    const Expression angle = atan2(dot(e, e2_), dot(e, e1_)), half = 0.5 * std::numbers::pi;
    std::vector<Vec3> list = arc(to, angle - half, angle + half);
    const std::vector<Vec3> other = arc(from, angle + half, angle + 3.0 * half);
    list.insert(list.end(), other.begin(), other.end());
    list.push_back(list.front());
    return list;
  }

  std::vector<Vec3> cam() const {
    std::vector<Vec3> list;
    for (int k = 0; k <= 2 * around; ++k) {
      const double angle = std::numbers::pi * k / around;
      list.push_back(builder_.names().scalar_with(surface_.profile, cam_angle, angle) * at_angle(angle));
    }
    return list;
  }

  EquationsBuilder& builder_;
  const ContactSurface& surface_;
  Vec3 axis_, e1_, e2_;
};

// Under the other surface, three of its radii to each side; in space a square.
std::vector<Vec3> part_of_plane(EquationsBuilder& builder, const ContactSurface& plane, const ContactSurface& other,
                                double reach) {
  const Bodies& bodies = *builder.find_bodies();
  const Pose P = bodies.pose_of(plane.at), C = bodies.pose_of(other.at);
  const Vec3 given = builder.vector(plane.axis), n = P.R * (1.0 / norm(given) * given);
  const Vec3 under = C.p - dot(n, C.p - P.p) * n;
  const Expression size = other.radius.given() ? 3.0 * builder.scalar(other.radius) : Expression(reach);
  if (const std::string& name = builder.model().plane; !name.empty()) {
    Vec3 normal{};
    normal[static_cast<std::size_t>(plane_normal_index(name))] = 1.0;
    const Vec3 t = cross(normal, n);
    return {under - size * t, under + size * t};
  }
  Vec3 e{};
  std::size_t least = 0;
  for (std::size_t i = 1; i < 3 && is_constant(given); ++i)
    if (std::abs(given[i].value()) < std::abs(given[least].value())) least = i;
  e[least] = 1.0;
  const Vec3 in_body = cross(given, e), u = P.R * (1.0 / norm(in_body) * in_body), w = cross(n, u);
  std::vector<Vec3> square;
  for (const auto& [a, b] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}})
    square.push_back(under + (a * size) * u + (b * size) * w);
  return square;
}

}  // namespace

// How far the places of joints lie from the origins of their bodies: what a surface without a size is drawn by.
double Scene::Builder::reach() const {
  double farthest = 0;
  for (const SceneJoint& joint : scene_.joints)
    for (const ScenePlace* place : {&joint.a, &joint.b})
      farthest = std::max(farthest, std::hypot(place->at[0], place->at[1], place->at[2]));
  return farthest > 0 ? farthest : 1;
}

void Scene::Builder::add_outline(const std::string& name, const std::vector<Vec3>& line, bool fixed) {
  if (line.empty()) return;
  scene_.drawings.push_back({name, static_cast<int>(points_.size()), static_cast<int>(line.size()), true, fixed});
  for (const Vec3& point : line) points_.insert(points_.end(), point.begin(), point.end());
}

void Scene::Builder::add_surface(const std::string& name, const ContactSurface& surface, const ContactSurface& other,
                                 EquationsBuilder& builder) {
  const bool solid = !surface.inside && surface.kind != SurfaceKind::arc && surface.kind != SurfaceKind::cam;
  if (surface.kind != SurfaceKind::plane && solid && has_shape(model_, surface.at.body)) return;
  if (surface.kind == SurfaceKind::plane) {
    const bool stands = !has_body(model_, surface.at.body) && !model_.plane.empty();
    return add_outline(name, part_of_plane(builder, surface, other, 0.3 * reach()), stands);
  }
  add_touched(surface, builder);
  const Pose X = builder.find_bodies()->pose_of(surface.at);
  std::vector<Vec3> line;
  const std::vector<Vec3> outline = SurfaceOutline(builder, surface).points();
  for (const Vec3& point : outline) line.push_back(X * point);
  if (!add_cam(name, surface, outline, builder)) add_outline(name, line, false);
}

// A body without a shape reaches to the middle of what touches.
void Scene::Builder::add_touched(const ContactSurface& surface, EquationsBuilder& builder) {
  const bool round = surface.kind == SurfaceKind::circle || surface.kind == SurfaceKind::sphere ||
                     surface.kind == SurfaceKind::cylinder;
  const ScenePlace at = place(surface.at, builder, "");
  if (round && !surface.inside && at.body >= 0)
    scene_.bodies[static_cast<std::size_t>(at.body)].touched.push_back(at.at);
}

// The cam of a body without a shape is its look, for the values of the file.
bool Scene::Builder::add_cam(const std::string& name, const ContactSurface& surface, const std::vector<Vec3>& outline,
                             EquationsBuilder& builder) {
  if (surface.kind != SurfaceKind::cam || !has_body(model_, surface.at.body) || has_shape(model_, surface.at.body))
    return false;
  const ScenePlace at = place(surface.at, builder, "");
  SceneProfile profile{name, "cam", at.body, {}};
  for (std::size_t k = 0; k + 1 < outline.size(); ++k) {
    Triple corner;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!is_fixed(outline[k][i], builder.equations())) return false;
      corner[i] = at.at[i] + constant(outline[k][i], builder, "");
    }
    profile.outline.push_back(corner);
  }
  scene_.profiles.push_back(std::move(profile));
  return true;
}

// A line along the edge.
void Scene::Builder::add_blade(const RollingConstraint& edge, EquationsBuilder& builder) {
  const Pose X = builder.find_bodies()->pose_of(edge.a);
  const Vec3 across = builder.vector(edge.across);
  Vec3 normal{};
  normal[static_cast<std::size_t>(plane_normal_index(model_.plane))] = 1.0;
  const Vec3 along = X.R * cross(across, normal);
  const ScenePlace at = place(edge.a, builder, "");
  double farthest = 0;
  if (at.body >= 0)
    for (const auto& [name, point] : scene_.bodies[static_cast<std::size_t>(at.body)].points)
      farthest = std::max(farthest, (vector_of(point) - vector_of(at.at)).norm());
  const Expression half = (farthest > 0 ? 0.15 * farthest : 0.3 * reach()) / norm(along);
  add_outline(edge.name, {X.p - half * along, X.p + half * along}, false);
}

void Scene::Builder::add_contacts(EquationsBuilder& builder) {
  const auto add = [&](const std::string& name, const std::vector<ContactSurface>& surfaces) {
    if (surfaces.size() != 2) return;
    add_surface(name, surfaces[0], surfaces[1], builder);
    add_surface(name, surfaces[1], surfaces[0], builder);
  };
  for (const ForceElement& element : model_.forces) add(element.name, element.surfaces);
  for (const RollingConstraint& rolling : model_.rolling)
    rolling.surfaces.empty() ? add_blade(rolling, builder) : add(rolling.name, rolling.surfaces);
}

}  // namespace armature::internal
