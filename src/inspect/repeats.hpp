// Runs beside one, each of which changes what the motion must not depend on.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "prepare/prepare.hpp"

namespace armature::internal {

// What a repetition changes. Empty words and 0: nothing.
struct Repetition {
  std::string how;  // "dop853, rtol 1e-10, steps up to 0.005 s"
  std::string integrator, formulation;
  double tolerance = 1, step = 1;   // factors of rtol and atol, and of a fixed step
  double max_step = 0, record = 0;  // s
};

struct Repeat {
  Repetition change;
  Prepared prepared;
};

struct Repeats {
  std::vector<Repeat> list;
  std::vector<std::string> left_out;  // "another formulation: there are no constraints"
};

// A tighter tolerance (a hundredth; a quarter of a fixed step), another formulation, another integrator with steps of half a row at
// most; all from the same start.
Repeats repeats_of(const Model& model, const Prepared& prepared);

// The one that shows the errors of a run: another integrator, a hundredth of the tolerance, and steps of half a row at most.
Repetition error_repetition(const RunOptions& options, bool may_stick);
inline constexpr double repeated_integrals = 1e-3;  // of the tolerance of integrals, in such a repetition
Repetition error_repetition(const Model& model);    // of motions that are not compiled here
// The same for a motion that is known by its rows alone (inverse): several times as many rows, at other times than those of the run.
Repetition finer_rows(const Model& model);
Repetition finer_rows_alone(const Model& model);  // of kinematics, which integrates nothing

Repeat repeated(const Model& model, const Prepared& prepared, const Repetition& change);
Model repeated(const Model& model, const Repetition& change);

}  // namespace armature::internal
