// armature format [NAME]: the reference of the model file, from the tables by which files are read.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "errors.hpp"
#include "live/format_json.hpp"
#include "read/format_answer.hpp"
#include "record/json_text.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace armature::internal::cli {
namespace {

constexpr const char* format_examples =
    "Examples:\n"
    "  armature format                   the sections of a model file\n"
    "  armature format joints            all keys of a section\n"
    "  armature format revolute          the keys of one type\n"
    "  armature format gear_ratio        where a key belongs, and what it means\n"
    "  armature format belt              how a machine element is modeled\n"
    "  armature format reaction          the same for a task\n"
    "  armature format sizes             the largest sizes of a model\n"
    "  armature format findings          all warnings of a run\n"
    "  armature format --markdown        the whole reference, as in docs/format.md\n"
    "  armature format --json            the same for editors";

struct FormatArguments {
  std::vector<std::string> words;  // of NAME
  bool markdown = false, json = false;
};

int print_format(const FormatArguments& arguments) {
  const std::string name = fmt::format("{}", fmt::join(arguments.words, " "));
  if (arguments.json) {
    if (!name.empty()) throw UsageError("format: --json prints the whole reference; leave out NAME");
    fmt::print("{}\n", json_text(format_json()));
    return ok;
  }
  const std::string text = format_answer(name, arguments.markdown);
  fmt::print("{}", arguments.markdown ? text : fitted(text, stdout, under_last_column));
  return ok;
}

}  // namespace

Verb add_format(CLI::App& app) {
  auto arguments = std::make_shared<FormatArguments>();
  CLI::App* verb =
      app.add_subcommand("format", "print the reference of the model file: sections, keys, units, defaults");
  verb->footer(format_examples);
  verb->add_option("NAME", arguments->words, "a section, a type, a key, a machine element or a task: gear pair")
      ->type_name("");
  verb->add_flag("--markdown", arguments->markdown, "print the tables of docs/format.md");
  verb->add_flag("--json", arguments->json, "print the whole reference as JSON, for editors");
  return [arguments] { return print_format(*arguments); };
}

}  // namespace armature::internal::cli
