// Singularities over a grid of poses. The coordinates of the grid (and those held) are kept, the loops are closed for the
// rest, each cell followed from a neighbor along their line (pose_branch.hpp): so the map shows one way of assembling the
// machine, the one that leads there from the start, also across poses at which branches meet. Cells to which the branch leads
// from no neighbor are out of reach, or undecided where branches meet and the continuation cannot be told. A start at which
// the pose does not hold the machine (an arm stretched) leads nowhere by itself: there the flood begins some way beside it.
//
// The flood goes in waves: all cells next to the last wave are tried side by side, each from its neighbors in a fixed
// order, so that the map is that of a flood cell by cell, in any number of threads and processes.
#pragma once

#include <string>
#include <vector>

#include "singular/pose_grid.hpp"
#include "study/cells.hpp"

namespace armature::internal {

struct WorkspaceOptions {
  std::vector<PoseAxis> over;                        // one or two
  std::vector<std::pair<std::string, double>> hold;  // kept besides
  std::vector<std::string> active, output;           // as for singularity_frame
  CellRunner cells = {};                             // who computes them; empty: threads of this process
  int threads = 0;                                   // 0: one per core
};

struct WorkspaceCell {
  bool reached = false;
  bool undecided = false;  // not reached, since branches meet on the way
  PoseMeasures measures;
  State state;
  bool meeting = false;     // branches meet in the pose itself …
  int axis = -1;            // … which was come upon along this axis
  Eigen::VectorXd tangent;  // dv by the value of the axis
};

struct CurvePoint {
  std::vector<double> at;  // one an axis
  enum class Kind {
    type_I,
    type_II,
    rank_drop,
    reach
  } kind = Kind::reach;  // reach: an edge that is none of the others
  std::string words;     // what can move there; empty for reach
};
const char* to_string(CurvePoint::Kind kind);

struct WorkspaceMap {
  SingularityFrame frame;
  std::vector<PoseAxis> over;
  std::vector<WorkspaceCell> cells;  // the first axis runs fastest
  std::vector<CurvePoint> curve;
  long reached = 0;       // 0: the loops close at no pose of the grid
  long undecided = 0;     // cells
  long closings = 0;      // cells of the job, as far as is known
  bool complete = false;  // false: it was stopped
};

std::shared_ptr<const PoseMachine> workspace_machine(const Model& model, const WorkspaceOptions& options);
int workspace_width(const PoseMachine& machine);  // numbers that a cell of the job gives

WorkspaceMap workspace_map(std::shared_ptr<const PoseMachine> machine, const WorkspaceOptions& options);
WorkspaceMap workspace_map(const Model& model, const WorkspaceOptions& options);  // throws as pose_machine

}  // namespace armature::internal
