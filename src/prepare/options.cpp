#include "prepare/options.hpp"

#include "prepare/tolerance.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

constexpr int default_rows = 1000;

constexpr double untested = 1e20;  // so large that no step depends on it

// What counts as small for a coordinate: 1 rad, 0.1 m, and as much in a second; 1 J or 1 A of anything else.
double typical(const Coordinate& coordinate) { return coordinate.kind == Coordinate::Kind::length ? 0.1 : 1.0; }

}  // namespace

RunOptions options_in_force(const SimulateOptions& wanted, const System& system) {
  RunOptions options;
  options.end = wanted.end;
  options.record = wanted.record.value_or(wanted.end / default_rows);
  options.integrator = wanted.integrator;
  options.step = wanted.step.value_or(1e-3);
  options.max_step = wanted.max_step.value_or(0);
  options.rtol = wanted.rtol.value_or(default_rtol);
  options.formulation = wanted.formulation;
  options.independent = wanted.independent;
  options.repartition = wanted.repartition;
  options.projection = wanted.projection;
  options.alpha = wanted.alpha.value_or(0);
  options.beta = wanted.beta.value_or(0);
  options.post_adjust = wanted.post_adjust;

  const Equations& e = system.equations();
  options.atol.resize(system.layout().nx());
  Eigen::Index i = 0;
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates)
      options.atol[i++] = coordinate.kind == Coordinate::Kind::reference
                              ? untested
                              : wanted.atol.value_or(options.rtol * typical(coordinate));
  return options;
}

}  // namespace armature::internal
