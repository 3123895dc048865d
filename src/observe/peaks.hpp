// The largest size of each motor's current during a run, and when: located on the dense output of those steps in which a
// current comes near it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "dynamics/dynamics.hpp"
#include "integrate/step.hpp"
#include "observe/outcome.hpp"

namespace armature::internal {

class Peaks {
 public:
  explicit Peaks(Dynamics& dynamics);
  bool any() const { return !peaks_.empty(); }
  void begin(double t, const Eigen::VectorXd& x);
  void restart() { smooth_ = false; }  // the laws of the motion have changed

  // Between the last time and `until`, inside a step.
  void find(const Step& step, double until);
  const std::vector<Peak>& peaks() const { return peaks_; }

 private:
  bool stays_below(const Step& step, double until);                      // the largest so far, in a step
  bool below(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const;  // and end_
  void evaluate(double t);                                               // at x_, into value_
  void evaluate_on(const Step& step, double t);
  void probe(const Step& step, double until);
  void refine(const Step& step, std::size_t k, double a, double b);
  void raise(std::size_t k, double t);
  void make_program();

  Dynamics& dynamics_;
  std::vector<Peak> peaks_;
  std::vector<int> state_;             // where the current stands in x; -1: the program gives it
  std::optional<Evaluator> currents_;  // of those that are no states
  std::vector<double> outputs_;
  double t_ = 0;
  Eigen::VectorXd value_, x_;
  Eigen::VectorXd before_, last_, end_;  // values at the ends of steps; of the one that is looked at
  bool smooth_ = false;                  // from `before` on
  Eigen::MatrixXd size_;                 // of the currents at the probes of a step
};

}  // namespace armature::internal
