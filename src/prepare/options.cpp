#include "prepare/options.hpp"

#include "prepare/tolerance.hpp"

namespace armature::internal {

namespace {

constexpr int default_rows = 1000;

constexpr double untested = 1e20;  // so large that no step depends on it

constexpr double changes_in_a_run = 10;

}  // namespace

RunOptions options_in_force(const SimulateOptions& wanted, const Equations& equations, double length) {
  RunOptions options;
  options.end = wanted.end;
  options.rate = wanted.end > 0 ? changes_in_a_run / wanted.end : 1;
  options.record = wanted.record.value_or(wanted.end / default_rows);
  options.integrator = wanted.integrator;
  options.step = wanted.step.value_or(1e-3);
  options.max_step = wanted.max_step.value_or(0);
  options.rtol = wanted.rtol.value_or(default_rtol);
  options.same_atol = wanted.atol;
  options.formulation = wanted.formulation;
  options.independent = wanted.independent;
  options.repartition = wanted.repartition;
  options.projection = wanted.projection;
  options.alpha = wanted.alpha.value_or(0);
  options.beta = wanted.beta.value_or(0);
  options.post_adjust = wanted.post_adjust;
  options.accept_drift = wanted.accept_drift && !wanted.projection;
  options.finds_short_forces = wanted.finds_short_forces;
  options.sequential_impacts = wanted.sequential_impacts;
  set_atol(options, equations, length);
  return options;
}

// rtol times the size of a state: 1 rad, or the part of the machine's length that a slide moves by; 1 J or 1 A of anything else.
// Velocities change a coordinate by its size ten times in a run.
void set_atol(RunOptions& options, const Equations& e, double length) {
  constexpr double stroke = 0.1;  // of the length
  options.atol.resize(static_cast<Eigen::Index>(e.positions.size() + e.velocities.size() + e.others.size()));
  Eigen::Index i = 0;
  for (const auto* coordinates : {&e.positions, &e.velocities, &e.others})
    for (const Coordinate& coordinate : *coordinates) {
      const double size = (coordinate.kind == Coordinate::Kind::length ? stroke * length : 1) *
                          (coordinates == &e.velocities ? options.rate : 1);
      const bool is_tested = coordinate.kind != Coordinate::Kind::reference;
      options.atol[i++] = is_tested ? options.same_atol.value_or(options.rtol * size) : untested;
    }
}

}  // namespace armature::internal
