// Adjoints across an instant at which the laws of the motion change, backwards: the transpose of saltation.hpp.
//
// With the gradient s of the time of the event, dtau = s' dx-, and the map g of an impulse, D+ = g_D D,
//
//   dx+ = g_D (dx- + xdot- dtau) - xdot+ dtau
//
// gives   D = g_D' lambda+,   lambda- = D + s (xdot-' D - xdot+' lambda+ + sigma)
//
// where sigma is what the results owe to the time of the event itself. What follows a jump at once has no gradient s of its own: what is owed to
// its time is owed to that of the jump. At a sample, whose time is fixed, what was taken passes its adjoint on to what it was taken from.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "sensitivity/motion_adjoint.hpp"
#include "sensitivity/motion_record.hpp"

namespace armature::internal {

// Made once (it writes expressions into the graph), then copied, one per thread.
class AdjointJump {
 public:
  AdjointJump(const std::shared_ptr<const System>& system, const std::vector<int>& sliders,
              const std::vector<Expression>& observed, const std::vector<int>& tables);
  void set_parameters(const Eigen::VectorXd& parameters);
  void begin(Eigen::Index results) { owed_to_jump_.setZero(results); }  // at the end of the motion

  // What results owe to the time of an event.
  struct Shift {
    enum class Kind {
      time,
      rate_before,
      rate_after
    } kind = Kind::time;  // dtau, or y' dtau with the laws before or after it
    int formula = 0;
    Eigen::RowVectorXd weights;  // of each result
  };
  // lambda: after the event, then before it, a column for each result. A sentence: there is no derivative; empty: there is.
  std::string cross(MotionAdjoint& adjoint, const RecordedEvent& event, const std::vector<Shift>& shifts,
                    Eigen::MatrixXd& lambda, std::vector<TableGradient>& tables);

  // lambda: after the sample, then before it.
  void sample(const RecordedSample& sample, Eigen::MatrixXd& lambda, std::vector<TableGradient>& tables);

  // lambda gains weights' y of the observed formulas at a state, with what weights that move add.
  bool observe(MotionAdjoint& adjoint, const State& state, int formula, const Eigen::RowVectorXd& weights,
               Eigen::MatrixXd& lambda, std::vector<TableGradient>& tables);
  // Of a comparison, at a state, into a vector of zeros.
  void root_gradient(const State& state, int comparison, Eigen::VectorXd& gradient);
  std::string name(int comparison) const;

 private:
  // dtau = gradient' dx-
  struct Time {
    Eigen::VectorXd gradient;
    std::vector<TableLookUp> look_ups;
    std::string missing = "nothing that changes there is at its zero";  // empty: it has a gradient
    bool follows_jump = false;                                          // it is that of the jump before it
  };
  Time find_time(MotionAdjoint& adjoint, const RecordedEvent& event, const Eigen::VectorXd& flow);
  Time time_of_root(MotionAdjoint& adjoint, int comparison);
  Time time_of_weight(MotionAdjoint& adjoint, Eigen::Index active);
  Time time_of_jump() const;
  std::string one_after_the_other(int first, int second) const;  // two comparisons
  Eigen::VectorXd tangent_part(MotionAdjoint& adjoint, const Eigen::VectorXd& gradient);
  void hit_back(MotionAdjoint& adjoint, const RecordedEvent& event, Eigen::MatrixXd& lambda,
                std::vector<TableGradient>& tables);
  double rate_of(MotionAdjoint& adjoint, int formula, const Eigen::VectorXd& flow);
  void observe_here(MotionAdjoint& adjoint, int formula, double weight, Eigen::Ref<Eigen::VectorXd> lambda,
                    std::vector<TableLookUp>& look_ups);

  std::shared_ptr<const System> system_;
  Layout n_;
  Transposed roots_, next_, energy_, impulse_, constraints_, observed_;
  int work_ = -1;                    // the state that holds the work of impulses; -1: there are none
  Eigen::RowVectorXd owed_to_jump_;  // by the results, to the time of the jump that events have followed
};

}  // namespace armature::internal
