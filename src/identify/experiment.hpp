// One measured record and the motion that is to follow it.
//
// Columns with the name of an input of the model drive it: the input is a table of time with the measured values, straight lines between them.
// All other columns are formulas of the model's signals (theta1, theta1', motor1.current, platform.C.x, …), observed at the times of
// the record.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "identify/measured_record.hpp"
#include "sensitivity/missing_derivatives.hpp"
#include "sensitivity/signal_motion.hpp"
#include "study/study.hpp"

namespace armature::internal {

struct ExperimentRequest {
  std::vector<std::string> parameters;  // that are fitted
  std::vector<std::string> starts;      // start values, likewise
  std::vector<std::string> use;         // columns; empty: all
};

class Experiment {
 public:
  // Throws ModelError and RequestError.
  Experiment(const Model& model, MeasuredRecord record, const ExperimentRequest& request);

  const MeasuredRecord& record() const { return record_; }
  const std::vector<std::string>& inputs() const { return inputs_; }  // columns that drive the model
  struct Column {
    std::string name, unit;    // SI, where it is known
    const MeasuredColumn* of;  // of the record
  };
  const std::vector<Column>& columns() const { return columns_; }  // that are compared
  // Why derivatives are differences of motions: a sentence without its subject. Empty: they are exact.
  const std::string& without_derivatives() const { return without_derivatives_; }
  const MissingDerivatives& missing_derivatives() const { return missing_; }  // of single motions

  // Of request.parameters and request.starts: values in the file.
  double own_value(const std::string& name) const;
  Eigen::Index variables() const { return static_cast<Eigen::Index>(place_.size()); }

  // One thread's part: some columns of the Jacobian, or none.
  class Run {
   public:
    explicit Run(const Experiment& experiment);
    // values: of all variables, in the order of the request. first, count: the variables to differentiate by. until: s, 0: the end.
    RunStatus run(const Eigen::VectorXd& values, const Eigen::VectorXd& sizes, Eigen::Index first, Eigen::Index count,
                  double until, const std::atomic<bool>& stop);
    const std::string& sentence() const { return sentence_; }
    Eigen::Index samples() const { return samples_; }
    const Findings& findings() const { return run_.findings(); }
    const Eigen::MatrixXd& values() const { return values_; }            // samples x columns
    const Eigen::MatrixXd& derivatives() const { return derivatives_; }  // (sample, column) x variables

   private:
    RunStatus run_differences(const Eigen::VectorXd& values, const Eigen::VectorXd& sizes, Eigen::Index first,
                              Eigen::Index count, double until, const std::atomic<bool>& stop);
    RunStatus take(const SignalRun::Request& request, const std::atomic<bool>& stop);
    Eigen::VectorXd parameters_at(const Eigen::VectorXd& values) const;

    const Experiment& experiment_;
    SignalRun run_;
    std::string sentence_;
    Eigen::Index samples_ = 0;
    Eigen::MatrixXd values_, derivatives_;
  };

 private:
  MeasuredRecord record_;
  std::vector<std::string> inputs_;
  std::vector<Column> columns_;
  std::string without_derivatives_;
  mutable MissingDerivatives missing_;
  std::vector<std::pair<std::string, double>> own_;
  std::vector<Eigen::Index> place_;  // of each variable among the parameters of the compiled model
  std::unique_ptr<SignalStudy> signals_;
};

}  // namespace armature::internal
