// Formulas over a motion and their exact gradients with respect to what is varied: the chain from the variables over the
// start, the motion and its functionals to the formulas.
//
//   final(x), at(x, T)    x_x S + x_p at that time
//   integral(x)           the integral of this
//   max(x)                this at the time of the largest x, which does not change to first order; at an event, with the shift of it
//   first(c), last(c)     the shift of the event
//
// Where the integrand jumps at an event, the integral gains the jump times its shift (saltation.hpp).
//
// The motion is that of a StudyRun, bit for bit: sensitivities are integrated beside it, on the dense output of its steps
// (sensitivity_path.hpp). What the start owes to the variables follows from its rows (start_sensitivity.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sensitivity/run_sensitivity.hpp"
#include "sensitivity/start_sensitivity.hpp"
#include "study/adjoint_gradient.hpp"
#include "study/study.hpp"

namespace armature::internal {

// How derivatives go through a motion: forwards, a column for each variable beside it; backwards along it, a column for each formula; or, by
// itself, backwards where there are many variables for each formula.
enum class DerivativeWay { automatic, forward, adjoint };

// Made once, shared by all threads.
class GradientStudy {
 public:
  // scales: a length of each variable over which the start changes noticeably, such as its range. The first `count` variables are
  // differentiated by; 0: all.
  GradientStudy(const Study& study, std::vector<double> scales, std::size_t count = 0,
                DerivativeWay way = DerivativeWay::automatic, std::size_t record_limit = MotionRecord::usual_limit);

  // Why there are no exact gradients: a sentence without its subject ("the model …"); empty: there are.
  static std::string missing(const Study& study);
  static std::string no_adjoint(const Study& study);  // likewise, backwards
  bool backwards() const { return adjoint_ != nullptr; }

 private:
  friend class GradientRun;
  const Study& study_;
  std::vector<double> scales_;
  std::size_t count_;
  MotionSensitivity sensitivity_;
  Saltation saltation_;
  StartSensitivity start_;
  Directional observed_;  // formulas of the moment
  FormulaGradient formulas_;
  std::unique_ptr<const AdjointStudy> adjoint_;  // null: forwards
};

// One thread's part.
class GradientRun {
 public:
  GradientRun(const GradientStudy& gradients, const StopFlag& stop);
  ~GradientRun();

  MotionStatus run(std::span<const double> point);
  const std::vector<double>& values() const { return values_; }  // of the formulas
  const std::string& sentence() const { return sentence_; }      // why it failed
  const Findings& findings() const { return findings_; }
  const Eigen::MatrixXd& gradients() const { return gradients_; }  // one row a formula, one column a variable
  // Why the last motion has no derivative, with its time; the gradients are differences of motions then. Empty: they are exact.
  const std::string& no_derivative() const { return no_derivative_; }
  long motions_beside() const { return motions_beside_; }         // in all, for differences
  const AdjointRun* backwards() const { return adjoint_.get(); }  // null: forwards

 private:
  class Watcher;
  MotionStatus run_forwards(std::span<const double> point);
  MotionStatus run_backwards(std::span<const double> point);
  MotionStatus conclude(const Outcome& outcome, const MotionWatcher& watcher, std::span<const double> point);
  Eigen::VectorXd scales() const;
  MotionStatus take_differences(std::span<const double> point);
  void differentiate_formulas(std::span<const double> point);

  const GradientStudy& shared_;
  const StopFlag& stop_;
  Prepared prepared_;
  SystemEvaluator assembler_;
  StartSensitivity start_;
  MotionEvaluator evaluator_;
  FormulaGradient formulas_;
  std::unique_ptr<Watcher> watcher_;
  std::unique_ptr<AdjointRun> adjoint_;
  StudyRun beside_;
  std::vector<Eigen::Index> parameters_;  // of the columns of S
  std::string no_derivative_;
  long motions_beside_ = 0;
  Functionals functionals_;
  std::vector<double> values_;
  Eigen::MatrixXd gradients_;
  std::string sentence_;
  Findings findings_;
};

}  // namespace armature::internal
