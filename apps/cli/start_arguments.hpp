// Where a run starts: as the model says, on another assembly branch, or at the last state of another run.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "prepare/prepare.hpp"

namespace armature::internal::cli {

struct StartArguments {
  std::string from;  // folder of a run
  int branch = 0;    // 1-based, as `assemble --all` counts; 0: as the model says

  void add_to(CLI::App& verb, bool with_from);

  // Assembles the start. False: there is none; prepared.failure says why. Throws UsageError and RecordError.
  bool assemble(Prepared& prepared) const;
};

}  // namespace armature::internal::cli
