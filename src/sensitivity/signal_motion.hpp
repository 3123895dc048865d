// Signals of a motion at given times, and their exact derivatives with respect to the free parameters of the model and of its start.
//
//   y(t_k) = y(t, x, d, p)        dy/dp = y_x dx/dp + y_d dd/dp + y_p
//
// The motion is that of a plain run, bit for bit: signals and sensitivities are looked at beside it, on the dense output of its steps
// (sensitivity_path.hpp).
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "observe/outcome.hpp"
#include "prepare/known_positions.hpp"
#include "prepare/prepare.hpp"
#include "sensitivity/run_sensitivity.hpp"
#include "sensitivity/start_sensitivity.hpp"

namespace armature::internal {

// What is observed of which model. Made once, shared by all threads.
class SignalStudy {
 public:
  // compiled: with its free parameters, not assembled. times: increasing, from the start on; the motion ends with the last.
  SignalStudy(Prepared compiled, const std::vector<Expression>& signals, std::vector<double> times);

  // Why there are no derivatives: a sentence without its subject ("the model …"). Empty: there are.
  static std::string missing(const Prepared& compiled);

  const Prepared& prepared() const { return prepared_; }
  const std::vector<double>& times() const { return times_; }
  int signals() const { return signals_->output_count(); }

 private:
  friend class SignalRun;
  Prepared prepared_;
  std::vector<double> times_;
  std::shared_ptr<const Program> signals_;
  std::unique_ptr<KnownPositions> known_;
  // null: there are no derivatives
  std::unique_ptr<const MotionSensitivity> motion_;
  std::unique_ptr<const Saltation> saltation_;
  std::unique_ptr<const StartSensitivity> start_;
  std::unique_ptr<const Directional> observed_;
};

// One thread's part.
class SignalRun {
 public:
  explicit SignalRun(const SignalStudy& study);
  ~SignalRun();

  struct Request {
    Eigen::VectorXd parameters;  // in the order of Equations::p_name
    // A column for each direction in the parameters whose derivatives are wanted; none: values alone.
    Eigen::MatrixXd directions = {};
    Eigen::VectorXd scales = {};  // how far each parameter may go to differentiate a start that rows do not determine
    double until = 0;             // s: the motion may end here; 0: with the last time
  };
  RunStatus run(const Request& request, const std::atomic<bool>& stop);

  const std::string& sentence() const { return sentence_; }  // why it failed
  bool no_derivative() const { return no_derivative_; }  // the motion goes on, but has no derivative from some time on
  Eigen::Index samples() const { return samples_; }      // times that the motion reached: the first ones
  // Row k: the signals at time k.
  const Eigen::MatrixXd& values() const { return values_; }
  // Row k signals() + i: the derivatives of signal i at time k.
  const Eigen::MatrixXd& derivatives() const { return derivatives_; }
  long steps() const { return steps_; }
  const Findings& findings() const { return findings_; }  // what a run warns of

 private:
  class Watcher;
  const SignalStudy& study_;
  Prepared prepared_;
  SystemEvaluator assembler_;
  std::unique_ptr<StartSensitivity> start_;
  std::unique_ptr<Watcher> watcher_;
  std::string sentence_;
  bool no_derivative_ = false;
  Eigen::Index samples_ = 0;
  Eigen::MatrixXd values_, derivatives_;
  long steps_ = 0;
  Findings findings_;
};

}  // namespace armature::internal
