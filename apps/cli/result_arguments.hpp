// --result NAME=FORMULA: numbers of the whole motion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model_arguments.hpp"

namespace armature::internal::cli {

inline void add_results_to(CLI::App& verb, std::vector<std::string>& results) {
  verb.add_option("--result", results,
                  "print a result of the whole motion: max(x), at(x, T), …, as in sweep; repeatable")
      ->type_name("NAME=FORMULA")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

inline void add_no_verify_to(CLI::App& verb, bool& no_verify) {
  verb.add_flag("--no-verify", no_verify, "do not repeat the computation to estimate the errors of its numbers");
}

// Into name and formula.
inline std::vector<std::pair<std::string, std::string>> split_assignments(const std::vector<std::string>& texts,
                                                                          const std::string& option) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts) pairs.push_back(split_assignment(text, option));
  return pairs;
}

}  // namespace armature::internal::cli
