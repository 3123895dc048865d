// The stages of one explicit Runge-Kutta step, and their combinations; see tableau.hpp for the equations.
// Drivers decide on step lengths and on what becomes of a result.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "integrate/dense_output.hpp"
#include "integrate/ode.hpp"
#include "integrate/step_control.hpp"
#include "integrate/tableau.hpp"

namespace armature {

class RungeKutta {
 public:
  // tolerance: by which dense output is judged; null: it is always trusted.
  RungeKutta(const Tableau& tableau, Ode& ode, long& evaluations, const Tolerance* tolerance = nullptr);

  const Tableau& tableau() const { return tableau_; }

  // A step is finish (at its beginning), shift, advance, and finish at its end, which is the beginning of the next one.
  // False where f cannot be evaluated.
  bool finish(double t1, const Eigen::VectorXd& x1);                                 // k_{s+1} = f(t1, x1)
  void shift();                                                                      // k_1 = k_{s+1}
  bool advance(double t, double h, const Eigen::VectorXd& x0, Eigen::VectorXd& x1);  // k_2 .. k_s, and x1

  auto first() const { return K_.col(0); }                           // k_1
  auto last() const { return K_.col(tableau_.stages()); }            // k_{s+1}
  auto last_stage() const { return K_.col(tableau_.stages() - 1); }  // k_s
  const Eigen::VectorXd& last_stage_x() const { return stage_x_; }   // where k_s is f, until dense output is made
  void estimate(int row, double h, Eigen::VectorXd& error) const;    // h sum_i E_ri k_i
  void estimate_without_end(int row, double h, Eigen::VectorXd& error) const;  // … but k_{s+1}
  double end_weight(double h) const {
    return h * tableau_.E(0, tableau_.stages());
  }  // of k_{s+1} in the first estimate
  // finish, with the state returned to its manifold and the estimate completed.
  Ode::Finish finish_and_return(double t1, double h, Eigen::VectorXd& x1, Eigen::VectorXd& error);

  // The ends of a step. has_slope: it is finished; else nothing is known but a line between them.
  struct Ends {
    double t0, t1;
    const Eigen::VectorXd &x0, &x1;
    bool has_slope;
  };
  // x at t by dense output, which is made when first asked for after a step. Further stages of the tableau are evaluated
  // then; where f fails at one of them the Hermite polynomial of the ends remains.
  void interpolate(const Ends& ends, double t, Eigen::VectorXd& x);
  // Dense output as polynomials; false where it is not sound, or a line.
  bool path(const Ends& ends, const std::vector<int>& entries, StepPath& path);
  // Further stages lie where dense output leads, unless f is not as smooth as they take it to be: where a long step passes by
  // a singular pose, f next to the manifold is another one than upon it. Then they are off by 1e4 tolerances and more, else
  // by a few, and rarely by some hundred.
  static constexpr double off_course = 1000;  // tolerances
  bool dense_output_is_sound(const Ends& ends);

  // All that interpolate() needs of a step, as numbers, for another RungeKutta of the same tableau that loads all of them in
  // turn: where a step goes on from the last one that was stored, its beginning is known.
  void store(const Ends& ends, std::vector<double>& numbers);
  void restart() {
    stored_until_ = std::numeric_limits<double>::quiet_NaN();
  }  // the next step does not go on from the last
  struct Loaded {
    double t0, t1;
    bool has_slope;
    const double* end;  // of the numbers
  };
  Loaded load(const double* numbers, Eigen::VectorXd& x0, Eigen::VectorXd& x1);

 private:
  template <class Weights>
  void combine(const Weights& weights, double h, Eigen::VectorXd& result) const;  // result += h sum_i w_i k_i
  void combine_long(const double* weights, Eigen::Index stride, Eigen::Index count, double h,
                    Eigen::VectorXd& result) const;
  bool evaluate(double t, const Eigen::VectorXd& x, int stage);
  bool dense_stages(double t, double h, const Eigen::VectorXd& x0);
  void make_dense(const Ends& ends);
  void make_dense_rows(const Ends& ends);
  bool stages_lie_on_dense_output(const Ends& ends);
  auto stages_of_dense_rows() { return K_.middleCols(first_of_dense_rows_, tableau_.stages() - first_of_dense_rows_); }

  const Tableau& tableau_;
  Ode& ode_;
  long& evaluations_;
  const Tolerance* tolerance_;
  Eigen::MatrixXd K_;  // a column a stage
  Eigen::VectorXd stage_x_;
  int first_of_dense_rows_;  // after k_1, of the stages that the rows of dense output are made of
  DenseOutput dense_;
  Eigen::MatrixXd dense_x_;  // states of the further stages
  bool has_dense_rows_ = false, has_dense_ends_ = false, sound_ = true;
  double stored_until_ = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace armature
