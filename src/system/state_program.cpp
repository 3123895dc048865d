#include "system/state_program.hpp"

namespace armature::internal {

StateProgram::StateProgram(const Equations& e, const std::vector<Expression>& outputs,
                           const std::vector<Expression>& further)
    : nx_(static_cast<int>(e.q.size() + e.v.size() + e.z.size())), nd_(static_cast<int>(e.discrete.size())) {
  std::vector<Expression> in{e.t};
  const auto append = [&](const std::vector<Expression>& list) { in.insert(in.end(), list.begin(), list.end()); };
  append(e.q), append(e.v), append(e.z);
  for (const Discrete& value : e.discrete) in.push_back(value.leaf);
  outcomes_ = static_cast<Eigen::Index>(in.size());
  for (std::size_t k = 0; k < e.graph->comparisons().size(); ++k) in.push_back(e.graph->outcome(static_cast<int>(k)));
  parameters_ = static_cast<Eigen::Index>(in.size());
  append(e.p);
  further_ = static_cast<Eigen::Index>(in.size());
  append(further);
  evaluator_ = Evaluator(std::make_shared<const Program>(in, outputs));
  in_.setZero(static_cast<Eigen::Index>(in.size()));
  out_.setZero(static_cast<Eigen::Index>(outputs.size()));
  std::copy(e.p_value.begin(), e.p_value.end(), in_.data() + parameters_);
}

void StateProgram::set(double t, const Eigen::VectorXd& x) {
  in_[0] = t;
  in_.segment(1, nx_) = x;
}

void StateProgram::set(const State& state) {
  set(state.t, state.x);
  in_.segment(1 + nx_, nd_) = state.d;
  in_.segment(outcomes_, state.w.size()) = state.w;
}

void StateProgram::set_parameters(const Eigen::VectorXd& values) { in_.segment(parameters_, values.size()) = values; }

void StateProgram::set_further(const Eigen::VectorXd& values) { in_.segment(further_, values.size()) = values; }

const Eigen::VectorXd& StateProgram::evaluate() {
  evaluator_(in_.data(), out_.data());
  return out_;
}

}  // namespace armature::internal
