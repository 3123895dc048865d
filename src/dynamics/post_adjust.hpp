// Post-adjusting: after a step only the dependent coordinates move, to the minimum of a penalty function
//
//   weight/2 |d|^2 + penalty/2 |phi|^2      h = weight d + penalty Phi_d' phi = 0,  H = weight E + penalty Phi_d' Phi_d
//
// by Newton steps H delta = -h from where the integrator went (d = 0), until |h| < tolerance; then the velocities,
// where the same problem is linear:  H delta = -penalty Phi_d' phidot.
// Equations 26 to 34 of Nguyen, Vu, Dinh and Nguyen (Vietnam J. Mech. 2023), with their M = weight E and A = penalty E.
// A small |phi| is not accuracy: the independent coordinates keep the integrator's error.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <vector>

#include "dynamics/configuration.hpp"
#include "dynamics/stabilization.hpp"
#include "system/system.hpp"

namespace armature::internal {

class PostAdjust {
 public:
  PostAdjust(SystemEvaluator& evaluator, const PostAdjustOptions& options);

  bool adjust(double t, double* x);  // false: not finite

 private:
  void choose(double t, const double* x);
  bool adjust_positions(double t, double* x);
  bool adjust_velocities(double t, double* x);
  void gather();  // Phi_d_, and H_ factored

  SystemEvaluator& evaluator_;
  PostAdjustOptions options_;
  Configuration configuration_;
  Terms terms_;
  std::vector<int> dependent_;
  Eigen::MatrixXd Phi_d_, H_;
  Eigen::VectorXd moved_, gradient_, dv_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

}  // namespace armature::internal
