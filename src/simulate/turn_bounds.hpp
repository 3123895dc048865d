// How far the angles of cut joints can turn while coordinates move: by no more than all coordinates that an angle depends on
// together, quaternions twice, those of beams as much as they change slopes. Known from the model, once for all of its runs.
#pragma once

#include <vector>

#include "simulate/prepare.hpp"

namespace armature {

struct TurnBounds {
  explicit TurnBounds(const Prepared& prepared);  // with its system and beams

  bool known = true;                          // else angles turn by something else as well
  std::vector<std::vector<int>> coordinates;  // one list a reference from which an angle is unwrapped
  double longest = 0;                         // of these lists: how many coordinates
  Eigen::VectorXd turn;                       // by each coordinate, at most: rad a unit
};

}  // namespace armature
