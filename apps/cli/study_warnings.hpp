// Motions of a study that came to their end, but of which a single run would warn: counted by what it would warn of, with the place
// of the first of each kind and what its run says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/study_document.hpp"
#include "study/design.hpp"
#include "study/study.hpp"

namespace armature::internal::cli {

class StudyWarnings {
 public:
  // bits: warning_bits() of each point's motion. The first of each code is run again.
  StudyWarnings(const Study& study, const Classes* classes, const Points& points, std::vector<double> bits,
                const std::vector<std::string>& names);

  long count() const { return count_; }        // motions with any warning
  nlohmann::ordered_json to_json() const;      // [{"code": "energy", "count": 3, "at": {"length": 1}, "sentence": …}]
  std::string phrase() const;                  // "; a run would warn of 3 (energy)", empty where it would not
  std::string text() const;                    // "warning: a run would warn of 3 of 25 motions:\n  …", or empty
  void add_to(StudyDocument& document) const;  // a result to look at, where there are warnings

 private:
  struct Kind {
    std::string code;
    long count = 0, first = -1;
    nlohmann::ordered_json place = nlohmann::ordered_json::object();
    std::string sentence;
  };
  std::vector<double> bits_;
  long count_ = 0;
  std::vector<Kind> kinds_;
};

}  // namespace armature::internal::cli
