// What every verb takes: the model file, --set and --json.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "read/reader.hpp"

namespace armature::internal::cli {

struct ModelArguments {
  std::string file;
  std::vector<std::string> set;  // "name=formula"
  bool json = false;

  void add_to(CLI::App& verb);
  Settings settings() const;                    // throws UsageError
  Model read(const Settings& more = {}) const;  // `more` replaces settings; throws UsageError and ModelError
};

// For CLI11: the number must be greater than zero.
extern const CLI::Validator positive;

// Each "name=formula" in two. Throws UsageError, also where a name is given twice.
Settings assignments(const std::vector<std::string>& texts, const std::string& option);

// "name=formula" in two. Throws UsageError.
std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option);

// Throws UsageError ("unknown integrator 'rk5' (did you mean 'rk4'?)") unless `name` is one of `names`.
void require_known(const std::string& name, const std::vector<std::string>& names, const std::string& kind);

}  // namespace armature::internal::cli
