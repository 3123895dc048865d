// Which constraint rows say nothing new: at every pose, or only at this one. The rank of Phi is taken at the assembled
// start and at random poses reached from it along the tangent space; the largest is the generic rank. Rows beyond it
// are dependent always and are left out of the traced solve; rows that fall out at the start only mark a singular pose.
//
// "Always" needs poses that differ. The walk cannot leave some starts: a flat pose, in which a row loses its slope and the way
// out is of second order, or a machine without freedom, which only time moves. Then closed poses beside the start are looked
// for, at later times. Where the machine should move but no other pose is found, no row is left out: the rank-revealing solve
// decides at each pose.
#pragma once

#include <vector>

#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct Redundancy {
  struct Dependence {
    int row = 0;
    std::vector<int> on;  // the rows it follows from
  };
  std::vector<int> independent;       // as many rows as the generic rank, in order: for SystemOptions
  std::vector<Dependence> always;     // the other rows
  std::vector<Dependence> only_here;  // independent rows that depend on others at the start
  int rank_here = 0, generic_rank = 0;
  int degrees_of_freedom = 0;       // nv - generic_rank
  int degrees_of_freedom_here = 0;  // nv - rank_here
  double smallest_here = 1;         // smallest pivot at the start; below Regularity::singular: nearly singular
  int poses = 0;                    // poses that were looked at, the start included
};

// `start` satisfies phi = 0; `until`: when the motion ends, s. The poses follow from `seed` alone. Throws std::domain_error
// where M or Phi is not finite at the start.
Redundancy find_redundancy(SystemEvaluator& evaluator, const State& start, double until = 1, int poses = 6,
                           unsigned seed = 1);

}  // namespace armature::internal
