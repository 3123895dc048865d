// What every verb takes: the model file, --set, --json and --quiet.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "read/reader.hpp"
#include "validators.hpp"

namespace armature::internal::cli {

struct ModelArguments {
  std::string file;
  std::vector<std::string> set;  // "name=formula"
  std::string root;              // of the files that the model names
  bool json = false;

  void add_to(CLI::App& verb);
  Settings settings() const;                    // throws UsageError
  Model read(const Settings& more = {}) const;  // `more` replaces settings; throws UsageError and ModelError
};

void add_quiet(CLI::App& verb);  // --quiet

// `output` (-o); if it is empty results/<file> of `run` and results/<file>_<verb> of other verbs, by the name of the model file. Warns where this
// folder holds the results of another file of the same name.
std::filesystem::path result_folder(const std::string& output, const std::string& file, const std::string& verb);

// Each "name=formula" in two. Throws UsageError, also where a name is given twice.
Settings assignments(const std::vector<std::string>& texts, const std::string& option);

// "name=formula" in two. Throws UsageError.
std::pair<std::string, std::string> split_assignment(const std::string& text, const std::string& option);

}  // namespace armature::internal::cli
