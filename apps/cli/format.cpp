// armature format [NAME]: the reference of the model file, from the tables by which files are read.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "errors.hpp"
#include "live/format_json.hpp"
#include "model/diagnostics.hpp"
#include "model/limits.hpp"
#include "read/format_reference.hpp"
#include "read/topics.hpp"
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
    "  armature format belt              how a machine element is modelled\n"
    "  armature format reaction          the same for a task\n"
    "  armature format sizes             the largest sizes of a model\n"
    "  armature format --markdown        the whole reference, as in docs/format.md\n"
    "  armature format --json            the same for editors";

struct FormatArguments {
  std::string name;
  bool markdown = false, json = false;
};

void print_sizes() {
  fmt::print("largest sizes of a model:\n");
  const auto row = [](const std::string& what, auto most) { fmt::print("  {:<58}  {:>11}\n", what, most); };
  row("nesting of maps and lists", limits::depth);
  row("values of a file, with its aliases expanded", limits::values);
  row("repetitions of one loop (for)", limits::turns);
  row("repetitions of all loops of a file", limits::all_turns);
  row("recorded rows (end / record)", static_cast<long>(limits::rows));
  row("entries of the mass matrix (a chain of 2200 joints)", limits::mass_matrix_entries);
  row("velocities and constraint rows, of formulations but auto", limits::dense_unknowns);
  row("errors reported at once", limits::messages);
  row("bytes of a message", limits::message_length);
}

void print_overview() {
  for (const FormatSection& section : format_sections())
    fmt::print("{}\n", fitted(fmt::format("{:<34}  {}", section.name, section.what), stdout, under_last_column));
  fmt::print("\n{}\n",
             fitted("'armature format joints' lists the keys of a section, 'armature format belt' shows how a belt or "
                    "another machine element is modelled, 'armature format sizes' the largest sizes of a model."));
}

std::string text_of(const FormatSection& section, bool markdown) {
  return markdown ? format_markdown(section) : fitted(format_text(section), stdout, under_last_column);
}

void print_sections(const std::vector<const FormatSection*>& sections, bool markdown) {
  const char* separator = "";
  for (const FormatSection* section : sections) {
    fmt::print("{}{}", separator, text_of(*section, markdown));
    separator = "\n";
  }
}

std::vector<const FormatSection*> all_sections() {
  std::vector<const FormatSection*> all;
  for (const FormatSection& section : format_sections()) all.push_back(&section);
  return all;
}

// A key alone: its rows, in the sections that know it.
void print_key(const std::string& key, const std::vector<const FormatSection*>& sections, bool markdown) {
  for (const FormatSection* section : sections) {
    FormatSection one = *section;
    one.keys = KeyTable(find_key(section->keys, key), 1);
    fmt::print("{}", text_of(one, markdown));
  }
}

void print_topics(const std::vector<const Topic*>& topics, bool after_something) {
  const char* separator = after_something ? "\n" : "";
  for (const Topic* topic : topics) {
    fmt::print("{}{}", separator, fitted(topic_text(*topic), stdout, under_last_column));
    separator = "\n";
  }
}

// Keys whose description mentions a word.
void print_mentions(const std::string& word, const std::vector<FormatMention>& mentions) {
  fmt::print("no section or key is called '{}'; it occurs in\n", word);
  for (const FormatMention& mention : mentions)
    fmt::print("{}\n",
               fitted(fmt::format("  {:<34}  {}", fmt::format("{}: {}", mention.section->name, mention.key->name),
                                  meaning(*mention.key)),
                      stdout, under_last_column));
}

int print_name(const std::string& name, bool markdown) {
  const auto sections = find_format_sections(name);
  const auto with_key = sections.empty() ? format_sections_with_key(name) : std::vector<const FormatSection*>();
  const auto topics = markdown ? std::vector<const Topic*>() : find_topics(name);
  print_sections(sections, markdown);
  print_key(name, with_key, markdown);
  print_topics(topics, !sections.empty() || !with_key.empty());
  if (!sections.empty() || !with_key.empty() || !topics.empty()) return ok;
  const std::vector<FormatMention> mentions = format_mentions(name);
  if (mentions.empty()) {
    std::vector<std::string> known = format_names();
    for (const std::string& word : topic_words()) known.push_back(word);
    throw UsageError(fmt::format("unknown section or key '{}'{}; 'armature format' lists the sections", name,
                                 did_you_mean(name, known)));
  }
  print_mentions(name, mentions);
  return ok;
}

int print_format(const FormatArguments& arguments) {
  if (arguments.json) {
    if (!arguments.name.empty()) throw UsageError("format: --json prints the whole reference; leave out NAME");
    fmt::print("{}\n", json_text(format_json()));
    return ok;
  }
  if (arguments.name.empty()) {
    arguments.markdown ? print_sections(all_sections(), true) : print_overview();
    return ok;
  }
  if (arguments.name == "sizes") {
    print_sizes();
    return ok;
  }
  return print_name(arguments.name, arguments.markdown);
}

}  // namespace

Verb add_format(CLI::App& app) {
  auto arguments = std::make_shared<FormatArguments>();
  CLI::App* verb =
      app.add_subcommand("format", "print the reference of the model file: sections, keys, units, defaults");
  verb->footer(format_examples);
  verb->add_option("NAME", arguments->name, "a section, a type, a key, a machine element or a task")->type_name("");
  verb->add_flag("--markdown", arguments->markdown, "print the tables of docs/format.md");
  verb->add_flag("--json", arguments->json, "print the whole reference as JSON, for editors");
  return [arguments] { return print_format(*arguments); };
}

}  // namespace armature::internal::cli
