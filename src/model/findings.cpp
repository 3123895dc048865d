#include "model/findings.hpp"

namespace armature::internal {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::failure: return "failure";
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::advice: break;
  }
  return "advice";
}

std::vector<std::string> warnings_among(const Findings& findings) {
  std::vector<std::string> sentences;
  for (const Finding& finding : findings)
    if (row_of(finding.code).severity != Severity::failure) sentences.push_back(finding.sentence);
  return sentences;
}

}  // namespace armature::internal
