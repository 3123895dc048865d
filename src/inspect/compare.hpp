// Two models of one machine, or one model with two sets of options, side by side: accelerations at random consistent
// states, trajectories over time, cost, constraint error, energy error.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "observe/outcome.hpp"
#include "prepare/prepare.hpp"
#include "record/recorder.hpp"

namespace armature::internal {

struct CompareOptions {
  int states = 50;
  unsigned seed = 1;
  std::vector<std::pair<std::string, std::string>>
      match;                                      // further pairs: a name of A and the name of the same thing in B
  bool match_alike = true;                        // what both name alike is a pair; false: only `match`
  bool run = true;                                // false: accelerations only
  Recorder *rows_a = nullptr, *rows_b = nullptr;  // get the rows of the runs, too
};

struct ComparedSide {
  std::string name, file;
  int coordinates = 0, constraints = 0;
  int operations = 0;  // of one acceleration
  Outcome outcome;
  bool balances = true;  // energy_error means something
  std::shared_ptr<const Prepared> prepared;
};

struct CompareResult {
  ComparedSide a, b;
  std::vector<std::string> names;  // compared; where they differ "crank = q1"
  std::string obstacle;            // why accelerations could not be compared

  int states = 0;
  double acceleration = 0;      // largest difference at a state over the largest acceleration there
  std::string acceleration_of;  // where it is
  double rate = 0;              // of currents and other states named alike: largest difference over their largest rate
  std::string rate_of;

  struct Moment {
    double t = 0, difference = 0;  // largest of all names, positions and rates
    std::string of;
  };
  std::vector<Moment> moments;  // six, evenly over the run
  Moment largest;
  double explained = 0;  // difference of the runs that their own errors explain

  bool same_equations() const { return obstacle.empty() && states > 0 && acceleration < 1e-10 && rate < 1e-10; }
  bool apart() const { return !moments.empty() && !(largest.difference <= explained); }  // the runs
  std::string verdict() const;                                                           // one sentence
};

// Throws ModelError where a model is wrong and std::runtime_error (a sentence) where there is nothing to compare.
CompareResult compare(const Model& a, const Model& b, const CompareOptions& options = {});

}  // namespace armature::internal
