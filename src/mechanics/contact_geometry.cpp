#include "mechanics/contact_geometry.hpp"

#include <fmt/format.h>

#include <cmath>

#include "mechanics/cam_profile.hpp"

namespace armature::internal {

namespace {

// Where the direction between two centers vanishes, as in a bearing whose pin is centered, it has no derivative. Lengths below this
// share of the larger radius are rounded off: at the clearance c of a hole of radius R, by 5e-19 R^2/c.
constexpr double rounded_off = 1e-9;

int normal_of_plane(const std::string& plane) { return plane == "yz" ? 0 : plane == "xz" ? 1 : 2; }

Vec3 unit_vector(int axis) {
  Vec3 e{};
  e[static_cast<std::size_t>(axis)] = 1.0;
  return e;
}

// A surface with its numbers, in the frame of the pair.
struct Placed {
  const ContactSurface& surface;
  int link = -1;
  Pose pose;  // of the body's axes at the place
  Expression radius = 0;
  Vec3 axis{};  // unit
};

class PairBuilder {
 public:
  PairBuilder(EquationsBuilder& builder, const ContactSurface& a, const ContactSurface& b)
      : builder_(builder),
        label_(builder.graph().comparison_label()),
        planar_(!builder.model().plane.empty()),
        normal_(normal_of_plane(builder.model().plane)) {
    Bodies& bodies = builder.bodies_with(a.at.body, a.where);
    const BodyPlace at_a = bodies.place_at(a.at), at_b = bodies.place_at(b.at);
    frame_ = bodies.tree().common_ancestor(at_a.link, at_b.link);
    sides_.push_back(placed(a, at_a, bodies)), sides_.push_back(placed(b, at_b, bodies));
  }

  std::vector<ContactPair> pairs() {
    // the one with the simpler shape first; the normal then points from b to a again
    if (rank(sides_[0]) <= rank(sides_[1])) return of(sides_[0], sides_[1], 1);
    return of(sides_[1], sides_[0], -1);
  }

 private:
  // The nearest points of two shapes in order, `first` and `second`; the normal points from second to first.
  struct Nearest {
    Expression gap;
    Vec3 normal, on_first, on_second;
    Expression curvature = 0;
    std::vector<Vec3> tangents = {};
  };

  static int rank(const Placed& side) {
    switch (side.surface.kind) {
      case SurfaceKind::point: return 0;
      case SurfaceKind::sphere: return side.surface.inside ? 4 : 1;
      case SurfaceKind::circle: return side.surface.inside ? 4 : 2;
      case SurfaceKind::cylinder: return side.surface.inside ? 5 : 3;
      case SurfaceKind::capsule: return 6;
      case SurfaceKind::slot: return 7;
      case SurfaceKind::arc: return 8;
      case SurfaceKind::cam: return 9;
      case SurfaceKind::plane: break;
    }
    return 10;
  }

  Placed placed(const ContactSurface& surface, const BodyPlace& at, Bodies& bodies) {
    Placed side{surface, at.link, bodies.tree().pose(at.link, frame_) * at.pose, builder_.scalar(surface.radius), {}};
    const Formula& axis = surface.axis;
    if (axis.given())
      side.axis = side.pose.R * unit(builder_.vector(axis), axis.where);
    else if (planar_)
      side.axis = unit_vector(normal_);
    if (planar_ && axis.given() && (surface.kind == SurfaceKind::circle || surface.kind == SurfaceKind::cylinder) &&
        !is_zero(cross(side.axis, unit_vector(normal_))))
      throw FormulaError(axis.where, "in a planar model the axis is the plane's normal: leave it out");
    if (planar_ && surface.kind == SurfaceKind::plane && !side.axis[static_cast<std::size_t>(normal_)].is(0))
      throw FormulaError(axis.where, "the normal lies in the plane of the model");
    return side;
  }

  Vec3 unit(const Vec3& x, Location where) {
    builder_.require_positive(norm(x), where, "has no direction: its length is zero");
    return without_round_off(1.0 / norm(x) * x);
  }

  // A round shape, by its center in the plane or in space.
  bool is_round(const Placed& side) const {
    return side.surface.kind == SurfaceKind::point || side.surface.kind == SurfaceKind::sphere ||
           (planar_ && (side.surface.kind == SurfaceKind::circle || side.surface.kind == SurfaceKind::cylinder));
  }
  // Circles and cylinders of a planar model extend across it.
  Vec3 between_centers(const Placed& first, const Placed& second) const {
    return in_plane(first.pose.p - second.pose.p,
                    first.surface.kind != SurfaceKind::sphere || second.surface.kind != SurfaceKind::sphere);
  }
  Vec3 in_plane(Vec3 x, bool only = true) const {
    if (planar_ && only) x[static_cast<std::size_t>(normal_)] = 0.0;
    return x;
  }

  static Expression length_of(const Vec3& x, Expression size) {
    const Expression tiny = rounded_off * size;
    return sqrt(dot(x, x) + tiny * tiny);
  }

  // --- pairs

  std::vector<ContactPair> of(const Placed& first, const Placed& second, double sign) {
    if (first.surface.inside) refuse(first, second);
    const SurfaceKind kind = second.surface.kind;
    if (is_round(first)) {
      if (kind == SurfaceKind::plane) return {pair("", round_on_plane(first, second), first, second, sign)};
      if (kind == SurfaceKind::capsule || kind == SurfaceKind::slot)
        return {pair("", round_on_line(first, second), first, second, sign)};
      if (kind == SurfaceKind::arc) return {pair("", round_on_arc(first, second), first, second, sign)};
      if (kind == SurfaceKind::cam) return {pair("", round_on_cam(first, second), first, second, sign)};
      if (is_round(second)) return {pair("", round_on_round(first, second), first, second, sign)};
      if (kind == SurfaceKind::cylinder) return {pair("", round_on_cylinder(first, second), first, second, sign)};
    }
    if (kind == SurfaceKind::plane && first.surface.kind == SurfaceKind::circle)
      return {pair("", rim_on_plane(first, first.pose.p, second), first, second, sign)};
    if (kind == SurfaceKind::plane && first.surface.kind == SurfaceKind::cylinder)
      return rims_on_plane(first, second, sign);
    if (kind == SurfaceKind::plane && first.surface.kind == SurfaceKind::cam)
      return {pair("", cam_on_plane(first, second), first, second, sign)};
    refuse(first, second);
  }

  [[noreturn]] void refuse(const Placed& first, const Placed& second) const {
    throw FormulaError(
        first.surface.where,
        fmt::format("{} and {} have no contact geometry: {}", in_words(first.surface), in_words(second.surface),
                    planar_ ? "points, circles and spheres touch all others; a cam also touches a plane"
                            : "points and spheres touch spheres, cylinders, planes, capsules and slots; circles and "
                              "cylinders stand on planes"));
  }

  Nearest round_on_plane(const Placed& round, const Placed& plane) const {
    const Vec3& n = plane.axis;
    const Expression height = dot(n, round.pose.p - plane.pose.p);
    const Vec3 on_plane = round.pose.p - height * n;
    return {height - round.radius, n, round.pose.p - round.radius * n, on_plane, curvature_of(round),
            tangents_of(plane)};
  }

  // From outside, or inside a hole: the gap is that of the radii less the distance of the centers.
  Nearest round_on_round(const Placed& round, const Placed& other) const {
    const bool inside = other.surface.inside;
    if (inside) require_room(round, other);
    const Vec3 d = between_centers(round, other);
    const Expression distance = length_of(d, inside ? other.radius : round.radius + other.radius);
    const Vec3 outward = 1.0 / distance * d, n = inside ? -outward : outward;
    const Expression gap = inside ? other.radius - round.radius - distance : distance - round.radius - other.radius;
    const Expression curved = curvature_of(other);
    return {gap, n, round.pose.p - round.radius * n, round.pose.p - (gap + round.radius) * n,
            curvature_of(round) + (inside ? -curved : curved)};
  }

  void require_room(const Placed& round, const Placed& hole) const {
    const Expression room = hole.radius - round.radius;
    builder_.require_positive(
        room, hole.surface.where,
        fmt::format("{} is not larger than {}, which cannot be in it", in_words(hole.surface),
                    round.surface.kind == SurfaceKind::point ? "the point" : in_words(round.surface)));
  }

  // A bar or a tube: as round_on_round, across the axis.
  Nearest round_on_cylinder(const Placed& round, const Placed& cylinder) const {
    const bool inside = cylinder.surface.inside;
    if (inside) require_room(round, cylinder);
    const Vec3 d = round.pose.p - cylinder.pose.p, across = d - dot(d, cylinder.axis) * cylinder.axis;
    Nearest nearest = about(round, across, cylinder.radius, inside);
    nearest.tangents = {cylinder.axis, cross(cylinder.axis, nearest.normal)};
    return nearest;
  }

  // d leads to the round shape from the nearest point of a center line, around which the other is `radius` thick.
  Nearest about(const Placed& round, const Vec3& d, Expression radius, bool inside) const {
    const Expression scale = inside || !radius.is(0) ? radius : round.radius;
    const Expression distance = scale.is(0) ? norm(d) : length_of(d, scale);
    const Vec3 outward = 1.0 / distance * d, n = inside ? -outward : outward;
    const Expression gap = inside ? radius - round.radius - distance : distance - round.radius - radius;
    return {gap, n, round.pose.p - round.radius * n, round.pose.p - (gap + round.radius) * n, 0.0};
  }

  // The center line is the segment from p to q: s = clamp((c - p).(q - p)/|q - p|^2, 0, 1).
  Nearest round_on_line(const Placed& round, const Placed& line) const {
    const ContactSurface& surface = line.surface;
    if (surface.kind == SurfaceKind::slot) require_room(round, line);
    const Vec3 from = surface.from.given() ? builder_.vector(surface.from) : Vec3{};
    const Vec3 p = line.pose * from, e = in_plane(line.pose.R * (builder_.vector(surface.to) - from));
    const Expression square = dot(e, e);
    builder_.require_positive(square, surface.to.where,
                              "is the same point as from; a round shape is a circle or a sphere");
    const Vec3 c = in_plane(round.pose.p - p);
    const Expression along = dot(c, e) / square, to_end = min(1.0, along), s = max(0.0, to_end);
    const char *const side = "touches the straight side", *const end = "touches the round end";
    said(unit_step(1.0 - along), label_, {.rises = side, .falls = end, .subject = label_});
    said(unit_step(0.0 - to_end), label_, {.rises = end, .falls = side, .subject = label_});
    return about(round, c - s * e, line.radius, surface.kind == SurfaceKind::slot);
  }

  // Within the arc's sector it is a circle; elsewhere the nearer of its ends is a point. The middle of the arc decides which.
  Nearest round_on_arc(const Placed& round, const Placed& arc) const {
    const ContactSurface& surface = arc.surface;
    const Expression from = builder_.scalar(surface.from), to = builder_.scalar(surface.to);
    for (const Expression& open : {to - from, 2 * M_PI - (to - from)})
      builder_.require_positive(open, surface.to.where,
                                "an arc ends at an angle that is larger than the first by less than a turn");
    // Seen from the middle of the arc: within half its angle to either side the circle is nearest, elsewhere the end
    // on that side.
    const Vec3 middle = direction(arc, 0.5 * (from + to)), across = cross(unit_vector(normal_), middle);
    const Vec3 d = in_plane(round.pose.p - arc.pose.p);
    const Expression half = 0.5 * (to - from);
    const Expression within =
        said(unit_step(dot(d, middle) - cos(half) * length_of(d, arc.radius)), label_,
             {.rises = "touches the arc", .falls = "touches an end of the arc", .subject = label_});
    const Expression side = select(said(unit_step(dot(d, across)), label_,
                                        {.rises = "comes nearer to the second end of the arc",
                                         .falls = "comes nearer to the first end of the arc",
                                         .subject = label_}),
                                   half, -half);
    const Vec3 end = cos(side) * middle + sin(side) * across;
    const Nearest on_circle = about(round, d, arc.radius, surface.inside),
                  on_end = about(round, d - arc.radius * end, 0.0, false);
    // Both places are computed, and the comparison chooses.
    const auto chosen = [&](const Vec3& x, const Vec3& y) {
      return Vec3{select(within, x[0], y[0]), select(within, x[1], y[1]), select(within, x[2], y[2])};
    };
    return {select(within, on_circle.gap, on_end.gap), chosen(on_circle.normal, on_end.normal),
            chosen(on_circle.on_first, on_end.on_first), chosen(on_circle.on_second, on_end.on_second)};
  }

  // In the plane, at an angle about its normal from the first of the two other axes of the body.
  Vec3 direction(const Placed& side, Expression angle) const {
    return cos(angle) * column(side.pose.R, (normal_ + 1) % 3) + sin(angle) * column(side.pose.R, (normal_ + 2) % 3);
  }

  // A thin disc on a plane: its lowest point lies along  n - (n.a) a  from the center.
  Nearest rim_on_plane(const Placed& disc, const Vec3& center, const Placed& plane) const {
    const Vec3 &n = plane.axis, &a = disc.axis;
    const Vec3 up = n - dot(n, a) * a;
    const Vec3 to_rim = disc.radius / length_of(up, 1.0) * up, low = center - to_rim;
    const Expression gap = dot(n, low - plane.pose.p);
    return {gap, n, low, low - gap * n, 0.0, tangents_of(plane)};
  }

  std::vector<ContactPair> rims_on_plane(const Placed& cylinder, const Placed& plane, double sign) {
    if (!cylinder.surface.length.given())
      throw FormulaError(cylinder.surface.where,
                         "a cylinder that stands on a plane needs a 'length': it touches with its two rims");
    const Expression half = 0.5 * builder_.scalar(cylinder.surface.length);
    std::vector<ContactPair> pairs;
    for (const double end : {-1.0, 1.0})
      pairs.push_back(pair(end < 0 ? "1" : "2",
                           rim_on_plane(cylinder, cylinder.pose.p + end * half * cylinder.axis, plane), cylinder, plane,
                           sign));
    return pairs;
  }

  // --- cams, in their own axes

  Nearest round_on_cam(const Placed& round, const Placed& cam) const {
    const CamProfile profile(builder_, cam.surface);
    const Vec3 e1 = direction(cam, 0.0), e2 = cross(unit_vector(normal_), e1);
    const Vec3 c = in_plane(round.pose.p - cam.pose.p);
    const CamPoint touched = profile.under_roller(dot(c, e1), dot(c, e2), round.radius);
    const Vec3 n = touched.nx * e1 + touched.ny * e2, on_cam = touched.x * e1 + touched.y * e2;
    const Expression gap = dot(n, c - on_cam) - round.radius;
    return {gap, n, round.pose.p - round.radius * n, round.pose.p - (gap + round.radius) * n, 0.0};
  }

  // The flat face of a follower; the normal points from the plane, which is the second, to the cam.
  Nearest cam_on_plane(const Placed& cam, const Placed& plane) const {
    const CamProfile profile(builder_, cam.surface);
    const Vec3 e1 = direction(cam, 0.0), e2 = cross(unit_vector(normal_), e1);
    const Vec3& n = plane.axis;
    const CamPoint lowest = profile.on_face(dot(n, e1), dot(n, e2));
    const Vec3 on_cam = in_plane(cam.pose.p) + lowest.x * e1 + lowest.y * e2;
    const Expression gap = dot(n, on_cam - plane.pose.p);
    return {gap, n, on_cam, on_cam - gap * n, 0.0, {}};
  }

  // --- what all have in common

  static Expression curvature_of(const Placed& side) {
    return side.surface.kind == SurfaceKind::point || side.radius.is(0) ? Expression(0.0) : 1.0 / side.radius;
  }

  // Two directions in a plane of space, fixed in its body.
  std::vector<Vec3> tangents_of(const Placed& plane) const {
    if (planar_) return {};
    const Vec3 n = builder_.vector(plane.surface.axis);
    std::size_t least = 0;  // the axis of the body that is most across the normal
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(at_parameters(n[i], builder_.equations())) < std::abs(at_parameters(n[least], builder_.equations())))
        least = i;
    const Vec3 e = column(plane.pose.R, static_cast<int>(least)), t = e - dot(e, plane.axis) * plane.axis;
    const Vec3 first = without_round_off(1.0 / norm(t) * t);
    return {first, cross(plane.axis, first)};
  }

  ContactPair pair(const char* suffix, const Nearest& nearest, const Placed& first, const Placed& second, double sign) {
    ContactPair pair;
    pair.suffix = suffix, pair.frame = frame_;
    pair.gap = nearest.gap, pair.normal = sign * nearest.normal, pair.curvature = nearest.curvature;
    pair.at_a = nearest.on_first, pair.at_b = nearest.on_second;
    const Vec3 middle = 0.5 * (nearest.on_first + nearest.on_second);
    const Vec3 velocity = material_velocity(builder_, first.link, frame_, middle) -
                          material_velocity(builder_, second.link, frame_, middle);
    pair.velocity = sign * velocity;
    if (sign < 0) std::swap(pair.at_a, pair.at_b);
    // the gap of a roller on a cam has no point that is nearest to second order: its own derivative keeps the energy
    const bool on_cam = second.surface.kind == SurfaceKind::cam;
    pair.gap_rate = on_cam ? builder_.time_derivative(pair.gap) : dot(pair.normal, pair.velocity);
    pair.tangents = planar_ ? std::vector<Vec3>{cross(unit_vector(normal_), pair.normal)} : nearest.tangents;
    for (const Vec3& tangent : pair.tangents) pair.slip_rates.push_back(dot(tangent, pair.velocity));
    return pair;
  }

  EquationsBuilder& builder_;
  std::string label_;  // of the contact
  bool planar_;
  int normal_;  // of the plane
  int frame_ = -1;
  std::vector<Placed> sides_;
};

}  // namespace

Vec3 material_velocity(EquationsBuilder& builder, int link, int carrier, const Vec3& at) {
  const Tree& tree = builder.find_bodies()->tree();
  const Equations& e = builder.equations();
  const std::vector<Expression>& virtual_rates = builder.velocities().virtual_rates();
  Vec3 sum{};
  for (; link != carrier; link = tree[link].parent) {
    const Pose X = tree.pose(link, carrier);
    for (const Freedom& freedom : tree[link].freedoms) {
      const auto k = static_cast<std::size_t>(freedom.velocity);
      const Expression rate = k < e.v.size() ? e.v[k] : virtual_rates[k - e.v.size()];
      sum = sum + rate * (X.R * freedom.linear + cross(X.R * freedom.angular, at - X.p));
    }
  }
  return sum;
}

Vec3 vector_in_ground(EquationsBuilder& builder, const ContactPair& pair, const Vec3& x) {
  return builder.find_bodies()->tree().pose(pair.frame).R * x;
}

Vec3 point_in_ground(EquationsBuilder& builder, const ContactPair& pair, const Vec3& x) {
  return builder.find_bodies()->tree().pose(pair.frame) * x;
}

std::vector<ContactPair> contact_pairs(EquationsBuilder& builder, const ContactSurface& a, const ContactSurface& b) {
  return PairBuilder(builder, a, b).pairs();
}

}  // namespace armature::internal
