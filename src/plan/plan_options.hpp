// What is asked of a plan.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "read/reader.hpp"

namespace armature::internal {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

struct PlanOptions {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  struct InputRange {
    std::string name;
    double low = -unbounded, high = unbounded;  // SI
  };

  Pairs to;                        // formula, value: what holds at the end
  bool moving = false;             // speeds at the end are free, but for those of `to`; else all are zero
  std::string minimize = "time";   // time, energy, loss, current, or a formula whose integral over time is minimized
  std::vector<InputRange> inputs;  // bounds of inputs; others have those of the drives' limits
  std::vector<std::string> keep;   // comparisons that hold at all times: "x <= 0.4", "0.1 <= y <= 0.2"
  Pairs along;                     // formula, formula of `path`, which goes from 0 to 1
  std::string within;              // how far off the path it may be
  std::optional<double> shortest,
      longest;         // duration, s; equal: fixed. None: free where time is minimized, else the file's end
  int starts = 1;      // first guesses, from each of which a motion is searched
  int intervals = 20;  // of the first mesh
  int most_intervals = 400;
  double accuracy = 1e-5;  // of the simulated end state, in units of the machine (radians, lengths over its length)
  int iterations = 1000;   // of each search
  bool gains = false;      // feedback gains along the motion
  Settings settings = {};
  std::function<bool(const std::string& what)> progress = {};  // called now and then; false: stop
};

}  // namespace armature::internal
