// Assembly: brings a guess onto phi = 0 and phidot = 0.
//
// Positions. Named values hold (`keep`) or attract (`near`); coordinates that are not named stay where the guess has them unless
// a loop or a condition needs them, and then move as little as possible. In this order: keep and the loops exactly; the smallest
// miss of near; the shortest motion of the rest. Distances are pure numbers (start_metric.hpp), so that the answer does not
// depend on units or orientation, nor on masses. A try goes through these steps (assembly_steps.hpp):
//
//   approach   keep and near without the loops
//   reach      with both held, the other parts come as near to closing the loops as they can: this chooses the branch
//   close      keep and the loops exactly, near in least squares
//   draw near  along closed loops to the nearest pose around (assembly_descent.cpp)
//
// with the outcomes of comparisons set by the signs of their roots, and all of it again where the closed pose changes one. Where
// the pose found is far from what the file says, other guesses are compared with it (closure_search.hpp).
//
// Velocities, in the same order: `speed_keep` exactly, phidot = 0, the smallest miss of `speed_near`, the least motion.
#pragma once

#include <string>
#include <vector>

#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct AssemblyOptions {
  bool conditions = true;  // keep, near and speeds of the model; false: the guess alone says where
  int attempts = 60;       // guesses around the first, if it does not close; 0: the first alone counts
  unsigned seed = 1;
};

// A condition that is not met: a loop (its joint or constraint), a kept value, or one of `near`.
struct OpenCondition {
  std::string name;
  double gap = 0;  // in `unit`
  std::string unit;
  bool kept = false;  // one of keep or speed_keep
  Location where;     // of a kept one
};

struct AssemblyResult {
  bool success = false;
  State state;                        // on success, phi = 0 and phidot = 0 to round-off; else as near as it came
  double length = 1;                  // of the machine, m (machine_size.hpp)
  Eigen::VectorXd moved;              // one an entry of q: how far from its named value, or from the guess
  std::vector<OpenCondition> missed;  // conditions of near on points, bodies and cut joints: by how much
  std::vector<OpenCondition> open;    // largest gap first
  int attempts = 0;                   // guesses until the loops closed
  std::string sentence;               // on failure: which loop stays open, and by how much
};

AssemblyResult assemble(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options = {});

// The same in two parts: positions, and the velocities that go with them where there are such.
AssemblyResult assemble_positions(SystemEvaluator& evaluator, const State& guess, const AssemblyOptions& options = {});
void assemble_velocities(SystemEvaluator& evaluator, AssemblyResult& result, bool conditions = true);

// The ways in which the loops close, found from many guesses: distinct up to whole turns, nearest to the first first.
// What keep leaves free is held where the first assembly has it, so that they are isolated.
std::vector<State> assemble_all(SystemEvaluator& evaluator, const State& guess,
                                const AssemblyOptions& options = {.attempts = 300});

// `x` onto phi = 0, then phidot = 0, along the shortest way: for states that are nearly there.
bool correct(SystemEvaluator& evaluator, State& state);

}  // namespace armature::internal
