#include "study/motion_diagnostics.hpp"

#include <fmt/format.h>

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

std::string sentence_of(const std::string& code, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.code == code || code == warning_codes().back()) return finding.sentence;
  return {};
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
  for (const double each : bits) diagnostics.count += each != 0;
  const StopFlag stop = false;
  StudyRun run(study, classes, stop);
  for (std::size_t code = 0; code < warning_codes().size() && diagnostics.count > 0; ++code) {
    MotionDiagnostic kind{.code = warning_codes()[code]};
    long first = -1;
    for (std::size_t k = 0; k < bits.size(); ++k)
      if (has_warning(bits[k], code) && kind.count++ == 0) first = static_cast<long>(k);
    if (kind.count == 0) continue;
    const MotionStatus status = run.run({points[first], static_cast<std::size_t>(points.dimensions)});
    kind.sentence = status == MotionStatus::stopped ? not_repeated : sentence_of(kind.code, run.findings());
    kind.at = named_point(points, first, names);
    diagnostics.kinds.push_back(std::move(kind));
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
