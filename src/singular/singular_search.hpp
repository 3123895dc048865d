// Singular poses on a piece of a path q(s), 0 where a measure of singular_pose.hpp vanishes:
//
//   crossing   a determinant changes sign: its zero by step/zero_search.hpp
//   touch      the smallest singular value has a minimum below Regularity::singular: by golden section. So are found rank drops,
//              at which an even number of factors of a determinant may vanish, and singularities without a determinant.
//
// The measures are first looked at in a few places; a minimum is one of these lower than its neighbors, or an end from
// which the measure falls. A minimum that its slope cannot bring down to zero is given up at once.
#pragma once

#include <functional>
#include <vector>

#include "singular/singular_pose.hpp"

namespace armature::internal {

struct PathPoint {
  double s = 0;
  State state;
  PoseMeasures measures;
};

struct PathZero : PathPoint {
  SingularityKind kind = SingularityKind::rank_drop;
  int sign = 0;  // of the determinant beyond a crossing; 0: a touch
  // A touch at an end is the least of this piece; whether of the path, the piece beyond must tell.
  enum class Place { inside, begin, end } place = Place::inside;
};

// Zeros of the pieces of a path, one piece after the other. A measure that is least at the end of a piece and falls on from
// there has its zero, if any, in the next one.
class PieceJoin {
 public:
  void join(std::vector<PathZero>& zeros);                         // those of the next piece lose what is none
  const std::vector<PathZero>& at_end() const { return at_end_; }  // zeros if the path ends here

 private:
  std::vector<PathZero> at_end_;
  bool first_ = true;
};

class SingularSearch {
 public:
  using Path = std::function<bool(double s, State& state)>;  // false: there is no pose
  SingularSearch(SingularPose& pose, const SingularityFrame& frame);

  // Zeros between `from` and `until`, both included, in their order on the path.
  std::vector<PathZero> find(const Path& path, double from, double until);
  const std::vector<PathPoint>& places() const { return places_; }  // where the last find() has looked

 private:
  void look(const Path& path, double from, double until);
  bool evaluate(const Path& path, double s, PathPoint& point);
  void find_crossings(const Path& path, SingularityKind kind);
  bool crosses(SingularityKind kind, const PathPoint& a, const PathPoint& b) const;
  void add_crossing(const Path& path, SingularityKind kind, const PathPoint& a, const PathPoint& b);
  void find_touches(const Path& path, SingularityKind kind);
  bool falls_from(const Path& path, SingularityKind kind, const PathPoint& end, const PathPoint& next);
  double steepest(SingularityKind kind) const;
  PathPoint least(const Path& path, SingularityKind kind, const PathPoint& a, const PathPoint& b);
  void add_touch(const Path& path, SingularityKind kind, const PathPoint& a, const PathPoint& at, const PathPoint& b);

  SingularPose& pose_;
  std::vector<SingularityKind> kinds_;
  std::vector<PathPoint> places_;
  std::vector<PathZero> zeros_;
};

}  // namespace armature::internal
