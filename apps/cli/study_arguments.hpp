// What map, sweep and optimize share on the command line: what is varied, where the cells go, how they are computed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gpu_arguments.hpp"
#include "session_arguments.hpp"
#include "simulate_arguments.hpp"
#include "step/lanes.hpp"
#include "study/design.hpp"
#include "study/variables.hpp"

namespace armature::internal::cli {

struct StudyArguments : SessionArguments {
  SimulateArguments simulate;
  std::vector<std::string> over;  // "name=from:to:count"
  int lanes = lane_count;
  bool inverse = false;  // the motion is that of `inverse`
  GpuArguments gpu;

  void add_to(CLI::App& verb, const std::string& range_help);
  void add_lanes_to(CLI::App& verb);
  void add_inverse_to(CLI::App& verb);
  Model read(const Settings& more = {}) const;  // throws UsageError and ModelError
  // counted: each axis says how many values it has; random: it may have a distribution. Throws UsageError.
  std::vector<Axis> axes(const Model& model, bool counted, bool random = false) const;
};

}  // namespace armature::internal::cli
