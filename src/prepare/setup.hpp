// The parts of a run, made from its options.
#pragma once

#include <memory>

#include "dynamics/dynamics.hpp"
#include "dynamics/index2.hpp"
#include "integrate/integrator.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

std::unique_ptr<Dynamics> make_dynamics(const Prepared& prepared);

IntegratorOptions integrator_options(const RunOptions& run);  // those of the run that an integrator needs

struct Solver {
  std::unique_ptr<Index2> index2;  // for ida
  std::unique_ptr<Integrator> integrator;
};
Solver make_solver(const Prepared& prepared, Dynamics& dynamics);

}  // namespace armature::internal
