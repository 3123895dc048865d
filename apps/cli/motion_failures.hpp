// Why motions of a study failed: grouped by reason, as a list for result.json and as lines for the terminal.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "study/design.hpp"
#include "study/failures.hpp"
#include "study/study.hpp"

namespace armature::internal::cli {

std::string place_text(const nlohmann::ordered_json& place);  // "w0 = 1, phi = 0.5"

class MotionFailures {
 public:
  // reasons: reason_number() of each point's motion. The first of each reason is run again.
  MotionFailures(const Study& study, const Classes* classes, const Points& points, const std::vector<double>& reasons,
                 const std::vector<std::string>& names);

  long count() const { return count_; }
  bool all() const { return count_ > 0 && count_ == points_; }
  nlohmann::ordered_json to_json() const;  // [{"count": 2, "at": {"w0": 0}, "sentence": …}]
  std::string text() const;                // "2 of 18 motions failed:\n  …", empty where none did

 private:
  long count_ = 0, points_ = 0;
  std::vector<Failure> reasons_;
  std::vector<nlohmann::ordered_json> places_;  // of the first of each
};

}  // namespace armature::internal::cli
