// Where two runs of one motion part, and how. Errors that add up grow as a low power of time; those of an unstable motion,
// chaotic or not, grow exponentially from the level of the tolerance on, until they are as large as the motion.
//
// With D the largest difference so far, runs part when D first exceeds 1 %. Let D have been 1e-5 at t0 and 1 % at t1, both
// since the start. D grew exponentially where it took five rows or more, without a jump over half of those decades between two
// rows, and t1 < 5.6 t0: a power of time that does so is higher than four (1000^(1/4) = 5.6). The rate is the slope of ln D by least squares.
// At this rate the motion before must not have grown by more than 100 logarithms: 32 take round-off to 1 %, and what grows faster has
// met something that the other run has not, such as a short force.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace armature::internal {

struct GrowthToDivergence {
  double t = 0;         // s
  double rate = 0;      // 1/s; 0: not exponential
  bool sudden = false;  // from one row to the next
};

// differences: at times t, as parts of the size of the motion.
// Of each row the smaller difference of it and the next: a row between the times that two runs find for one event is no sign of anything.
std::vector<double> lasting(std::vector<double> differences);

// how: the other run.
std::string in_words(const GrowthToDivergence& divergence, const std::string& how);

std::optional<GrowthToDivergence> find_divergence(const std::vector<double>& t, const std::vector<double>& differences);

}  // namespace armature::internal
