// The verbs of the program. Each adds itself to the command line; what it returns after parsing is the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace armature::internal::cli {

// 0: done. 1: the computation failed or was stopped. 2: the input or the command line is wrong.
enum ExitCode { ok = 0, failed = 1, bad_input = 2 };

using Verb = std::function<int()>;

// Defined by the files of the verbs.
#define VERB(name, ...) Verb add_##name(CLI::App& app);
#include "verbs.def"
#undef VERB

}  // namespace armature::internal::cli
