// The least-squares problem of several experiments: which unknowns there are, and the residuals of all measured values at once.
//
// Residuals are simulated less measured, in units of the noise of their column. An evaluation runs every experiment once, or, where there
// are more threads than experiments, in as many parts as there are threads: each part runs the whole motion (the same bits) with its own
// columns of the Jacobian.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "identify/experiment.hpp"
#include "identify/identification.hpp"
#include "identify/least_squares.hpp"

namespace armature::internal {

class FitProblem {
 public:
  // Throws ModelError, RequestError, ComputationError.
  FitProblem(const Model& model, const std::vector<MeasuredRecord>& records, const IdentifyOptions& options);

  std::vector<Estimate>& unknowns() { return unknowns_; }
  const Eigen::VectorXd& low() const { return low_; }
  const Eigen::VectorXd& high() const { return high_; }
  Eigen::VectorXd first() const;
  const std::vector<double>& sizes() const { return sizes_; }
  const std::vector<std::unique_ptr<Experiment>>& experiments() const { return experiments_; }
  Eigen::Index measurements() const { return static_cast<Eigen::Index>(group_.size()); }

  // Sensors: a name each, whichever experiment they stand in.
  struct Sensor {
    std::string name;
    double spread = 0;  // standard deviation of what was measured
    double noise = 0;   // by which its residuals are divided
    bool is_known = false;
    long count = 0;
  };
  std::vector<Sensor>& sensors() { return sensors_; }
  const std::vector<Sensor>& sensors() const { return sensors_; }
  const std::vector<int>& sensor_of() const { return group_; }  // of each residual
  int sensor(const std::string& name) const;

  // part: of every record, its beginning; measurements after it count nothing.
  Linearized evaluate(const Eigen::VectorXd& x, double part = 1);
  void stop() { stop_ = true; }
  bool stopped() const { return stop_; }

  // What an experiment shows at the last evaluation: samples x columns, offsets included.
  Eigen::MatrixXd simulated(std::size_t experiment, const Eigen::VectorXd& x, Findings& findings);

 private:
  struct Task {  // of one thread
    std::size_t experiment;
    Eigen::Index first, count;  // variables of the experiment
    std::unique_ptr<Experiment::Run> run;
    RunStatus status = RunStatus::failed;
  };

  void add_unknowns();
  void add_sensors();
  void add_tasks();
  void add_unknown(Estimate estimate, double low, double high, double size);
  Eigen::VectorXd values_for(std::size_t experiment, const Eigen::VectorXd& x) const;
  Eigen::VectorXd sizes_for(std::size_t experiment) const;
  void run_tasks(const Eigen::VectorXd& x, double part);
  void gather(const Task& task, const Eigen::VectorXd& x, double until, Linearized& result) const;

  const IdentifyOptions& options_;
  std::vector<std::unique_ptr<Experiment>> experiments_;
  std::vector<Estimate> unknowns_;
  std::vector<double> sizes_;
  Eigen::VectorXd low_, high_;
  std::vector<std::vector<int>> unknown_of_;  // by experiment and variable
  std::vector<Sensor> sensors_;
  std::vector<int> offset_of_;  // by sensor: its unknown, or -1
  std::vector<int> group_;
  std::vector<std::vector<Eigen::Index>> row_of_;  // by experiment, sample and column: -1 where nothing was measured
  std::vector<Task> tasks_;
  std::atomic<bool> stop_ = false;
};

}  // namespace armature::internal
