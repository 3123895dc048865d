// Small vibrations: M x'' + C x' + K x = 0 about an equilibrium, or about a steady motion with given rates, on the
// constraints. Only for models whose rates are the velocities (no quaternions).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "expression/program.hpp"
#include "read/reader.hpp"
#include "system/build_model.hpp"

namespace armature::internal {

class Linearized {
 public:
  explicit Linearized(const Model& model);

  double& position(const std::string& name);
  double& rate(const std::string& name);

  // Newton's method on f - Phi' lambda = 0, phi = 0, at rest.
  void find_equilibrium();

  // Frequencies, rad/s, in increasing order: imaginary parts of the eigenvalues. Coordinates in `held` do not move.
  std::vector<double> frequencies(const std::vector<std::string>& held = {});

  // The least eigenvalue of the stiffness: negative where the equilibrium is unstable.
  double least_stiffness(const std::vector<std::string>& held = {});

  int size() const { return static_cast<int>(e_->v.size()); }
  int rows() const { return static_cast<int>(e_->rows.size()); }
  int operations() const { return evaluator_.program().operation_count(); }

 private:
  struct Matrices {
    Eigen::MatrixXd M, C, K;
  };
  void evaluate();
  Matrices reduced(const std::vector<std::string>& held);  // to the motions that constraints and `held` leave

  std::shared_ptr<Equations> e_;
  Evaluator evaluator_;
  Eigen::VectorXd in_, out_, residual_, phi_;
  Eigen::MatrixXd M_, C_, K_, Phi_;
};

}  // namespace armature::internal
