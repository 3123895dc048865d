#include "mechanics/tree.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "expression/interruption.hpp"

namespace armature::internal {

namespace {

Expression rate_of(const Freedom& freedom, const std::vector<Expression>& v) { return v[freedom.velocity]; }

// [r]x as a matrix product would waste zeros: J about a shifted origin by Steiner's terms,
// J' = J + (2 r.S + m r.r) E - r S' - S r' - m r r'   with S the first moment about the old origin, in the new axes.
Mat3 shifted_inertia(const Mat3& J, const Vec3& S, Expression m, const Vec3& r) {
  const Expression trace = 2.0 * dot(r, S) + m * dot(r, r);
  Mat3 result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      result(i, j) = J(i, j) + (i == j ? trace : Expression(0.0)) - r[i] * S[j] - S[i] * r[j] - m * (r[i] * r[j]);
  return result;
}

// Entries of a symmetric matrix in the order in which they are found, several to one place among them; sorted at the end, since a
// row of a chain is found from its end to its beginning.
class SymmetricEntries {
 public:
  explicit SymmetricEntries(int size) : rows_(static_cast<std::size_t>(size)) {}

  void add(int i, int k, Expression entry) {
    if (entry.is(0)) return;
    rows_[i].push_back({k, entry});
    if (i != k) rows_[k].push_back({i, entry});
  }

  ExpressionMatrix matrix() {
    ExpressionMatrix result(0, static_cast<int>(rows_.size()));
    for (ExpressionMatrix::Row& row : rows_) {
      stop_if_interrupted();
      result.add_row(summed(std::move(row)));
    }
    return result;
  }

 private:
  static ExpressionMatrix::Row summed(ExpressionMatrix::Row found) {
    std::stable_sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.column < y.column; });
    ExpressionMatrix::Row row;
    row.reserve(found.size());
    for (const auto& [column, value] : found) {
      if (row.empty() || row.back().column != column)
        row.push_back({column, value});
      else
        row.back().value += value;
    }
    std::erase_if(row, [](const auto& entry) { return entry.value.is(0); });
    return row;
  }

  std::vector<ExpressionMatrix::Row> rows_;
};

}  // namespace

MassProperties operator+(const MassProperties& x, const MassProperties& y) {
  return {x.mass + y.mass, x.moment + y.moment, x.inertia + y.inertia};
}

MassProperties moved(const Pose& X, const MassProperties& body) {
  const Vec3 S = X.R * body.moment;
  const Mat3 J = X.R * body.inertia * transpose(X.R);
  return {body.mass, S + body.mass * X.p, shifted_inertia(J, S, body.mass, X.p)};
}

int Tree::add(Link link) {
  depths_.push_back(link.parent < 0 ? 1 : depths_[link.parent] + 1);
  shared_pose_.emplace_back();
  links_.push_back(std::move(link));
  return size() - 1;
}

Tree Tree::without_loads() const {
  Tree tree = *this;
  for (Link& link : tree.links_) link.force = link.torque = link.bias = link.spin_bias = Vec3{};
  return tree;
}

const Pose& Tree::shared_pose(int link) const {
  std::vector<int> missing;
  for (int i = link; i >= 0 && !shared_pose_[i]; i = links_[i].parent) missing.push_back(i);
  for (auto i = missing.rbegin(); i != missing.rend(); ++i)
    shared_pose_[*i] = links_[*i].parent < 0 ? links_[*i].pose : *shared_pose_[links_[*i].parent] * links_[*i].pose;
  return *shared_pose_[link];
}

int Tree::common_ancestor(int a, int b) const {
  while (a != b) (a > b ? a : b) = links_[a > b ? a : b].parent;  // parents have smaller numbers
  return a;
}

Pose Tree::pose(int link, int ancestor) const {
  if (ancestor < 0 && link >= 0 && depths_[link] > long_chain) return shared_pose(link);
  Pose X;
  for (; link != ancestor; link = links_[link].parent) X = links_[link].pose * X;
  return X;
}

std::vector<Expression> Tree::inverse_dynamics(const std::vector<Expression>& v, const std::vector<Expression>& vdot,
                                               const Vec3& gravity) const {
  struct Motion {
    Vec3 w{}, alpha{}, a{};  // angular velocity and acceleration, acceleration of the origin; link axes
  };
  std::vector<Motion> motion(links_.size());
  std::vector<Vec3> f(links_.size()), n(links_.size());

  // outward: motion of each link and the force and torque it takes
  for (int i = 0; i < size(); ++i) {
    const Link& link = links_[i];
    const Motion ground{{}, {}, -gravity};
    const Motion& up = link.parent < 0 ? ground : motion[link.parent];
    const Mat3 Rt = transpose(link.pose.R);
    const Vec3& r = link.pose.p;
    Vec3 spin{}, slide{}, spin_rate = link.spin_bias, slide_rate = link.bias;
    for (const Freedom& freedom : link.freedoms) {
      spin = spin + rate_of(freedom, v) * freedom.angular;
      slide = slide + rate_of(freedom, v) * freedom.linear;
      spin_rate = spin_rate + rate_of(freedom, vdot) * freedom.angular;
      slide_rate = slide_rate + rate_of(freedom, vdot) * freedom.linear;
    }
    Motion& here = motion[i];
    const Vec3 carried = Rt * up.w;
    here.w = carried + spin;
    here.alpha = Rt * up.alpha + cross(carried, spin) + spin_rate;
    here.a = Rt * (up.a + cross(up.alpha, r) + cross(up.w, cross(up.w, r))) + 2.0 * cross(carried, slide) + slide_rate;

    const MassProperties& m = link.mass;
    f[i] = m.mass * here.a + cross(here.alpha, m.moment) + cross(here.w, cross(here.w, m.moment)) - link.force;
    n[i] = m.inertia * here.alpha + cross(here.w, m.inertia * here.w) + cross(m.moment, here.a) - link.torque;
  }

  // inward: project on the freedoms, hand the rest to the parent
  std::vector<Expression> effort(v.size(), 0.0);
  for (int i = size() - 1; i >= 0; --i) {
    const Link& link = links_[i];
    for (const Freedom& freedom : link.freedoms)
      effort[freedom.velocity] += dot(freedom.angular, n[i]) + dot(freedom.linear, f[i]);
    if (link.parent < 0) continue;
    const Vec3 force = link.pose.R * f[i];
    f[link.parent] = f[link.parent] + force;
    n[link.parent] = n[link.parent] + link.pose.R * n[i] + cross(link.pose.p, force);
  }
  return effort;
}

// Momentum of everything on a link and beyond it per unit of a velocity: force and moment about the link's origin for a unit
// acceleration. A velocity that moves several links has one, whichever of them it comes from.
ExpressionMatrix Tree::mass_matrix(int nv) const {
  SymmetricEntries entries(nv);
  struct Momentum {
    Vec3 f{}, n{};
  };
  std::vector<std::map<int, Momentum>> beyond(links_.size());  // by velocity
  std::vector<MassProperties> composite;
  for (const Link& link : links_) composite.push_back(link.mass);
  // from the leaves to the ground: entries of M at each link, then masses and momenta to its parent
  for (int i = size() - 1; i >= 0; --i) {
    const Link& link = links_[i];
    const MassProperties& m = composite[i];
    std::map<int, Momentum>& momenta = beyond[i];
    // velocities of links beyond with those of this one; where they are one velocity, both ways round
    for (const Freedom& own : link.freedoms)
      for (const auto& [velocity, p] : momenta) {
        const Expression entry = dot(own.angular, p.n) + dot(own.linear, p.f);
        entries.add(own.velocity, velocity, own.velocity == velocity ? 2.0 * entry : entry);
      }
    // the link's own velocities with each other: the composite body moves as one
    std::vector<Momentum> own_momenta;
    for (const Freedom& own : link.freedoms) {
      own_momenta.push_back(
          {m.mass * own.linear + cross(own.angular, m.moment), m.inertia * own.angular + cross(m.moment, own.linear)});
      for (const Freedom& other : link.freedoms) {  // pairs once
        entries.add(own.velocity, other.velocity,
                    dot(other.angular, own_momenta.back().n) + dot(other.linear, own_momenta.back().f));
        if (&other == &own) break;
      }
    }
    if (link.parent < 0) continue;
    // what the parent sees: the link's own momenta among those beyond, in the parent's frame
    for (std::size_t k = 0; k < own_momenta.size(); ++k) {
      Momentum& p = momenta[link.freedoms[k].velocity];
      p = {p.f + own_momenta[k].f, p.n + own_momenta[k].n};
    }
    for (auto& [velocity, p] : momenta) {
      const Vec3 f = link.pose.R * p.f;
      p = {f, link.pose.R * p.n + cross(link.pose.p, f)};
    }
    // added to those of its other children
    std::map<int, Momentum>& parent = beyond[link.parent];
    if (parent.empty()) parent.swap(momenta);  // a chain hands its momenta on, however long it is
    for (const auto& [velocity, p] : momenta) {
      Momentum& up = parent[velocity];
      up = {up.f + p.f, up.n + p.n};
    }
    composite[link.parent] = composite[link.parent] + moved(link.pose, m);
    momenta.clear();
  }
  return entries.matrix();
}

// From the leaves to the ground: of everything on a link and beyond it, in the link's frame.
Vec3 Tree::moment() const {
  std::vector<Vec3> beyond;
  std::vector<Expression> mass;
  for (const Link& link : links_) beyond.push_back(link.mass.moment), mass.push_back(link.mass.mass);
  Vec3 sum{};
  for (int i = size() - 1; i >= 0; --i) {
    const Link& link = links_[i];
    Vec3& parent = link.parent < 0 ? sum : beyond[link.parent];
    parent = parent + (link.pose.R * beyond[i] + mass[i] * link.pose.p);
    if (link.parent >= 0) mass[link.parent] += mass[i];
  }
  return sum;
}

std::vector<int> Tree::leaves_first() const {
  std::vector<int> order;
  for (int i = size() - 1; i >= 0; --i)
    for (auto freedom = links_[i].freedoms.rbegin(); freedom != links_[i].freedoms.rend(); ++freedom)
      order.push_back(freedom->velocity);
  // a velocity that several links share comes after all of them
  std::vector<int> once;
  std::set<int> known;
  for (auto velocity = order.rbegin(); velocity != order.rend(); ++velocity)
    if (known.insert(*velocity).second) once.push_back(*velocity);
  std::reverse(once.begin(), once.end());
  return once;
}

}  // namespace armature::internal
