#include "prepare/known_positions.hpp"

#include <bit>

#include "expression/program_inputs.hpp"

namespace armature::internal {

namespace {

constexpr std::size_t most_known = 4096;  // positions, so that memory stays small

// All that assembly looks at for positions, up to derivatives: outcomes of comparisons among them.
std::vector<Expression> position_expressions(const Equations& e) {
  std::vector<Expression> list = e.senses;
  for (const ConstraintRow& row : e.rows) list.push_back(row.phi);
  for (const auto* conditions : {&e.keep, &e.near})
    for (const StartCondition& condition : *conditions) list.push_back(condition.residual);
  for (const Graph::Comparison& comparison : e.graph->comparisons()) list.push_back(comparison.root);
  for (const auto& [index, start] : e.z_initial) list.push_back(start);
  return list;
}

}  // namespace

KnownPositions::KnownPositions(const std::shared_ptr<const System>& system) : guess_(system->initial_state()) {
  const std::vector<bool> read = inputs_read(*system->make_program(position_expressions(system->equations())));
  for (int k = 0; k < system->layout().np; ++k)
    if (read[static_cast<std::size_t>(system->layout().p() + k)]) matter_.push_back(k);
}

AssemblyResult KnownPositions::assemble(SystemEvaluator& evaluator, const Eigen::VectorXd& parameters) {
  evaluator.set_parameters(parameters);
  AssemblyResult result = positions(evaluator, parameters);
  if (result.success) assemble_velocities(evaluator, result);
  return result;
}

AssemblyResult KnownPositions::positions(SystemEvaluator& evaluator, const Eigen::VectorXd& parameters) {
  std::vector<std::uint64_t> values;
  for (const int k : matter_) values.push_back(std::bit_cast<std::uint64_t>(parameters[k]));
  {
    const std::lock_guard lock(mutex_);
    if (const auto place = known_.find(values); place != known_.end()) return place->second;
  }
  State guess = guess_;
  evaluator.system().start_states(parameters, guess);
  AssemblyResult result = assemble_positions(evaluator, guess);
  const std::lock_guard lock(mutex_);
  if (known_.size() < most_known) known_.emplace(std::move(values), result);
  return result;
}

}  // namespace armature::internal
