// Radau IIA of order 5 with error control: `integrator: radau5`, for stiff systems. The stages are in radau_stages.hpp. A step is
//
//     Jacobian, factorization (where the last ones do not serve any more) -> stages -> error estimate
//       -> return to the manifold (state and estimate) -> error test -> accepted, or tried again
//
// The method is L-stable and has no history: it takes up its full order right after an event. Step lengths follow Gustafsson's
// predictive controller (Hairer, Wanner, Solving ODEs II, IV.8), which expects the change of the error over the last two steps
// to go on.
//
// Between the ends x is the polynomial p of the stages, of degree 3, raised in order by the error estimate e: with
// s = (t - t0)/h,
//
//     x(s) = p(s) - 10 gamma e (s^4/4 - 3/5 s^3 + 9/20 s^2 - 1/10 s) + (x1 - p(1)) (3 s^2 - 2 s^3).
//
// The second term lets the slope at s = 0 be f(x0), keeps the slopes at all c_i and the value at s = 1: it collocates at four
// points and is of order 4, and its slope is continuous from step to step. The last one is the projection.
#pragma once

#include "integrate/integrator.hpp"
#include "integrate/radau_stages.hpp"
#include "integrate/step_polynomial.hpp"

namespace armature::internal {

class Radau5 final : public Integrator {
 public:
  Radau5(Ode& ode, const IntegratorOptions& options);

  void start(double t, const Eigen::VectorXd& x) override;
  StepStatus step(double t_stop) override;
  void interpolate(double t, Eigen::VectorXd& x) const override;
  bool path(const std::vector<int>& entries, StepPath& path) const override;
  void store(std::vector<double>& numbers) const override;
  MakeStoredStep stored_steps() const override;
  bool error_controlled() const override { return true; }

 private:
  enum class Attempt { accepted, rejected, stopped };
  Attempt attempt(double t1, double h);
  // f at an end of a step; near a singular pose that of the nearest state on the manifold
  bool evaluate(double t, const Eigen::VectorXd& x, Eigen::VectorXd& xdot, bool& near);
  bool make_matrices(double h);  // J and its factors; else reason_ says why not
  bool solve_stages(double h);
  bool pass_error_test(double t1, double h);
  void accept(double t1, double h);
  void make_polynomial(double t1, double h);
  double towards(double remaining) const;  // length of the step to take where the next stop is so far away
  double first_length(double span);

  Ode& ode_;
  Tolerance tolerance_;  // of the estimate
  double max_step_, first_step_;
  RadauStages stages_;
  StepPolynomial polynomial_;
  Eigen::VectorXd xdot_, xdot1_;     // f at the beginning of a step, and at its end
  Eigen::VectorXd x1_, error_;       // the end, and the error that is tested
  Eigen::VectorXd estimate_, work_;  // the error before the projection

  double length_ = 0;      // that the control asks for, stops aside; 0: not chosen yet
  double factored_ = 0;    // the length that the factors belong to; 0: none
  double last_ = 0;        // length of the last step; 0: none since the start
  double last_error_ = 1;  // of that step
  double norm_ = 0;        // of the error of this one
  bool has_xdot_ = false, has_jacobian_ = false, jacobian_is_new_ = false;
  bool rejected_ = false;   // the last attempt
  bool ends_near_ = false;  // a singular pose of the manifold
  StepStatus reason_ = StepStatus::step_too_small;
};

}  // namespace armature::internal
