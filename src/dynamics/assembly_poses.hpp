// The ways in which the loops close, searched for from many guesses: a list that may lack some. What `keep` leaves free is held where the first
// pose has it, so that the poses are isolated; the poses found are samples of the motions that loops and `keep` leave.
#pragma once

#include "dynamics/assembly.hpp"

namespace armature::internal {

struct AssemblyPoses {
  std::vector<State> states;      // distinct up to whole turns, nearest to the first first
  std::vector<int> motions;       // at each: how many motions loops and `keep` leave, to first order
  std::vector<std::string> held;  // coordinates that are held besides
  int guesses = 0, closed = 0;    // guesses, and those from which the loops closed
};

AssemblyPoses find_poses(SystemEvaluator& evaluator, const State& guess,
                         const AssemblyOptions& options = {.attempts = 300});

}  // namespace armature::internal
