// Numbers of one motion: formulas over the whole of it (motion_formula.hpp). What they observe is compiled into equations of their own,
// so that the recorded run stays as it is; the motion is followed a second time, with the same steps.
#pragma once

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

  // NaN where the motion does not get to its end. integral_share: of the tolerance of integrals.
  NamedNumbers compute(const StartChoice& start, const Progress& progress = {}, double integral_share = 1) const;

 private:
  void refuse_times_before(double start, double end) const;  // throws RequestError
  Varied varied_;
  MotionFormulas formulas_;
  std::vector<std::string> names_;
};

}  // namespace armature::internal
