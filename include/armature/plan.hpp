// Plans: the motion between two states, or along a path, that costs least within the limits of the motors.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "armature/study.hpp"

namespace armature {

// Bounds of an input, SI. Without them it has those of the drives' limits.
struct InputRange {
  std::string name;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

struct PlanQuestion {
  std::vector<std::pair<std::string, std::string>> to = {};     // formula, value: what holds at the end
  bool moving = false;                                          // speeds at the end are free, but for those of `to`; else all are zero
  std::string minimize = "time";                                // time, energy, loss, current, or a formula whose integral is minimized
  std::vector<InputRange> inputs = {};
  std::vector<std::string> keep = {};                           // comparisons that hold at all times
  std::vector<std::pair<std::string, std::string>> along = {};  // formula, formula of `path`, which goes from 0 to 1
  std::string within = {};                                      // how far off the path: "0.5 mm"
  double shortest = 0, longest = 0;  // duration, s; 0: free where time is minimized, else the end of the file's run
  bool gains = false;                // feedback along the motion
  double accuracy = 1e-5;            // of the simulated end state, in radians and lengths over that of the machine
  int starts = 1;                    // first guesses, from each of which a motion is searched: the best counts
  int intervals = 20;                // of the first mesh
  int most_intervals = 400;
  int iterations = 1000;  // of each search
};

struct Plan {
  bool found = false;
  std::string sentence;
  double duration = 0;  // s
  double cost = 0;
  std::string cost_unit;
  std::vector<double> t;                    // nodes, s; inputs are straight lines between them
  std::vector<std::string> inputs, states;  // by name
  std::vector<double> input_values;         // a row per node
  std::vector<double> state_values;         // the same: positions, velocities, states of drives
  std::vector<double> gains;                // a matrix inputs x states per node but the last, by rows; empty: not wanted
  std::vector<std::string> active;          // limits that hold the motion back
  double end_error = 0;                     // of the run with these inputs, in radians and lengths over that of the machine
  double target_error = 0;                  // largest miss of `to` in that run, SI
  double constraint_error = 0;              // of that run, SI
  std::vector<std::string> notes, warnings;
};

// Throws Error. A plan that is not found has a sentence, and no nodes.
ARMATURE_API Plan plan(const Model& model, const PlanQuestion& question, const StudyOptions& options = {});

}  // namespace armature
