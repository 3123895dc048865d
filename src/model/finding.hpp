// What is wrong, doubtful or odd about a motion, whether or not it reached its end. Every sentence of this kind is a row of
// findings.def; findings.hpp makes them. Hosts pass them on: none has a list of its own.
#pragma once

#include <string>
#include <vector>

namespace armature::internal {

enum class FindingCode : int;  // a row of findings.def

struct Finding {
  FindingCode code;
  std::string sentence;
};

using Findings = std::vector<Finding>;

inline void append(Findings more, Findings& to) {
  for (Finding& finding : more) to.push_back(std::move(finding));
}

// Those that do not end the run, in words.
std::vector<std::string> warnings_among(const Findings& findings);

}  // namespace armature::internal
