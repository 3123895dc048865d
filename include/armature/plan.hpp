// Plans: the motion of least cost between two states, or along a path, within the limits of the motors.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "armature/study.hpp"

namespace armature {

// Bounds of an input, in SI units. Without them the limits of the drives apply.
struct InputRange {
  std::string name;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

struct PlanQuestion {
  std::vector<std::pair<std::string, std::string>> to = {};  // formula and its value at the end
  bool moving = false;            // speeds at the end are free, except those in `to`; otherwise all are zero
  std::string minimize = "time";  // time, energy, loss, current, or a formula whose integral is minimized
  std::vector<InputRange> inputs = {};
  std::vector<std::string> keep = {};  // comparisons that must hold at all times
  std::vector<std::pair<std::string, std::string>> along =
      {};                            // formula, and its value as a formula of `path`, which runs from 0 to 1
  std::string within = {};           // largest deviation from the path: "0.5 mm"
  double shortest = 0, longest = 0;  // duration, s; 0: free if time is minimized, otherwise the end time in the file
  bool gains = false;                // feedback along the motion
  double accuracy = 1e-5;            // of the simulated end state, in radians and machine lengths
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
  std::vector<double> t;                    // nodes, s; inputs are linear between them
  std::vector<std::string> inputs, states;  // by name
  std::vector<double> input_values;         // a row per node
  std::vector<double> state_values;         // the same: positions, velocities, states of drives
  std::vector<double> gains;  // a matrix inputs x states for each node but the last, by rows; empty: not requested
  std::vector<std::string> active;  // active limits
  double end_error = 0;             // of the run with these inputs, in radians and machine lengths
  double target_error = 0;          // largest deviation from `to` in that run, SI
  double constraint_error = 0;      // of that run, SI
  std::vector<std::string> notes, warnings;
};

// Throws Error. If no plan is found, the result has a sentence and no nodes.
ARMATURE_API Plan plan(const Model& model, const PlanQuestion& question, const StudyOptions& options = {});

}  // namespace armature
