// How long the next step is: proportional-integral control of the error per step (Gustafsson; Hairer, Wanner, Solving
// ODEs II, IV.2). With err the error norm of a step (1: just tolerated) and k the order of the estimate,
//
//     h_new = h * min(grow, max(shrink, 0.9 err^-(0.85/k) err_previous^(0.2/k)))     after an accepted step
//     h_new = h * max(shrink, 0.9 err^-(1/k))                                        after a rejected one.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace armature {

// Root mean square of error_i / (atol_i + rtol max(|x0_i|, |x1_i|)). Infinite if anything is not finite.
struct Tolerance {
  double rtol = 0;
  Eigen::VectorXd atol;
  double norm(const Eigen::VectorXd& error, const Eigen::VectorXd& x0, const Eigen::VectorXd& x1) const;
};

class StepControl {
 public:
  StepControl(int error_order, double max_step);

  bool has_length() const { return length_ > 0; }
  double length() const { return length_; }  // what the control asks for, stops aside
  void set_length(double h);
  void forget_history();  // keeps the length

  // The step to take where the next stop is `remaining` away: never beyond it, and leaving either nothing or about a
  // step.
  double towards(double remaining) const;

  void accept(double h,
              double error);  // h may have been cut short by a stop; that does not lower what is asked for later
  void reject(double h, double error);
  void fail(double h);  // there is no error to go by: a quarter

 private:
  double order_, max_step_;
  double length_ = 0, previous_error_ = 0;
  bool rejected_ = false;
};

// An error norm that no projection mends: a percent of the state. Less may lie off the manifold altogether: where the
// constraints are nearly singular most of the error does, and small steps would creep up to that place for ever.
double hopeless_error(double rtol);

// A way back to the manifold, as a part of the tolerance, that leaves f what it is: the next state hears of it through
// h |df/dx| b_1, which is a few hundredths. (Errors of whole motions of the press, the Stewart platform and the 3RRR robot are
// the same to three digits for ways of 0.1 to 10.)
constexpr double short_way = 3;

// Below it t no longer moves; at t = 0, where every step moves it, what is nothing against the run.
double smallest_step_length(double t, double t_stop);

// A length at which an Euler step, and then the method's own leading term, would change x by about a hundredth of its
// scale: Hairer, Norsett, Wanner, II.4. Second derivatives come from one Euler step. slope = f(t, x).
using Slope = std::function<bool(double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot)>;
double starting_step_length(double t, double t_stop, const Eigen::VectorXd& x, const Eigen::VectorXd& slope,
                            const Tolerance& tolerance, int error_order, const Slope& f);

}  // namespace armature
