// The equations of motion differentiated along the motion, exactly: with the residuals
//
//   r = M a + L' lambda - f(u),    g = Phi a - gamma
//
// and d/dt of a state t, q, v, z (as 1, qdot, a, zdot), of a (as its rate a1), lambda and u, the k-th derivatives are
//
//   M a_k + L' lambda_k - B u_k + E_k = 0,     Phi a_k + e_k = 0
//
// where E_k and e_k hold what is known from the levels before: the same linear system at each level.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "expression/derivative.hpp"
#include "system/system.hpp"

namespace armature::internal {

// The k-th derivatives of vdot, of the multipliers of all rows (zero for rows of wanted motion) and of the efforts.
struct MotionLevel {
  Eigen::VectorXd vdot, lambda, effort;
};

class EffortRates {
 public:
  // efforts: their places among the parameters of the system; all others are constant.
  EffortRates(std::shared_ptr<const System> system, const std::vector<bool>& motion, const std::vector<int>& efforts,
              int order);
  int order() const { return static_cast<int>(levels_.size()); }

  // E_k and e_k, k from 1, at the inputs of an evaluator and with the levels below k.
  void residuals(int k, const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion, Eigen::VectorXd& E,
                 Eigen::VectorXd& e);

  // For efforts of least norm, u = B'pi with L pi = 0 and M pi + Phi' kappa = 0: the rates of B'pi, of Phi pi and of
  // M pi + Phi' kappa with pi and kappa held.
  struct Adjoint {
    Eigen::VectorXd B, Phi, M;
  };
  Adjoint adjoint(const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion, const Eigen::VectorXd& pi,
                  const Eigen::VectorXd& kappa);

  // The k-th derivative along the motion of an expression of the state and the efforts, and a program of such ones, which is compiled
  // once.
  Expression derivative(Expression x, int k) const;
  Evaluator program(const std::vector<Expression>& outputs) const;
  void run(Evaluator& program, const SystemEvaluator& evaluator, const std::vector<MotionLevel>& motion,
           std::vector<double>& out);

 private:
  struct Leaves {
    std::vector<Expression> a, lambda, u;
  };
  LeafMap flow(int level) const;  // leaves of levels below `level` move with those above them; `level` itself is held
  void add_leaves(const std::vector<int>& efforts, int order);
  std::vector<Expression> residual_expressions(const std::vector<bool>& motion) const;
  std::vector<Expression> adjoint_expressions() const;

  std::shared_ptr<const System> system_;
  std::vector<Leaves> leaves_;  // from level 0
  std::vector<Expression> pi_, kappa_;
  std::vector<Evaluator> levels_;       // E_k, e_k
  std::unique_ptr<Evaluator> adjoint_;  // made when first asked for
  std::vector<double> in_, out_;
  struct Compiled {
    std::vector<Expression> outputs;
    std::shared_ptr<const Program> program;
  };
  mutable std::vector<Compiled> compiled_;
};

}  // namespace armature::internal
