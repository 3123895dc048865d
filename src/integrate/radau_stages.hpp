// The three stages of a step of Radau IIA, the collocation method of order 5 at the points c of Radau's quadrature. With
// Z_i = X_i - x0 and the matrix A of the method,
//
//     Z = h (A x I) F,   F_i = f(t0 + c_i h, x0 + Z_i),   c = ((4 - sqrt 6)/10, (4 + sqrt 6)/10, 1),   x1 = x0 + Z_3
//
// are 3n equations. A^-1 has one real eigenvalue gamma and a pair alpha +- i beta. In the coordinates W = T^-1 Z, in which
// A^-1 = T Lambda T^-1 is as diagonal as it can be, simplified Newton's method with one Jacobian J = df/dx solves a real
// and a complex system of n equations,
//
//     (gamma/h - J) dW_1            = (T^-1 F)_1 - gamma/h W_1
//     ((alpha + i beta)/h - J) (dW_2 + i dW_3) = (T^-1 F)_2 + i (T^-1 F)_3 - (alpha + i beta)/h (W_2 + i W_3).
//
// Hairer, Wanner, Solving ODEs II (1996), IV.8; the rules for ending the iteration are those of section IV.8, too.
#pragma once

#include <Eigen/Core>
#include <complex>

#include "integrate/dense_lu.hpp"
#include "integrate/ode.hpp"
#include "integrate/tolerance.hpp"

namespace armature::internal {

// The numbers of the method.
struct RadauMethod {
  Eigen::Vector3d c;
  Eigen::Matrix3d A, T, inverse_of_T;
  double gamma;                // the eigenvalues of A^-1
  std::complex<double> alpha;  // alpha + i beta
  // Lagrange's polynomials of the points 0, c_1, c_2, 1 in powers of r = (t - t1)/h, but for that of 0: column i is that of c_i.
  Eigen::Matrix<double, 4, 3> basis;
  static const RadauMethod& get();
};

class RadauStages {
 public:
  // Evaluations of f are counted.
  RadauStages(Ode& ode, const Tolerance& tolerance, long& evaluations);

  // Whether f is that of the nearest state on the manifold, and J its derivative by differences.
  void stay_on_manifold(bool stay) { on_manifold_ = stay; }
  bool stays_on_manifold() const { return on_manifold_; }
  bool derivative(double t, const Eigen::VectorXd& x, double* xdot);
  // J at (t, x), of which f is xdot: the ode's own, or by differences. False: f cannot be evaluated.
  bool take_jacobian(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& xdot);
  bool jacobian_is_exact() const { return exact_; }
  // Both matrices for steps of length h.
  DenseLu::Result factor(double h);

  // Where the iteration begins: on the polynomial of the step kept last, of the length h / ratio; or at x0.
  void extrapolate(double ratio);
  void keep() { last_ = Z_; }
  void forget() { last_.setZero(), rate_ = 1; }

  enum class Result { converged, diverges, not_finite };
  Result solve(double t, const Eigen::VectorXd& x, double h);
  double contraction() const { return contraction_; }  // of the last iteration: quotient of successive corrections
  int iterations() const { return iterations_; }
  // What to multiply h by if the iteration diverges.
  double shorten() const { return shorten_; }
  double regularity() const { return regularity_; }  // of the manifold: the smallest at the last three states evaluated

  const Eigen::Matrix<double, Eigen::Dynamic, 3>& Z() const { return Z_; }

  // error = (gamma/h - J)^-1 (xdot - p'(t0)), p being the polynomial of the stages: what it misses of the slope at the beginning
  // of the step, damped in the components that are stiff. O(h^4).
  void estimate(double h, const Eigen::VectorXd& xdot, Eigen::VectorXd& error) const;

  static constexpr int most_iterations = 7;

 private:
  bool evaluate(double t, const Eigen::VectorXd& x, double h);  // F
  double correct(double h, const Eigen::VectorXd& x);           // one correction of W; its norm
  bool take_differences(double t, const Eigen::VectorXd& x, const Eigen::VectorXd& xdot);

  Ode& ode_;
  const Tolerance& tolerance_;
  long& evaluations_;
  double enough_;  // the norm of what is left of the iteration
  Eigen::MatrixXd J_, real_;
  Eigen::MatrixXcd complex_;
  DenseLu real_lu_;
  ComplexDenseLu complex_lu_;
  Eigen::Matrix<double, Eigen::Dynamic, 3> Z_, W_, F_, last_, work_;
  Eigen::VectorXd stage_, d1_, column_;
  Eigen::VectorXcd d23_;
  bool exact_ = false, on_manifold_ = false;
  double regularity_ = 1, contraction_ = 1, shorten_ = 1, rate_ = 1;
  int iterations_ = 0;
};

}  // namespace armature::internal
