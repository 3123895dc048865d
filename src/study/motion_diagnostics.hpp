// What went wrong with the motions of a study. Those that failed are grouped by reason; those that came to their end, but of which a
// single run would warn, by what it would warn of. The first of each kind is run again for its sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "study/design.hpp"
#include "study/study.hpp"

namespace armature::internal {

using StudyPoint = std::vector<std::pair<std::string, double>>;  // the variables and their values

struct MotionDiagnostic {
  std::string code = {};  // of a warning: "energy"
  long count = 0;         // motions
  StudyPoint at = {};     // the first of them
  std::string sentence = {};
};

struct MotionDiagnostics {
  long motions = 0;                          // of the study
  long count = 0;                            // that failed, or are to be warned of
  std::vector<MotionDiagnostic> kinds = {};  // failures: most frequent first; warnings: by code
  bool all() const { return count > 0 && count == motions; }
};

// reasons: reason_number() of each point's motion.
MotionDiagnostics failures_of(const Study& study, const Classes* classes, const Points& points,
                              const std::vector<double>& reasons, const std::vector<std::string>& names);

// bits: warning_bits() of each point's motion.
MotionDiagnostics warnings_of(const Study& study, const Classes* classes, const Points& points,
                              const std::vector<double>& bits, const std::vector<std::string>& names);

// "; 3 with warnings (energy)", empty where it would not.
std::string warning_phrase(const MotionDiagnostics& warnings);

}  // namespace armature::internal
