// Gradients of formulas over a motion by many variables: the motion is recorded, and gone through backwards once for each formula
// (sensitivity/adjoint_sweep.hpp). What motion_gradient.hpp gathers from sensitivities, as columns, is here a list of what a functional sees:
// formulas at times, integrals of them, and shifts of events.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "run/simulate.hpp"
#include "sensitivity/adjoint_sweep.hpp"
#include "study/study.hpp"

namespace armature::internal {

// Made once, shared by all threads.
struct AdjointStudy {
  // limit: numbers that the record of a motion may hold.
  AdjointStudy(const Study& study, const MotionSensitivity& motion, const std::vector<Expression>& observed,
               std::size_t limit = MotionRecord::usual_limit);

  const Study& study;
  AdjointSweep sweep;
  AdjointStart start;
  std::size_t limit;
};

// One thread's part.
class AdjointRun {
 public:
  explicit AdjointRun(const AdjointStudy& shared);
  ~AdjointRun();

  // The motion, recorded.
  Outcome follow(const Prepared& prepared, const Progress& progress);
  const MotionWatcher& watcher() const;

  // Then: by_functional has a row for each formula, a column for each functional. False: there are no gradients, and failure() says why.
  bool differentiate(const Prepared& prepared, const Eigen::MatrixXd& by_functional, const Eigen::VectorXd& scales,
                     const Progress& progress);
  const std::string& failure() const { return failure_; }
  const Eigen::MatrixXd& by_parameter() const { return by_parameter_; }  // one row per formula
  Eigen::VectorXd by_points(Eigen::Index formula, int table) { return sweep_.tables(formula).by_points(table); }
  // Of the last motion: evaluations of its accelerations, those of the adjoints, and the operations of one of these; 0: they are not traced.
  long plain_evaluations() const { return plain_evaluations_; }
  long evaluations() const { return evaluations_; }
  int operations() const { return sweep_.adjoint().traced() ? sweep_.adjoint().traced_program().operation_count() : 0; }
  int passes() const {
    return passes_;
  }  // runs of the last motion: more than one where the record is longer than its limit

 private:
  class Watcher;
  const AdjointStudy& shared_;
  AdjointSweep sweep_;
  AdjointStart start_;
  std::unique_ptr<MotionRecord> record_;
  std::unique_ptr<Watcher> watcher_;
  Eigen::MatrixXd by_parameter_;
  std::string failure_;
  int passes_ = 0;
  long plain_evaluations_ = 0, evaluations_ = 0;
};

}  // namespace armature::internal
