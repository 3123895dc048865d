#include "inspect/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/integrator.hpp"

namespace armature::internal {

namespace {

constexpr double tighter = 0.01, shorter = 0.25;
constexpr double least = 1e-13;  // of rtol: steps that are held to less are lost in rounding
constexpr double part_of_a_row = 0.5;
constexpr double between_rows = 0.2171;  // no small quotient: rows lie elsewhere
constexpr int largest_dense = 127;       // velocities and rows together; formulations other than auto are dense

// Of rtol and atol.
double tightening(const RunOptions& options) { return std::max(tighter, std::min(1.0, least / options.rtol)); }

Repetition more_accurate(const RunOptions& options) {
  Repetition change;
  if (takes_fixed_steps(options.integrator)) {
    change.step = shorter;
    change.how = fmt::format("step {:g}", options.step * shorter);
  } else {
    change.tolerance = tightening(options);
    change.how = fmt::format("rtol {:.2g}", options.rtol * change.tolerance);
  }
  return change;
}

std::string other_integrator(const std::string& integrator, bool may_stick) {
  const step::Method& method = method_of(integrator);
  return std::string(may_stick && !method.or_where_it_sticks.empty() ? method.or_where_it_sticks : method.verified_by);
}

// What passes over a short force or a fast signal takes long steps.
Repetition with_other_integrator(const RunOptions& options, bool may_stick) {
  Repetition change;
  change.integrator = other_integrator(options.integrator, may_stick);
  change.max_step = part_of_a_row * options.record;
  change.how = fmt::format("{}, steps up to {:.3g} s", change.integrator, change.max_step);
  return change;
}

double shorter_of(double step, double own) { return own > 0 ? std::min(step, own) : step; }

void apply(const Repetition& change, RunOptions& options) {
  if (!change.integrator.empty()) options.integrator = change.integrator;
  if (!change.formulation.empty()) options.formulation = change.formulation;
  options.rtol *= change.tolerance;
  options.atol *= change.tolerance;
  options.step *= change.step;
  if (change.max_step > 0) options.max_step = shorter_of(change.max_step, options.max_step);
  if (change.record > 0) options.record = change.record;
}

RunOptions options_of(const Model& model) { return options_in_force(model.simulate, {}, 1); }

bool may_stick(const Prepared& prepared) { return prepared.system->layout().nw > 0; }

}  // namespace

Repetition error_repetition(const RunOptions& options, bool may_stick) {
  Repetition change = with_other_integrator(options, may_stick);
  change.tolerance = tightening(options);
  change.how = fmt::format("{}, rtol {:.2g}, steps up to {:.3g} s", change.integrator, options.rtol * change.tolerance,
                           change.max_step);
  return change;
}

Repetition error_repetition(const Model& model) { return error_repetition(options_of(model), true); }

Repetition finer_rows(const Model& model) {
  Repetition change = error_repetition(model);
  change.record = between_rows * options_of(model).record;
  change.how = fmt::format("{}, rows every {:.3g} s", change.how.substr(0, change.how.rfind(',')), change.record);
  return change;
}

Repetition finer_rows_alone(const Model& model) {
  Repetition change;
  change.record = between_rows * options_of(model).record;
  change.how = fmt::format("rows every {:.3g} s", change.record);
  return change;
}

Repeat repeated(const Model& model, const Prepared& prepared, const Repetition& change) {
  Repeat repeat{change, prepared};
  if (!change.integrator.empty() && method_of(change.integrator).implicit && !prepared.system->options().jacobian) {
    Model other = model;
    other.simulate.integrator = change.integrator;
    repeat.prepared = compile(other);
    repeat.prepared.start = prepared.start;
    repeat.prepared.options = prepared.options;
  }
  apply(change, repeat.prepared.options);
  return repeat;
}

Model repeated(const Model& model, const Repetition& change) {
  Model other = model;
  SimulateOptions& options = other.simulate;
  const RunOptions own = options_of(model);
  if (!change.integrator.empty()) options.integrator = change.integrator;
  if (!change.formulation.empty()) options.formulation = change.formulation;
  options.rtol = own.rtol * change.tolerance;
  if (options.atol) *options.atol *= change.tolerance;
  if (options.step) *options.step *= change.step;
  if (change.max_step > 0) options.max_step = shorter_of(change.max_step, own.max_step);
  if (change.record > 0) options.record = change.record;
  return other;
}

Repeats repeats_of(const Model& model, const Prepared& prepared) {
  Repeats repeats;
  const RunOptions& options = prepared.options;
  const auto add = [&](const Repetition& change) { repeats.list.push_back(repeated(model, prepared, change)); };
  add(more_accurate(options));
  const Layout& n = prepared.system->layout();
  if (n.m == 0)
    repeats.left_out.emplace_back("another formulation: there are no constraints");
  else if (options.formulation == "auto" && n.nv + n.m > largest_dense)
    repeats.left_out.emplace_back("another formulation: all but auto are too slow for a machine of this size");
  else {
    Repetition change;
    change.how = change.formulation = options.formulation == "auto" ? "null_space" : "auto";
    add(change);
  }
  add(with_other_integrator(options, may_stick(prepared)));
  return repeats;
}

}  // namespace armature::internal
