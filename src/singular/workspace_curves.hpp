// The curves of singularities in a map of poses: cells that are singular themselves, zeros on the lines between neighbors
// (singular_search.hpp on the branch that joins them), and the edge of the reach. The edge is of type I where the map is one of
// outputs (an arm is stretched or folded), of type II where it is one of drives (the platform is not held there).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "singular/pose_jobs.hpp"
#include "singular/singular_words.hpp"
#include "singular/workspace_map.hpp"

namespace armature::internal {

// From a cell that is reached to a neighbor. At a cell where branches meet the branch goes on only the way it came.
BranchEnd follow_between(PoseBranch& branch, const PoseGrid& grid, const std::vector<WorkspaceCell>& cells, long from,
                         long to);

class WorkspaceCurves {
 public:
  WorkspaceCurves(const PoseMachine& machine, const PoseGrid& grid, PoseJobs& jobs, WorkspaceMap& map);
  bool find();  // into map.curve; false: stopped

 private:
  using Kind = CurvePoint::Kind;
  // Neighbors; `to` is not reached: the edge of the reach lies between.
  struct Line {
    long from, to;
    bool edge;
  };
  struct Mark {
    double s;
    Kind kind;
    double sigma;
  };
  const WorkspaceCell& cell(long k) const { return map_.cells[static_cast<std::size_t>(k)]; }
  std::vector<Line> lines() const;
  void find_sizes();
  std::optional<Kind> kind_of_cell(long k) const;
  std::vector<Mark> marks(PoseCloser& closer, const Line& line) const;
  std::vector<Mark> zeros(PoseCloser& closer, const Line& line) const;
  void add_mark(const Line& line, const PathZero& zero, std::vector<Mark>& list) const;
  bool near_marked_end(const Line& line, const Mark& mark) const;
  void add_line(const Line& line, std::span<const double> row);
  void note_crowd(std::size_t room);
  Kind kind_of_edge(const PoseMeasures& measures) const;
  void add_point(Place at, const State& state, Kind kind);

  const PoseMachine& machine_;
  const PoseGrid& grid_;
  PoseJobs& jobs_;
  WorkspaceMap& map_;
  std::shared_ptr<PoseCloser> closer_;  // of this thread
  MotionWords words_;
  double zero_I_ = 0, zero_II_ = 0;  // determinants that are as good as zero
};

}  // namespace armature::internal
