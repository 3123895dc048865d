// Assembly: brings a guess onto phi = 0 and phidot = 0.
//
// Positions, in this order: `keep` exactly, the loops exactly, `near` in least squares, and of what is then still free
// the shortest way in the kinetic metric, so that light parts move first. Each Newton step solves
//
//   min  1/2 |J_near dv + near|^2 + eps/2 dv' M dv     with   Phi dv = -phi,  J_keep dv = -keep
//
// by the rank decision of linear/kinetic_rows, damped where it does not bring the loops nearer. Before it, with keep and
// near held, the parts that neither names come as near to closing the loops as they can: so near chooses the branch,
// whichever joints are cut. If the guess does not close, others around it are tried, further and further away, always the
// same ones.
// Velocities: `speed_keep` exactly, phidot = 0, `speed_near` in least squares, and then as near to rest as possible.
#pragma once

#include <string>
#include <vector>

#include "system/state.hpp"
#include "system/system.hpp"

namespace armature {

struct AssemblyOptions {
  bool conditions = true;  // keep, near and speeds of the model; false: the guess alone says where
  int attempts = 60;       // guesses around the first, if it does not close
  unsigned seed = 1;
};

// A condition that cannot be met: a loop (its joint or constraint) or a kept value.
struct OpenCondition {
  std::string name;
  double gap = 0;  // in `unit`
  std::string unit;
  bool kept = false;  // one of keep or speed_keep
  Location where;     // of a kept one
};

struct AssemblyResult {
  bool success = false;
  State state;                      // on success, phi = 0 and phidot = 0 to round-off; else as near as it came
  Eigen::VectorXd moved;            // one an entry of q: how far from where keep and near alone would put it
  std::vector<OpenCondition> open;  // largest gap first
  int attempts = 0;                 // guesses that were needed
  std::string sentence;             // on failure: which loop stays open, and by how much
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

}  // namespace armature
