// Nonlinear least squares with bounds and a robust loss: the smallest  sum rho(r_i(x))  with  low <= x <= high.
//
// Levenberg and Marquardt's method: a step d solves
//
//   min |J d + r|^2 + damping |D d|^2      D: norms of the columns of J, the largest so far
//
// by orthogonal factorization of J (never of J'J), so that what the data do not determine shows in the factor R. Unknowns at a bound whose
// gradient points outside are held; a step that leaves the box is cut off component by component. The damping follows the ratio of the
// decrease found to the decrease expected (Nielsen, 1999).
//
// Huber's loss counts residuals beyond k = 1.345 linearly in place of quadratically: outliers pull with a bounded force. It is iterated by
// weights  w = min(1, k/|r|)  on rows. Residuals are pure numbers, in units of their standard deviation.
//
// Convergence is measured against the noise (Bates and Watts, 1981): the part of r that lies in the span of J, per unknown, against the rest
// of it, per degree of freedom. Below 1e-3 the solution is a thousandth of its standard deviation away, and more steps tell nothing. Below 0.05
// a step that does not make the sum smaller ends the search: motions are computed with errors of their own, which no step can go below.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <string>

namespace armature::internal {

struct Linearized {
  Eigen::VectorXd r;
  Eigen::MatrixXd J;
  std::string failure = {};  // not empty: there is no value at this point, and why
};

// stop: set where the computation is given up.
using ResidualFunction = std::function<Linearized(const Eigen::VectorXd& x)>;

struct LeastSquaresOptions {
  Eigen::VectorXd low, high;
  bool huber = false;
  int evaluations = 100;
  double tolerance = 1e-3;          // relative offset
  std::function<bool()> stop = {};  // asked after each evaluation
  std::function<void(int evaluations, double cost)> progress = {};
};

enum class LeastSquaresStatus {
  converged,
  stalled,    // no step makes the sum smaller, but the solution is not a stationary one
  exhausted,  // evaluations
  stopped,
  no_value,  // at the first point
};

struct LeastSquaresResult {
  LeastSquaresStatus status = LeastSquaresStatus::no_value;
  Eigen::VectorXd x;
  Eigen::VectorXd r, weights;  // at x; weights of Huber's loss, 1 without it
  Eigen::MatrixXd R;           // triangular factor of the weighted J
  std::vector<int> held = {};  // by unknown: -1 or 1 at its lower or upper bound, else 0
  double cost = 0;             // sum of rho
  int evaluations = 0;
  double offset = 0;    // as the tolerance
  std::string failure;  // of the first point
};

LeastSquaresResult minimize_squares(const ResidualFunction& residuals, Eigen::VectorXd x,
                                    const LeastSquaresOptions& options);

inline constexpr double huber_bound = 1.345;  // 95 % as efficient as least squares where the noise is normal
double huber_weight(double r);

}  // namespace armature::internal
