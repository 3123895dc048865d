// The verbs of the program. Each adds itself to the command line; what it returns after parsing is the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace armature::internal::cli {

// 0: done. 1: the computation failed or was stopped. 2: the input or the command line is wrong.
enum ExitCode { ok = 0, failed = 1, bad_input = 2 };

using Verb = std::function<int()>;

Verb add_run(CLI::App& app);
Verb add_check(CLI::App& app);
Verb add_assemble(CLI::App& app);
Verb add_kinematics(CLI::App& app);
Verb add_inverse(CLI::App& app);
Verb add_compare(CLI::App& app);
Verb add_equations(CLI::App& app);
Verb add_plot(CLI::App& app);
Verb add_map(CLI::App& app);
Verb add_sweep(CLI::App& app);
Verb add_optimize(CLI::App& app);
Verb add_modes(CLI::App& app);
Verb add_tune(CLI::App& app);
Verb add_singularities(CLI::App& app);
Verb add_export(CLI::App& app);
Verb add_import(CLI::App& app);
Verb add_format(CLI::App& app);
Verb add_gallery(CLI::App& app);
Verb add_view(CLI::App& app);
Verb add_doctor(CLI::App& app);
Verb add_demo(CLI::App& app);
Verb add_completions(CLI::App& app);  // hidden: for packages
Verb add_manual(CLI::App& app);       // hidden: for packages

}  // namespace armature::internal::cli
