// Singularities over a grid of poses. The coordinates of the grid (and those held) are kept, the loops are closed for the
// rest, each cell beginning from a neighbour that is closed already: so the map shows one way of assembling the machine, the
// one that leads there from the start. Cells that close from no neighbour are out of reach.
//
// Between neighbours, zeros of the determinants and the edge of the reach are located by bisection: the curves of
// singularities. The edge of the reach is of type I: there an arm is stretched or folded.
#pragma once

#include <string>
#include <vector>

#include "analysis/singular_pose.hpp"

namespace armature {

struct PoseAxis {
  std::string name;            // a coordinate or a formula of them: "platform.C.x"
  std::vector<double> values;  // in increasing order
};

struct WorkspaceOptions {
  std::vector<PoseAxis> over;                        // one or two
  std::vector<std::pair<std::string, double>> hold;  // kept besides
  std::vector<std::string> active, output;           // as for singularity_frame
};

struct WorkspaceCell {
  bool reached = false;
  PoseMeasures measures;
  State state;
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
  long reached = 0;
};

// Throws ModelError; std::runtime_error (a sentence) where no pose of the grid closes.
WorkspaceMap workspace_map(const Model& model, const WorkspaceOptions& options);

}  // namespace armature
