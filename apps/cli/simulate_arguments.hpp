// Options of a run on the command line: each replaces what the model file says under `simulate`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/model.hpp"
#include "read/reader.hpp"

namespace armature::internal::cli {

struct SimulateArguments {
  std::optional<double> end, step, rtol, atol, record, max_step;
  std::optional<std::string> integrator, formulation, stabilization;
  bool accept_drift = false;

  void add_to(CLI::App& verb);
  // The options that the command line has, with their values, so that they can be given again.
  std::vector<std::pair<std::string, std::string>> given() const;
  // one_step: --step also sets the step of pairs of Runge-Kutta methods, which are then run without error control.
  // set: what --set gives as well, of which nothing may be the same.
  void apply(SimulateOptions& options, const Settings& set, bool one_step = false) const;  // throws UsageError

 private:
  void require_once(const Settings& set) const;
};

}  // namespace armature::internal::cli
