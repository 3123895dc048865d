// The stabilized index-2 form of Gear, Gupta and Leimkuhler (1985) for IDA, on independent rows:
//
//   qdot = N(q) (v + Phi' mu)      phi = 0
//   M vdot = f - Phi' lambda       phidot = 0        zdot = ...
//
// y = (q, v, z, lambda, mu). mu is zero on the exact solution and keeps both constraints in the equations; derivatives
// that it multiplies are left out of the Jacobian.
#pragma once

#include <memory>
#include <string>

#include "dynamics/configuration.hpp"
#include "integrate/ode.hpp"
#include "linear/kinetic_rows.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

class Index2 final : public Dae {
 public:
  // The system must have been compiled with its Jacobian and with independent_rows.
  explicit Index2(std::shared_ptr<const System> system);

  void set_state(const State& state);  // discrete values and outcomes
  void set_parameters(const Eigen::VectorXd& p) { evaluator_.set_parameters(p); }

  int size() const override;
  bool residual(double t, const double* y, const double* ydot, double* r) override;
  bool jacobian(double t, double cj, const double* y, const double* ydot, Eigen::MatrixXd& J) override;
  void differential(Eigen::VectorXd& id) const override;
  void tested(Eigen::VectorXd& id) const override;
  bool begin(double t, const double* x, double* y, double* ydot) override;

  int state_size() const { return n_.nx(); }
  std::string message() const { return message_; }  // why residual() or begin() failed last

 private:
  bool evaluate(double t, const double* y);  // terms_ and rows of Phi at y
  void gather_multipliers(const double* y);
  bool factor_rows();
  bool is_velocity_row(int k) const;  // of the independent ones: its mu is zero

  SystemEvaluator evaluator_;
  Layout n_;
  std::vector<int> independent_;
  Configuration configuration_;
  Terms terms_;
  SystemEvaluator::Jacobian jacobian_;
  KineticRows rows_;
  Eigen::MatrixXd Phi_;  // independent rows
  Eigen::VectorXd lambda_, vdot_, gamma_, some_lambda_, speed_;
  std::string message_;
};

}  // namespace armature::internal
