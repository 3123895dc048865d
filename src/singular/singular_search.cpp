#include "singular/singular_search.hpp"

#include <algorithm>
#include <cmath>

#include "linear/kinetic_rows.hpp"
#include "step/zero_search.hpp"

namespace armature::internal {

namespace {

constexpr int pieces = 4;                   // of the path: a function may cross or touch more than once in it
constexpr double near_end = 1e-6;           // of a piece: from here the slope at an end is taken
constexpr double sign_is_round_off = 1e-7;  // singular value below which the sign of a determinant is round-off
constexpr double golden = 0.6180339887498949;
constexpr int sections = 57;  // to 1e-12 of a piece: singular values fall to zero like |s|

}  // namespace

void PieceJoin::join(std::vector<PathZero>& zeros) {
  const auto fell = [&](const PathZero& zero) {
    return std::any_of(at_end_.begin(), at_end_.end(), [&](const PathZero& end) { return end.kind == zero.kind; });
  };
  std::erase_if(zeros,
                [&](const PathZero& zero) { return zero.place == PathZero::Place::begin && !fell(zero) && !first_; });
  for (PathZero& zero : zeros)
    if (zero.place == PathZero::Place::begin && !first_) zero.place = PathZero::Place::inside;
  first_ = false;
  at_end_.clear();
  for (const PathZero& zero : zeros)
    if (zero.place == PathZero::Place::end) at_end_.push_back(zero);
  std::erase_if(zeros, [](const PathZero& zero) { return zero.place == PathZero::Place::end; });
}

SingularSearch::SingularSearch(SingularPose& pose, const SingularityFrame& frame) : pose_(pose) {
  for (const auto kind : {SingularityKind::rank_drop, SingularityKind::type_I, SingularityKind::type_II})
    if (frame.follows(kind)) kinds_.push_back(kind);
}

bool SingularSearch::evaluate(const Path& path, double s, PathPoint& point) {
  if (!path(s, point.state)) return false;
  point.s = s;
  point.measures = pose_.measure(point.state);
  return true;
}

void SingularSearch::look(const Path& path, double from, double until) {
  places_.clear();
  for (int k = 0; k <= pieces; ++k) {
    PathPoint point;
    if (evaluate(path, k == pieces ? until : from + (until - from) * k / pieces, point)) places_.push_back(point);
  }
}

std::vector<PathZero> SingularSearch::find(const Path& path, double from, double until) {
  // measures at a few places, then what lies between them
  zeros_.clear();
  look(path, from, until);
  for (const SingularityKind kind : kinds_) {
    find_crossings(path, kind);
    find_touches(path, kind);
  }
  std::stable_sort(zeros_.begin(), zeros_.end(), [](const PathZero& a, const PathZero& b) { return a.s < b.s; });
  return std::move(zeros_);
}

bool SingularSearch::crosses(SingularityKind kind, const PathPoint& a, const PathPoint& b) const {
  const auto is_zero = [&](const PathPoint& point) { return point.measures.sigma_of(kind) < sign_is_round_off; };
  return a.measures.det_of(kind) * b.measures.det_of(kind) < 0 && !is_zero(a) && !is_zero(b);
}

void SingularSearch::find_crossings(const Path& path, SingularityKind kind) {
  for (std::size_t k = 1; k < places_.size(); ++k)
    if (crosses(kind, places_[k - 1], places_[k])) add_crossing(path, kind, places_[k - 1], places_[k]);
}

// Where a pose cannot be evaluated, the search ends at the last one that could.
void SingularSearch::add_crossing(const Path& path, SingularityKind kind, const PathPoint& from, const PathPoint& to) {
  const auto det = [&](const PathPoint& point) { return point.measures.det_of(kind); };
  PathZero zero{from, kind, det(to) > 0 ? 1 : -1};
  step::bracket_zero([&](double s) { return evaluate(path, s, zero) ? det(zero) : 0.0; }, {from.s, det(from)},
                     {to.s, det(to)});
  zeros_.push_back(zero);
}

double SingularSearch::steepest(SingularityKind kind) const {
  double slope = 0;
  for (std::size_t k = 1; k < places_.size(); ++k) {
    const double rise = places_[k].measures.sigma_of(kind) - places_[k - 1].measures.sigma_of(kind);
    slope = std::max(slope, std::abs(rise / (places_[k].s - places_[k - 1].s)));
  }
  return slope;
}

bool SingularSearch::falls_from(const Path& path, SingularityKind kind, const PathPoint& end, const PathPoint& next) {
  const double reach = 2 * steepest(kind) * std::abs(next.s - end.s);
  if (end.measures.sigma_of(kind) - reach > Regularity::singular) return false;
  PathPoint beside;
  return evaluate(path, end.s + near_end * (next.s - end.s), beside) &&
         beside.measures.sigma_of(kind) < end.measures.sigma_of(kind);
}

void SingularSearch::find_touches(const Path& path, SingularityKind kind) {
  const auto n = places_.size();
  if (n < 2) return;
  const auto f = [&](std::size_t k) { return places_[k].measures.sigma_of(kind); };
  const auto crossed = [&](std::size_t a, std::size_t b) { return crosses(kind, places_[a], places_[b]); };
  // Local minima of the measure along the path at which its determinant does not change its sign.
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t before = k == 0 ? 0 : k - 1, after = std::min(k + 1, n - 1);
    if (f(k) > f(before) || f(k) > f(after) || (k > 0 && f(k) == f(before))) continue;
    if (crossed(before, k) || crossed(k, after)) continue;
    // At an end of the path the minimum is there, unless the measure still falls from the end on.
    const bool at_end = k == 0 || k == n - 1;
    if (at_end && !falls_from(path, kind, places_[k], places_[k == 0 ? 1 : n - 2])) {
      if (f(k) < Regularity::singular)
        zeros_.push_back({places_[k], kind, 0, k == 0 ? PathZero::Place::begin : PathZero::Place::end});
      continue;
    }
    add_touch(path, kind, places_[before], least(path, kind, places_[before], places_[after]), places_[after]);
  }
}

// A minimum where the determinant has another sign than on both sides lies between two crossings.
void SingularSearch::add_touch(const Path& path, SingularityKind kind, const PathPoint& a, const PathPoint& at,
                               const PathPoint& b) {
  if (at.measures.sigma_of(kind) < Regularity::singular) {
    zeros_.push_back({at, kind, 0});
  } else if (crosses(kind, a, at) && crosses(kind, at, b)) {
    add_crossing(path, kind, a, at);
    add_crossing(path, kind, at, b);
  }
}

// Golden section. The steepest slope that was seen, doubled, bounds how far the measure can still fall.
PathPoint SingularSearch::least(const Path& path, SingularityKind kind, const PathPoint& from, const PathPoint& to) {
  double slope = steepest(kind);
  double a = from.s, b = to.s;
  const double width = b - a;
  PathPoint best = from.measures.sigma_of(kind) < to.measures.sigma_of(kind) ? from : to, c, d;
  // two places inside, c before d
  if (!evaluate(path, b - golden * width, c) || !evaluate(path, a + golden * width, d)) return best;
  for (int k = 0;; ++k) {
    slope = std::max(slope, std::abs((d.measures.sigma_of(kind) - c.measures.sigma_of(kind)) / (d.s - c.s)));
    // the lower one so far; no zero if even the steepest slope cannot reach it
    const bool left = c.measures.sigma_of(kind) < d.measures.sigma_of(kind);
    const PathPoint& lower = left ? c : d;
    if (lower.measures.sigma_of(kind) < best.measures.sigma_of(kind)) best = lower;
    if (k == sections || best.measures.sigma_of(kind) - 2 * slope * (b - a) > Regularity::singular) return best;
    // the side of the lower one is kept, with one new place in it
    if (left) {
      b = d.s, std::swap(c, d);
      if (!evaluate(path, b - golden * (b - a), c)) return best;
    } else {
      a = c.s, std::swap(c, d);
      if (!evaluate(path, a + golden * (b - a), d)) return best;
    }
  }
}

}  // namespace armature::internal
