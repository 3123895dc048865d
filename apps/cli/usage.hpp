// What is wrong with a command line that cannot be read: one sentence, with advice, in place of CLI11's.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace armature::internal::cli {

// Throws UsageError where the first word is no verb. Verbs of no group are for packages: the sentence does not list them.
void require_verb(const CLI::App& app, const std::vector<std::string>& verbs, const std::string& word);

// Throws UsageError: CLI11 would take the verb for an argument of the option.
void require_verb_first(const std::string& option);

// Throws UsageError where a word that stands alone is an option that the program does not have.
void require_known_option(const std::string& option);

std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error);

}  // namespace armature::internal::cli
