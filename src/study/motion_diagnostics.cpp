#include "study/motion_diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/findings.hpp"
#include "study/failures.hpp"
#include "study/motion_warnings.hpp"

namespace armature::internal {

namespace {

constexpr const char* not_repeated = "the command was stopped before this motion could be repeated for its message";

StudyPoint named_point(const Points& points, long k, const std::vector<std::string>& names) {
  StudyPoint place;
  for (std::size_t d = 0; d < names.size(); ++d) place.emplace_back(names[d], points[k][static_cast<long>(d)]);
  return place;
}

std::string sentence_of(FindingCode code, const Findings& findings) {
  const auto found = std::ranges::find(findings, code, &Finding::code);
  return found == findings.end() ? "" : found->sentence;
}

}  // namespace

MotionDiagnostics failures_of(const Study& study, const Classes* classes, const Points& points,
                              const std::vector<double>& reasons, const std::vector<std::string>& names) {
  MotionDiagnostics diagnostics{.motions = static_cast<long>(reasons.size())};
  const StopFlag stop = false;
  StudyRun run(study, classes, stop);
  const auto sentence = [&](long cell) {
    const MotionStatus status = run.run({points[cell], static_cast<std::size_t>(points.dimensions)});
    return status == MotionStatus::stopped ? std::string(not_repeated) : run.sentence();
  };
  for (const Failure& failure : group_failures(reasons, sentence)) {
    diagnostics.count += failure.count;
    diagnostics.kinds.push_back(
        {.count = failure.count, .at = named_point(points, failure.cell, names), .sentence = failure.sentence});
  }
  return diagnostics;
}

MotionDiagnostics warnings_of(const Study& study, const Classes* classes, const Points& points,
                              const std::vector<double>& bits, const std::vector<std::string>& names) {
  MotionDiagnostics diagnostics{.motions = static_cast<long>(bits.size())};
  struct Kind {
    long count = 0, first = 0;
  };
  std::map<FindingCode, Kind> kinds;
  for (std::size_t k = 0; k < bits.size(); ++k) {
    diagnostics.count += bits[k] != 0;
    for (const FindingCode code : warning_codes(bits[k]))
      if (kinds[code].count++ == 0) kinds[code].first = static_cast<long>(k);
  }
  const StopFlag stop = false;
  StudyRun run(study, classes, stop);
  for (const auto& [code, kind] : kinds) {
    const MotionStatus status = run.run({points[kind.first], static_cast<std::size_t>(points.dimensions)});
    diagnostics.kinds.push_back(
        {.code = std::string(row_of(code).code),
         .count = kind.count,
         .at = named_point(points, kind.first, names),
         .sentence = status == MotionStatus::stopped ? not_repeated : sentence_of(code, run.findings())});
  }
  return diagnostics;
}

std::string warning_phrase(const MotionDiagnostics& warnings) {
  if (warnings.count == 0) return {};
  std::string list;
  for (const MotionDiagnostic& kind : warnings.kinds)
    list += fmt::format("{}{}{}", list.empty() ? "" : ", ", kind.code,
                        warnings.kinds.size() > 1 ? fmt::format(" {}", kind.count) : "");
  return fmt::format("; {} with warnings ({})", warnings.count, list);
}

}  // namespace armature::internal
