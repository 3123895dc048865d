// Masses that a joint does not move become the parent's, as numbers: what is left of a link has fewer of them.
#include <algorithm>
#include <utility>

#include "mechanics/articulated_tree.hpp"

namespace armature::internal {

namespace {

bool is_constant(const Mat3& A) {
  return is_constant(column(A, 0)) && is_constant(column(A, 1)) && is_constant(column(A, 2));
}

// Masses: how many, their first and second moments.
struct Masses {
  Expression mass = 0;
  Vec3 moment{};
  Mat3 second{};
};

// sum m (p + R x)(p + R x)' and so on
void add_to_parent(const Masses& masses, const Mat3& R, const Vec3& p, ArticulatedLink& parent) {
  const Vec3 s = R * masses.moment;
  const Mat3 second = R * masses.second * transpose(R);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      parent.second(i, j) += second(i, j) + p[i] * s[j] + s[i] * p[j] + masses.mass * (p[i] * p[j]);
  parent.moment = parent.moment + s + masses.mass * p;
  parent.mass += masses.mass;
}

bool is_turn(const Freedom& freedom) { return is_zero(freedom.linear) && !is_zero(freedom.angular); }
bool is_slide(const Freedom& freedom) { return is_zero(freedom.angular) && !is_zero(freedom.linear); }

int axis_of(const Freedom& freedom) {
  for (int i = 0; i < 3; ++i)
    if (freedom.angular[i].is(1) || freedom.angular[i].is(-1)) return i;
  return -1;
}

// Takes from a link what its freedoms do not move.
Masses unmoved(ArticulatedLink& link) {
  Masses masses;
  const std::vector<Freedom>& freedoms = link.freedoms;
  const bool turns = !freedoms.empty() && std::all_of(freedoms.begin(), freedoms.end(), is_turn);
  if (turns) {
    std::swap(masses.mass, link.mass);
    const int k = freedoms.size() == 1 ? axis_of(freedoms.front()) : -1;
    if (k < 0) return masses;
    std::swap(masses.moment[k], link.moment[k]);
    std::swap(masses.second(k, k), link.second(k, k));
  } else if (std::all_of(freedoms.begin(), freedoms.end(), is_slide)) {
    std::swap(masses.second, link.second);
  }
  return masses;
}

}  // namespace

void regroup_masses(std::vector<ArticulatedLink>& links) {
  for (std::size_t i = links.size(); i-- > 0;) {
    ArticulatedLink& link = links[i];
    const bool turns = !link.freedoms.empty() && is_turn(link.freedoms.front());
    const Mat3 R = turns ? link.turn.outer() : link.turn.matrix();
    if (!link.mass.is_constant() || !is_constant(link.moment) || !is_constant(link.second) || !is_constant(R)) continue;
    if (turns && !is_constant(link.p)) continue;
    const Masses masses = unmoved(link);
    if (link.parent >= 0)
      add_to_parent(masses, R, turns ? link.p : Vec3{}, links[static_cast<std::size_t>(link.parent)]);
  }
}

}  // namespace armature::internal
