// Something that happened at one time of a run.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace armature::internal {

struct RunEvent {
  double t = 0;            // s
  std::string what;        // "joint theta1: sticks", "condition 'x > 5' (line 7) is now true"
  Eigen::VectorXd x = {};  // the state there, of a located zero
};

// Two lists, each in the order of time, as one.
inline std::vector<RunEvent> merged(std::vector<RunEvent> a, std::vector<RunEvent> b) {
  std::vector<RunEvent> all;
  std::merge(std::move_iterator(a.begin()), std::move_iterator(a.end()), std::move_iterator(b.begin()),
             std::move_iterator(b.end()), std::back_inserter(all),
             [](const RunEvent& one, const RunEvent& other) { return one.t < other.t; });
  return all;
}

}  // namespace armature::internal
