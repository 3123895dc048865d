#include "study_warnings.hpp"

#include <fmt/format.h>

#include "lists.hpp"
#include "motion_failures.hpp"
#include "study/motion_warnings.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string sentence_of(const std::string& code, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings)
    if (finding.code == code || code == warning_codes().back()) return finding.sentence;
  return {};
}

}  // namespace

StudyWarnings::StudyWarnings(const Study& study, const Classes* classes, const Points& points, std::vector<double> bits,
                             const std::vector<std::string>& names)
    : bits_(std::move(bits)) {
  for (const double each : bits_) count_ += each != 0;
  const StopFlag stop = false;
  StudyRun run(study, classes, stop);
  for (std::size_t code = 0; code < warning_codes().size() && count_ > 0; ++code) {
    Kind kind;
    kind.code = warning_codes()[code];
    for (std::size_t k = 0; k < bits_.size(); ++k)
      if (has_warning(bits_[k], code) && kind.count++ == 0) kind.first = static_cast<long>(k);
    if (kind.count == 0) continue;
    run.run({points[kind.first], static_cast<std::size_t>(points.dimensions)});
    kind.sentence = sentence_of(kind.code, run.findings());
    for (std::size_t d = 0; d < names.size(); ++d) kind.place[names[d]] = points[kind.first][static_cast<long>(d)];
    kinds_.push_back(std::move(kind));
  }
}

Json StudyWarnings::to_json() const {
  Json list = Json::array();
  for (const Kind& kind : kinds_)
    list.push_back({{"code", kind.code}, {"count", kind.count}, {"at", kind.place}, {"sentence", kind.sentence}});
  return list;
}

std::string StudyWarnings::phrase() const {
  if (count_ == 0) return {};
  std::string list;
  for (const Kind& kind : kinds_)
    list += fmt::format("{}{}{}", list.empty() ? "" : ", ", kind.code,
                        kinds_.size() > 1 ? fmt::format(" {}", kind.count) : "");
  return fmt::format("; a run would warn of {} ({})", count_, list);
}

std::string StudyWarnings::text() const {
  if (count_ == 0) return {};
  std::string text = fmt::format("warning: a run would warn of {} of {}:\n", count_,
                                 counted(static_cast<long>(bits_.size()), "motion"));
  for (const Kind& kind : kinds_)
    text +=
        fmt::format("  {}: {}, the first at {}: {}\n", kind.code, kind.count, place_text(kind.place), kind.sentence);
  return text;
}

void StudyWarnings::add_to(StudyDocument& document) const {
  if (count_ == 0) return;
  StudyResult result{.name = "warnings", .scale = StudyResult::Scale::classes, .missing = "none"};
  for (const Kind& kind : kinds_) result.classes.push_back(kind.code);
  for (const double bits : bits_) {
    double first = -1;
    for (std::size_t k = kinds_.size(); k-- > 0;)
      for (std::size_t code = 0; code < warning_codes().size(); ++code)
        if (warning_codes()[code] == kinds_[k].code && has_warning(bits, code)) first = static_cast<double>(k);
    result.values.push_back(first);
  }
  document.results.push_back(std::move(result));
}

}  // namespace armature::internal::cli
