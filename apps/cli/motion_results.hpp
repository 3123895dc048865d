// run --result NAME=FORMULA: numbers of the whole motion. What the formulas observe is compiled into equations of its own,
// so that the recorded run stays as it is; the motion is followed a second time, with the same steps.
#pragma once

#include <string>
#include <vector>

#include "record/run_record.hpp"
#include "start_arguments.hpp"
#include "study/motion_formula.hpp"
#include "study/study.hpp"

namespace armature::internal::cli {

class MotionResults {
 public:
  // The model must outlive it. Throws UsageError.
  MotionResults(const Model& model, const std::vector<std::string>& results);

  // NaN where the motion does not get to its end.
  RunRecord::Numbers compute(const StartArguments& start) const;

 private:
  Varied varied_;
  MotionFormulas formulas_;
  std::vector<std::string> names_;
};

}  // namespace armature::internal::cli
