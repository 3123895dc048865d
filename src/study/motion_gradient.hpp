// Formulas over a motion and their exact gradients with respect to what is varied: the chain from the variables over the
// start, the motion and its functionals to the formulas.
//
//   final(x), at(x, T)    x_x S + x_p at that time
//   integral(x)           the integral of this
//   max(x)                this at the time of the largest x, which does not change to first order
//
// The motion is that of a StudyRun, bit for bit: sensitivities are integrated beside it, on the dense output of its steps
// (sensitivity_path.hpp). What the start owes to the variables follows from its rows (start_sensitivity.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sensitivity/sensitivity_path.hpp"
#include "sensitivity/start_sensitivity.hpp"
#include "study/study.hpp"

namespace armature::internal {

// Made once, shared by all threads.
class GradientStudy {
 public:
  // scales: a length of each variable over which the start changes noticeably, such as its range.
  GradientStudy(const Study& study, std::vector<double> scales);

  // Why there are no exact gradients: a sentence without its subject ("the model …"); empty: there are.
  static std::string missing(const Study& study);

 private:
  friend class GradientRun;
  const Study& study_;
  std::vector<double> scales_;
  MotionSensitivity sensitivity_;
  StartSensitivity start_;
  Directional observed_;  // formulas of the moment
  FormulaGradient formulas_;
};

// One thread's part.
class GradientRun {
 public:
  GradientRun(const GradientStudy& gradients, const StopFlag& stop);
  ~GradientRun();

  MotionStatus run(std::span<const double> point);
  const std::vector<double>& values() const { return values_; }  // of the formulas
  const std::string& sentence() const { return sentence_; }      // why it failed
  const std::vector<Finding>& findings() const { return findings_; }
  const Eigen::MatrixXd& gradients() const { return gradients_; }  // one row a formula, one column a variable

 private:
  class Watcher;
  void differentiate_formulas(std::span<const double> point);

  const GradientStudy& shared_;
  const StopFlag& stop_;
  Prepared prepared_;
  SystemEvaluator assembler_;
  StartSensitivity start_;
  MotionEvaluator evaluator_;
  FormulaGradient formulas_;
  std::unique_ptr<Watcher> watcher_;
  Functionals functionals_;
  std::vector<double> values_;
  Eigen::MatrixXd gradients_;
  std::string sentence_;
  std::vector<Finding> findings_;
};

}  // namespace armature::internal
