#include "inspect/repeats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "integrate/integrator.hpp"

namespace armature::internal {

namespace {

constexpr double tighter = 0.01, shorter = 0.25;
constexpr double least = 1e-13;     // of rtol: steps that are held to less are lost in rounding
constexpr int largest_dense = 127;  // velocities and rows together; formulations other than auto are dense

Repeat more_accurate(const Prepared& prepared) {
  Repeat repeat{"", prepared};
  RunOptions& options = repeat.prepared.options;
  if (takes_fixed_steps(options.integrator)) {
    options.step *= shorter;
    repeat.how = fmt::format("step {:g}", options.step);
    return repeat;
  }
  const double factor = std::max(tighter, std::min(1.0, least / options.rtol));
  options.rtol *= factor;
  options.atol *= factor;
  repeat.how = fmt::format("rtol {:.2g}", options.rtol);
  return repeat;
}

std::string other_integrator(const Prepared& prepared) {
  const step::Method& method = method_of(prepared.options.integrator);
  const bool may_stick = prepared.system->layout().nw > 0 && !method.or_where_it_sticks.empty();
  return std::string(may_stick ? method.or_where_it_sticks : method.verified_by);
}

Repeat with_other_integrator(const Model& model, const Prepared& prepared) {
  const std::string integrator = other_integrator(prepared);
  Repeat repeat{integrator, prepared};
  if (method_of(integrator).implicit && !prepared.system->options().jacobian) {
    Model other = model;
    other.simulate.integrator = integrator;
    repeat.prepared = compile(other);
    repeat.prepared.start = prepared.start;
    repeat.prepared.options = prepared.options;
  }
  repeat.prepared.options.integrator = integrator;
  return repeat;
}

}  // namespace

Repeats repeats_of(const Model& model, const Prepared& prepared) {
  Repeats repeats;
  repeats.list.push_back(more_accurate(prepared));
  const Layout& n = prepared.system->layout();
  if (n.m == 0)
    repeats.left_out.emplace_back("another formulation: there are no constraints");
  else if (prepared.options.formulation == "auto" && n.nv + n.m > largest_dense)
    repeats.left_out.emplace_back("another formulation: all but auto are too slow for a machine of this size");
  else {
    Repeat repeat{prepared.options.formulation == "auto" ? "null_space" : "auto", prepared};
    repeat.prepared.options.formulation = repeat.how;
    repeats.list.push_back(std::move(repeat));
  }
  repeats.list.push_back(with_other_integrator(model, prepared));
  return repeats;
}

}  // namespace armature::internal
