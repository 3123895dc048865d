// Checks of option values for CLI11, with sentences of our own.
#pragma once

#include <CLI/CLI.hpp>

namespace armature::internal::cli {

extern const CLI::Validator positive;  // a number greater than zero
extern const CLI::Validator whole;     // a whole number greater than zero

CLI::Validator whole_between(long low, long high);
CLI::Validator between(double low, double high);

}  // namespace armature::internal::cli
