// Outlines of cams and Geneva drives, from the law by which a follower follows (follower_law.hpp).
//
// The axis of the leader is the origin, first and second span the plane across it, and turned back by the leader's angle a everything is seen
// from the cam. The profile is the envelope of what the follower touches it with:
//
//   an edge or point    the path of the point
//   a roller            that path, moved by the radius of the roller toward the cam
//   a flat face         x = s e - s' n x e,   s(a) the distance of the face from the axis, e its normal, n the axis
//
// A wheel that turns by 2 pi/n while the leader turns once, and rests for a part of it, is that of a Geneva drive with n slots: the pin enters a
// slot along it, so that its radius is C sin(pi/n), C between the axes.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "report/follower_law.hpp"
#include "report/scene_builder.hpp"

namespace armature::internal {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;
using Flat = Eigen::Vector2d;

constexpr int corners = 180;

Vector3d to_eigen(const Triple& x) { return {x[0], x[1], x[2]}; }
Triple to_triple(const Vector3d& x) { return {x.x(), x.y(), x.z()}; }
Flat turned(const Flat& x, double angle) { return Eigen::Rotation2Dd(angle) * x; }

// The plane across an axis of the carrier.
struct ProfilePlane {
  Vector3d axis, first, second;

  explicit ProfilePlane(const Vector3d& along)
      : axis(along.normalized()), first(axis.unitOrthogonal()), second(axis.cross(first)) {}
  Flat flat(const Vector3d& x) const { return {first.dot(x), second.dot(x)}; }
  Vector3d space(const Flat& x) const { return x.x() * first + x.y() * second; }
};

bool are_parallel(const Vector3d& a, const Vector3d& b) { return a.normalized().cross(b.normalized()).norm() < 1e-6; }

// What a follower touches the cam with, in its own axes from its joint.
struct Touching {
  Vector3d at = Vector3d::Zero();
  double radius = 0;                   // of a roller
  std::optional<Vector3d> half_sides;  // of a flat face: of its box
};

class ProfileFinder {
 public:
  ProfileFinder(const Scene& scene, std::string name, FollowerLaw law)
      : scene_(scene),
        name_(std::move(name)),
        law_(std::move(law)),
        a_(scene.joints[static_cast<std::size_t>(law_.leader)]),
        b_(scene.joints[static_cast<std::size_t>(law_.follower)]),
        plane_(to_eigen(a_.axis)),
        gap_(to_eigen(b_.a.at) - to_eigen(a_.a.at)) {}

  std::vector<SceneProfile> find() {
    if (a_.type != "revolute" || a_.a.body != b_.a.body || a_.b.body < 0 || b_.b.body < 0) return {};
    const double start = law_(0), turn = law_(2 * pi) - start;
    double size = 0;
    for (int k = 0; k < corners; ++k) size = std::max(size, std::abs(law_(2 * pi * k / corners) - start));
    if (!std::isfinite(size) || size == 0) return {};
    const bool slides = b_.type == "prismatic",
               swings = b_.type == "revolute" && are_parallel(plane_.axis, to_eigen(b_.axis));
    if (std::abs(turn) < 1e-6 * size)
      return slides ? sliding_cam() : swings ? swinging_cam() : std::vector<SceneProfile>{};
    return swings ? geneva(turn) : std::vector<SceneProfile>{};
  }

 private:
  // A point of the carrier's plane, from the leader's axis, in the axes of the leader's body at angle zero.
  Triple on_leader(const Flat& x) const { return to_triple(to_eigen(a_.b.at) + plane_.space(x)); }
  Triple on_follower(const Flat& x) const { return to_triple(to_eigen(b_.b.at) + plane_.space(x)); }

  std::vector<SceneProfile> as_cam(const std::vector<Flat>& outline) const {
    if (!std::ranges::all_of(outline, [](const Flat& x) { return x.allFinite(); })) return {};
    SceneProfile profile{name_, "cam", a_.b.body, {}};
    for (const Flat& x : outline) profile.outline.push_back(on_leader(x));
    return {profile};
  }

  // --- followers

  Touching touching() const {
    for (const SceneShape& shape : scene_.bodies[static_cast<std::size_t>(b_.b.body)].shapes) {
      const Vector3d joint = to_eigen(b_.b.at);
      if (shape.kind == "sphere") return {to_eigen(shape.at) - joint, shape.radius, {}};
      if (shape.kind == "cylinder" && are_parallel(to_eigen(shape.to) - to_eigen(shape.from), plane_.axis))
        return {to_eigen(shape.at) + 0.5 * (to_eigen(shape.from) + to_eigen(shape.to)) - joint, shape.radius, {}};
      if (shape.kind == "box" && b_.type == "prismatic")
        return {to_eigen(shape.at) - joint, 0, 0.5 * to_eigen(shape.sides)};
    }
    return {};
  }

  std::vector<SceneProfile> sliding_cam() {
    const Vector3d slide = to_eigen(b_.axis).normalized();
    if (std::abs(slide.dot(plane_.axis)) > 1e-6) return {};  // a barrel
    const Touching part = touching();
    if (part.half_sides) return flat_face(slide, part);
    return as_cam(rolled([&](double angle) { return plane_.flat(gap_ + law_(angle) * slide + part.at); }, part.radius));
  }
  std::vector<SceneProfile> flat_face(const Vector3d& slide, const Touching& part) {
    const Vector3d middle = gap_ + law_(0) * slide + part.at;
    const double sign = middle.dot(slide) < 0 ? -1 : 1;  // outward, from the cam to the follower
    const Vector3d e = sign * slide;
    const double thickness = std::abs(e.dot(part.half_sides->cwiseProduct(e)));
    const auto distance = [&](double angle) { return e.dot(gap_ + law_(angle) * slide + part.at) - thickness; };
    std::vector<Flat> outline;
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * pi * k / corners, h = 1e-4;
      const double rate = (distance(angle + h) - distance(angle - h)) / (2 * h);
      const Flat normal = turned(plane_.flat(e), -angle), across(-normal.y(), normal.x());
      outline.push_back(distance(angle) * normal - rate * across);
    }
    return as_cam(outline);
  }

  // A lever touches with its roller, or with the named point that is nearest to the cam.
  std::vector<SceneProfile> swinging_cam() {
    Touching part = touching();
    if (plane_.flat(part.at).norm() < 1e-9) {
      double nearest = std::numeric_limits<double>::infinity();
      part = {};
      for (const auto& [name, point] : scene_.bodies[static_cast<std::size_t>(b_.b.body)].points) {
        const Vector3d out = to_eigen(point) - to_eigen(b_.b.at);
        const double away = (plane_.flat(gap_) + turned(plane_.flat(out), sense() * law_(0))).norm();
        if (plane_.flat(out).norm() > 1e-9 && away < nearest) nearest = away, part.at = out;
      }
      if (!std::isfinite(nearest)) return {};
    }
    return as_cam(rolled(
        [&](double angle) { return Flat(plane_.flat(gap_) + turned(plane_.flat(part.at), sense() * law_(angle))); },
        part.radius));
  }
  double sense() const { return plane_.axis.dot(to_eigen(b_.axis)) < 0 ? -1 : 1; }

  // The path of a point as the cam sees it, and a roller's radius inside of it.
  template <class At>
  std::vector<Flat> rolled(const At& at, double radius) {
    const auto seen = [&](double angle) { return turned(at(angle), -angle); };
    std::vector<Flat> outline;
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * pi * k / corners, h = 1e-4;
      const Flat here = seen(angle), along = (seen(angle + h) - seen(angle - h)).normalized();
      const Flat normal(along.y(), -along.x());
      outline.push_back(here - (normal.dot(here) < 0 ? -radius : radius) * normal);
    }
    return outline;
  }

  // --- Geneva drives

  std::vector<SceneProfile> geneva(double turn) {
    const double slots = 2 * pi / std::abs(turn), C = plane_.flat(gap_).norm();
    const int n = static_cast<int>(std::lround(slots));
    if (n < 3 || n > 100 || std::abs(slots - n) > 1e-6 * n || !(C > 0)) return {};
    const std::optional<double> middle = middle_of_motion();
    if (!middle) return {};
    const double r = C * std::sin(pi / n), R = C * std::cos(pi / n), pin = 0.09 * r, lock = r - 2.2 * pin;
    const double towards = std::atan2(plane_.flat(gap_).y(), plane_.flat(gap_).x());
    const double crank = towards - *middle, wheel = towards + pi - sense() * law_(*middle);

    SceneProfile cross{name_, "geneva", b_.b.body, {}}, disc{name_, "geneva", a_.b.body, {}},
        roller{name_, "pin", a_.b.body, {}};
    for (const Flat& x : geneva_wheel(n, C, r, R, pin, lock)) cross.outline.push_back(on_follower(turned(x, wheel)));
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * pi * k / corners;
      disc.outline.push_back(on_leader(turned(cut_by_circle(angle, 0.97 * lock, C, 1.03 * R), crank)));
      const Flat around(r + 0.9 * pin * std::cos(angle), 0.9 * pin * std::sin(angle));
      roller.outline.push_back(on_leader(turned(around, crank)));
    }
    return {cross, disc, roller};
  }
  // The leader's angle in the middle of the part of a turn in which the follower moves; none: it never rests.
  std::optional<double> middle_of_motion() {
    constexpr int samples = 3600;
    std::vector<bool> moves(samples);
    double fastest = 0;
    const auto way = [&](int k) { return std::abs(law_(2 * pi * (k + 1) / samples) - law_(2 * pi * k / samples)); };
    for (int k = 0; k < samples; ++k) fastest = std::max(fastest, way(k));
    for (int k = 0; k < samples; ++k) moves[static_cast<std::size_t>(k)] = way(k) > 1e-9 * fastest;
    for (int k = 0; k < samples; ++k) {
      if (moves[static_cast<std::size_t>(k)] || !moves[static_cast<std::size_t>((k + 1) % samples)]) continue;
      int length = 0;
      while (length < samples && moves[static_cast<std::size_t>((k + 1 + length) % samples)]) ++length;
      return 2 * pi * (k + 1 + 0.5 * length) / samples;
    }
    return std::nullopt;
  }
  // On a circle about the origin, or where another one about (C, 0) cuts it off.
  static Flat cut_by_circle(double angle, double radius, double C, double other) {
    const double across = C * std::sin(angle), square = other * other - across * across;
    if (square > 0 && std::cos(angle) > 0) radius = std::min(radius, C * std::cos(angle) - std::sqrt(square));
    return turned({radius, 0}, angle);
  }
  // Slots along the radii, the first along x, and hollows between them in which the crank's disc turns.
  static std::vector<Flat> geneva_wheel(int n, double C, double r, double R, double pin, double lock) {
    std::vector<Flat> outline;
    const double bottom = C - r, edge = std::asin(pin / R);
    for (int k = 0; k < n; ++k) {
      const double slot = 2 * pi * k / n;
      outline.push_back(turned({std::sqrt(R * R - pin * pin), -pin}, slot));
      for (int i = 0; i <= 12; ++i) {
        const double angle = -pi / 2 - pi * i / 12;
        outline.push_back(turned({bottom + pin * std::cos(angle), pin * std::sin(angle)}, slot));
      }
      constexpr int pieces = 32;
      for (int i = 0; i <= pieces; ++i) {
        const double angle = -pi / n + edge + (2 * pi / n - 2 * edge) * i / pieces;
        outline.push_back(turned(cut_by_circle(angle, R, C, lock), slot + pi / n));
      }
    }
    return outline;
  }

  const Scene& scene_;
  std::string name_;
  FollowerLaw law_;
  const SceneJoint &a_, &b_;
  ProfilePlane plane_;
  Vector3d gap_;  // from the leader's axis to the follower's joint, in the carrier's axes
};

}  // namespace

void Scene::Builder::add_profiles(EquationsBuilder& builder) {
  const auto add = [&](const std::string& name, const Formula& zero) {
    std::optional<FollowerLaw> law = FollowerLaw::find(zero, model_, scene_, builder);
    if (!law) return;
    for (SceneProfile& profile : ProfileFinder(scene_, name, std::move(*law)).find())
      scene_.profiles.push_back(std::move(profile));
  };
  for (const PrescribedConstraint& constraint : model_.prescribed) add(constraint.name, constraint.zero);
  for (const ForceElement& element : model_.forces)
    if (std::string_view(element.kind->type()) == "contact") add(element.name, element.values["gap"]);
}

}  // namespace armature::internal
