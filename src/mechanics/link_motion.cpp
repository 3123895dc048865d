// Newton-Euler outwards, and kinetic energy, link by link. With  Omega = [alpha]x + [w]x[w]x  a point x of a link has the
// acceleration  a + Omega x, and
//   f = m a + Omega s,   n = s x a + sum m x x (Omega x),   of which the last is made of Omega times the second moments.
#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

namespace {

struct Motion {
  Vec3 w{}, alpha{}, a{};
  Mat3 Omega{};
};

Mat3 omega_of(const Vec3& w, const Vec3& alpha) {
  Mat3 Omega;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Omega(i, i) = -(w[j] * w[j] + w[k] * w[k]);
    Omega(i, j) = w[i] * w[j] - alpha[k];
    Omega(j, i) = w[i] * w[j] + alpha[k];
  }
  return Omega;
}

Mat3 inertia_of(const Mat3& second) {
  const Expression trace = second(0, 0) + second(1, 1) + second(2, 2);
  Mat3 J;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) J(i, j) = i == j ? trace - second(i, j) : -second(i, j);
  return J;
}

bool turns_in_plane(const Vec3& w) { return (w[0].is(0) + w[1].is(0) + w[2].is(0)) >= 2; }

// sum m x x (Omega x)
Vec3 turning_moment(const Mat3& second, const Motion& motion) {
  if (turns_in_plane(motion.w)) {
    const Mat3 J = inertia_of(second);
    return J * motion.alpha + cross(motion.w, J * motion.w);
  }
  const Mat3& O = motion.Omega;
  Vec3 n;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = second(j, j) * O(k, j) - second(k, k) * O(j, k) + second(j, k) * (O(k, k) - O(j, j)) +
           second(i, j) * O(k, i) - second(i, k) * O(j, i);
  }
  return n;
}

Vec3 angular(const ArticulatedLink& link, const std::vector<Expression>& v) {
  Vec3 spin{};
  for (const Freedom& freedom : link.freedoms) spin = spin + v[freedom.velocity] * freedom.angular;
  return spin;
}

Vec3 linear(const ArticulatedLink& link, const std::vector<Expression>& v) {
  Vec3 slide{};
  for (const Freedom& freedom : link.freedoms) slide = slide + v[freedom.velocity] * freedom.linear;
  return slide;
}

Motion moved_by(const ArticulatedLink& link, const Motion& up, const std::vector<Expression>& v) {
  const Vec3 carried = link.turn.to_link(up.w), spin = angular(link, v), slide = linear(link, v);
  Motion here;
  here.w = carried + spin;
  here.alpha = link.turn.to_link(up.alpha) + cross(carried, spin) + link.spin_bias;
  here.a = link.turn.to_link(up.a + up.Omega * link.p) + 2.0 * cross(carried, slide) + link.bias;
  here.Omega = omega_of(here.w, here.alpha);
  return here;
}

}  // namespace

std::vector<Wrench> link_wrenches(const std::vector<ArticulatedLink>& links, const std::vector<Expression>& v,
                                  const Vec3& gravity) {
  const Motion ground{{}, {}, -gravity, {}};
  std::vector<Motion> motion;
  std::vector<Wrench> wrenches;
  for (const ArticulatedLink& link : links) {
    motion.push_back(moved_by(link, link.parent < 0 ? ground : motion[static_cast<std::size_t>(link.parent)], v));
    const Motion& here = motion.back();
    wrenches.push_back({turning_moment(link.second, here) + cross(link.moment, here.a) - link.torque,
                        link.mass * here.a + here.Omega * link.moment - link.force});
  }
  return wrenches;
}

Expression kinetic_energy(const std::vector<ArticulatedLink>& links, const std::vector<Expression>& v) {
  struct Velocity {
    Vec3 w{}, v{};
  };
  std::vector<Velocity> velocity;
  Expression sum = 0.0;
  for (const ArticulatedLink& link : links) {
    // velocity of the link, from that of its parent
    const Velocity up = link.parent < 0 ? Velocity{} : velocity[static_cast<std::size_t>(link.parent)];
    const Vec3 w = link.turn.to_link(up.w) + angular(link, v);
    const Vec3 speed = link.turn.to_link(up.v + cross(up.w, link.p)) + linear(link, v);
    velocity.push_back({w, speed});
    // 1/2 m v.v + s.(v x w) + 1/2 w.J w
    sum += 0.5 * (link.mass * dot(speed, speed)) + dot(link.moment, cross(speed, w)) +
           0.5 * dot(w, inertia_of(link.second) * w);
  }
  return sum;
}

}  // namespace armature::internal
