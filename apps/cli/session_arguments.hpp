// What every command that computes cells takes besides its own options: where the cells go and how they are computed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "model_arguments.hpp"

namespace armature::internal::cli {

struct SessionArguments {
  ModelArguments model;
  std::string output;
  int threads = 0;
  bool resume = false, restart = false, no_report = false, no_verify = false;

  void add_to(CLI::App& verb);  // all but those of the model
  std::filesystem::path folder(const std::string& verb) const { return result_folder(output, model.file, verb); }
};

}  // namespace armature::internal::cli
