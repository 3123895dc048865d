// The errors of a run's numbers, as a repetition beside it shows them: what run.json holds under `errors`.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace armature::internal {

struct ErrorEstimate {
  using Numbers = std::vector<std::pair<std::string, double>>;

  std::string how;               // the repetition: "dop853, rtol 1e-10, steps up to 0.005 s"
  std::string missing;           // why there is no estimate; empty: there is one
  Numbers results, peaks, last;  // by name; last: positions and velocities at the end

  std::optional<double> parts_at;  // s, from which on run and repetition are different motions …
  std::string sentence;            // … in words
};

// NaN: not known.
double error_of(const ErrorEstimate::Numbers& errors, const std::string& name);

// The errors of a's numbers where b has more exact ones of the same names; at least the round-off of a.
ErrorEstimate::Numbers differences_of(const ErrorEstimate::Numbers& a, const ErrorEstimate::Numbers& b);

}  // namespace armature::internal
