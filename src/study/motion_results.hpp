// Numbers of one motion: formulas over the whole of it (motion_formula.hpp). What they observe is compiled into equations of their own,
// so that the recorded run stays as it is. Where these have the same inputs as the run's, the run is watched along; formulas that add
// comparisons or values that are held follow a motion of their own, with the same steps.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/run_record.hpp"
#include "run/chosen_start.hpp"
#include "run/simulate.hpp"
#include "study/motion_formula.hpp"
#include "study/study.hpp"
#include "study/undefined_results.hpp"

namespace armature::internal {

class MotionResults {
 public:
  // results: name, formula. The model must outlive it. Throws RequestError.
  MotionResults(const Model& model, const std::vector<std::pair<std::string, std::string>>& results);

  // Who sees a run with these equations go by; null: it takes compute(). Both outlive the watcher.
  std::unique_ptr<MotionWatcher> watcher_of(const Prepared& run) const;
  NamedNumbers seen_by(const MotionWatcher& watcher) const;  // of a motion that got to its end

  // NaN where the motion does not get to its end. integral_share: of the tolerance of integrals.
  NamedNumbers compute(const StartChoice& start, const Progress& progress = {}, double integral_share = 1) const;

 private:
  void refuse_times_before(double start, double end) const;  // throws RequestError
  const Study& study() const;

  Varied varied_;
  MotionFormulas formulas_;
  std::vector<std::string> names_;
  mutable std::optional<Study> study_;  // compiled when it is asked for
};

}  // namespace armature::internal
