// --branch and --from: where a motion starts.
#pragma once

#include <CLI/CLI.hpp>

#include "run/chosen_start.hpp"

namespace armature::internal::cli {

struct StartArguments : StartChoice {
  void add_to(CLI::App& verb, bool with_from);
};

}  // namespace armature::internal::cli
