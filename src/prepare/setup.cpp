#include "prepare/setup.hpp"

#include <limits>

#include "dynamics/formulation.hpp"
#include "integrate/integrator.hpp"

namespace armature::internal {

namespace {

std::vector<int> velocity_indices(const std::vector<std::string>& names, const Equations& equations) {
  std::vector<int> indices;
  for (const std::string& name : names)
    for (std::size_t i = 0; i < equations.velocities.size(); ++i)
      if (equations.velocities[i].name == name + "'") indices.push_back(static_cast<int>(i));
  return indices;
}

// The work of projection is counted, not integrated: it jumps by round-off of all energy at every step, which the history of
// a multistep method would take for an error.
Eigen::VectorXd without_counted_work(const System& system, Eigen::VectorXd atol) {
  const int work = system.equations().stabilization_work;
  if (work >= 0) atol[system.layout().nq + system.layout().nv + work] = std::numeric_limits<double>::max();
  return atol;
}

}  // namespace

std::unique_ptr<Dynamics> make_dynamics(const Prepared& prepared) {
  const RunOptions& options = prepared.options;
  const std::vector<int> independent = velocity_indices(options.independent, prepared.system->equations());
  Stabilization stabilization{options.alpha, options.beta, options.projection, {}};
  if (options.post_adjust) {
    const auto& wanted = *options.post_adjust;
    stabilization.post_adjust =
        PostAdjustOptions{wanted.weight, wanted.penalty, wanted.tolerance, wanted.iterations, independent};
  }
  auto dynamics = std::make_unique<Dynamics>(
      prepared.system, FormulationOptions{options.formulation, independent, options.repartition}, stabilization);
  dynamics->evaluator().set_parameters(prepared.parameters);
  dynamics->set_state(prepared.start);
  dynamics->set_typical_rate(options.rate);
  return dynamics;
}

IntegratorOptions integrator_options(const RunOptions& run) {
  IntegratorOptions options;
  options.step = run.step;
  options.max_step = run.max_step;
  options.rtol = run.rtol;
  options.atol = run.atol;
  return options;
}

Solver make_solver(const Prepared& prepared, Dynamics& dynamics) {
  const RunOptions& run = prepared.options;
  IntegratorOptions options = integrator_options(run);
  options.multistep_atol = without_counted_work(*prepared.system, options.atol);
  Solver solver;
  if (method_of(run.integrator).own_dae) {
    solver.index2 = std::make_unique<Index2>(prepared.system);
    solver.index2->set_parameters(prepared.parameters);
    solver.index2->set_state(prepared.start);
    solver.integrator = make_dae_integrator(run.integrator, *solver.index2, solver.index2->state_size(), options);
  } else {
    solver.integrator = make_integrator(run.integrator, dynamics, options);
  }
  return solver;
}

}  // namespace armature::internal
