#include "fmi/sensitivities.hpp"

#include <algorithm>

#include "expression/derivative.hpp"
#include "model/request_error.hpp"

namespace armature::internal {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::shared_ptr<const System> system_with_jacobian(const System& system) {
  SystemOptions options = system.options();
  options.jacobian = true;
  return std::make_shared<const System>(system, options);
}

std::vector<Expression> input_outputs(const Equations& e) {
  std::vector<Expression> outputs;
  for (const Expression& input : e.p) {
    Derivative along({{input.id(), 1.0}});
    for (const Expression& f : e.f) outputs.push_back(along(f));
    for (const Expression& zdot : e.zdot) outputs.push_back(along(zdot));
  }
  return outputs;
}

std::vector<Expression> quantity_outputs(const Equations& e) {
  std::vector<Expression> outputs;
  for (const auto* leaves : {&e.q, &e.v, &e.z, &e.p})
    for (const Expression& leaf : *leaves) {
      Derivative along({{leaf.id(), 1.0}});
      for (const Quantity& quantity : e.quantities) outputs.push_back(along(quantity.value));
    }
  return outputs;
}

}  // namespace

Sensitivities::Sensitivities(const Prepared& prepared)
    : system_(system_with_jacobian(*prepared.system)),
      n_(system_->layout()),
      dynamics_(system_, FormulationOptions{}, Stabilization{prepared.options.alpha, prepared.options.beta, false, {}}),
      by_input_(system_->equations(), input_outputs(system_->equations())),
      by_quantity_(system_->equations(), quantity_outputs(system_->equations())),
      terms_(dynamics_.evaluator().make_terms()) {
  rows_.resize(n_.nv, n_.m);
  rows_.set_groups(row_groups(system_->equations()));
}

void Sensitivities::evaluate(const State& state, const VectorXd& inputs) {
  if (std::ranges::count(state.comparisons, ComparisonStatus::sliding) > 0)
    throw ComputationError("there are no directional derivatives while friction or a comparison sticks");
  dynamics_.evaluator().set_parameters(inputs);
  dynamics_.set_state(state);
  dynamics_.evaluator().set_outcomes(state.w);
  if (!dynamics_.jacobian(state.t, state.x.data(), J_))
    throw ComputationError("the equations of motion have no finite derivative at this state");
  by_input_.set_parameters(inputs), by_quantity_.set_parameters(inputs);
  evaluate_inputs(state);
  by_quantity_.set(state);
  const auto quantities = static_cast<Eigen::Index>(system_->equations().quantities.size());
  const MatrixXd all = Eigen::Map<const MatrixXd>(by_quantity_.evaluate().data(), quantities, n_.nx() + n_.np);
  C_ = all.leftCols(n_.nx()), D_ = all.rightCols(n_.np);
}

void Sensitivities::evaluate_inputs(const State& state) {
  B_ = MatrixXd::Zero(n_.nx(), n_.np);
  if (n_.np == 0) return;
  SystemEvaluator& evaluator = dynamics_.evaluator();
  evaluator.set(state.t, state.x.data());
  evaluator.all(terms_);
  if (!rows_.factor(terms_)) throw ComputationError("M or Phi is not finite at this state");
  by_input_.set(state);
  const VectorXd& values = by_input_.evaluate();
  VectorXd vdot = VectorXd::Zero(n_.nv), lambda = VectorXd::Zero(n_.m);
  const VectorXd none = VectorXd::Zero(n_.m);
  for (int k = 0; k < n_.np; ++k) {
    const auto column = values.segment(k * (n_.nv + n_.nz), n_.nv + n_.nz);
    rows_.solve(column.head(n_.nv), none, vdot, lambda);
    B_.col(k).segment(n_.nq, n_.nv) = vdot;
    B_.col(k).tail(n_.nz) = column.tail(n_.nz);
  }
}

}  // namespace armature::internal
