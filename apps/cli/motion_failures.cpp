#include "motion_failures.hpp"

#include <fmt/format.h>

#include "lists.hpp"

namespace armature::internal::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_told = 5;

}  // namespace

std::string place_text(const Json& place) {
  std::string text;
  for (const auto& [name, value] : place.items())
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", name, value.get<double>());
  return text;
}

MotionFailures::MotionFailures(const Study& study, const Classes* classes, const Points& points,
                               const std::vector<double>& reasons, const std::vector<std::string>& names)
    : points_(static_cast<long>(reasons.size())) {
  const StopFlag stop = false;
  StudyRun run(study, classes, stop);
  reasons_ = group_failures(reasons, [&](long cell) {
    run.run({points[cell], static_cast<std::size_t>(points.dimensions)});
    return run.sentence();
  });
  for (const Failure& failure : reasons_) {
    count_ += failure.count;
    Json place = Json::object();
    for (std::size_t d = 0; d < names.size(); ++d) place[names[d]] = points[failure.cell][static_cast<long>(d)];
    places_.push_back(std::move(place));
  }
}

Json MotionFailures::to_json() const {
  Json list = Json::array();
  for (std::size_t k = 0; k < reasons_.size(); ++k)
    list.push_back({{"count", reasons_[k].count}, {"at", places_[k]}, {"sentence", reasons_[k].sentence}});
  return list;
}

std::string MotionFailures::text() const {
  if (reasons_.empty()) return {};
  std::string text = fmt::format("{} of {} failed:\n", count_, counted(points_, "motion"));
  for (std::size_t k = 0; k < std::min(reasons_.size(), most_told); ++k)
    text +=
        fmt::format("  {}at {}: {}\n", reasons_[k].count > 1 ? fmt::format("{}, the first ", reasons_[k].count) : "",
                    place_text(places_[k]), reasons_[k].sentence);
  if (reasons_.size() > most_told)
    text += fmt::format("  for {} more\n", counted(static_cast<long>(reasons_.size() - most_told), "reason"));
  return text;
}

}  // namespace armature::internal::cli
