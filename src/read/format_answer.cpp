#include "read/format_answer.hpp"

#include <fmt/format.h>

#include "model/diagnostics.hpp"
#include "model/findings.hpp"
#include "model/limits.hpp"
#include "model/request_error.hpp"
#include "read/format_reference.hpp"
#include "read/topics.hpp"

namespace armature::internal {

namespace {

std::string sizes_text() {
  std::string text = "largest sizes of a model:\n";
  const auto row = [&](const std::string& what, auto most) { text += fmt::format("  {:<58}  {:>11}\n", what, most); };
  row("nesting of maps and lists", limits::depth);
  row("values of a file, with its aliases expanded", limits::values);
  row("values that loops and uses of a file make", limits::made_values);
  row("repetitions of one loop (for)", limits::turns);
  row("repetitions of all loops of a file", limits::all_turns);
  row("recorded rows (end / record)", static_cast<long>(limits::rows));
  row("steps, samples or exchanges (end / step, max_step, period)", static_cast<long>(limits::steps));
  row("samples that a controller holds back (delay / period)", static_cast<long>(limits::held_samples));
  row("entries of the mass matrix (a chain of 2200 joints)", limits::mass_matrix_entries);
  row("velocities and constraint rows, for formulations other than auto", limits::dense_unknowns);
  row("bytes of the modelDescription.xml of an FMU", limits::fmu_description);
  row("errors reported at once", limits::messages);
  row("bytes of a message", limits::message_length);
  return text;
}

// "{t:.6g}" as "{t}"
std::string without_formats(const std::string& sentence) {
  std::string text;
  bool inside = false, named = true;
  for (const char c : sentence) {
    if (c == '{') inside = named = true;
    if (c == '}') inside = false, named = true;
    if (inside && c == ':') named = false;
    if (named) text += c;
  }
  return text;
}

std::string findings_text(bool markdown) {
  std::string text = markdown ? "| code | severity | message | meaning | what to do |\n|---|---|---|---|---|\n" : "";
  for (const FindingRow& row : finding_rows)
    text += fmt::format(fmt::runtime(markdown ? "| `{}` | {} | `{}` | {} | {} |\n" : "{} ({}): {}\n  {} {}\n"),
                        row.code, name_of(row.severity), without_formats(row.sentence), row.meaning, row.remedy);
  return text;
}

std::string overview_text() {
  std::string text;
  for (const FormatSection& section : format_sections())
    text += fmt::format("{:<34}  {}\n", section.name, section.what);
  return text +
         "\n'armature format joints' lists the keys of a section, 'armature format belt' shows how a belt or another "
         "machine element is modeled, 'armature format sizes' the largest sizes of a model, 'armature format findings' "
         "all warnings of a run.\n";
}

std::string section_text(const FormatSection& section, bool markdown) {
  return markdown ? format_markdown(section) : format_text(section);
}

std::string sections_text(const std::vector<const FormatSection*>& sections, bool markdown) {
  std::string text;
  for (const FormatSection* section : sections) text += (text.empty() ? "" : "\n") + section_text(*section, markdown);
  return text;
}

std::string whole_reference() {
  std::vector<const FormatSection*> all;
  for (const FormatSection& section : format_sections()) all.push_back(&section);
  return sections_text(all, true);
}

// A key alone: its rows, in the sections that know it.
std::string key_text(const std::string& key, const std::vector<const FormatSection*>& sections, bool markdown) {
  std::string text;
  for (const FormatSection* section : sections) {
    FormatSection one = *section;
    one.keys = KeyTable(find_key(section->keys, key), 1);
    text += section_text(one, markdown);
  }
  return text;
}

// Keys whose description mentions a word.
std::string mentions_text(const std::string& word, const std::vector<FormatMention>& mentions) {
  std::string text = fmt::format("no section or key is called '{}'; it occurs in\n", word);
  for (const FormatMention& mention : mentions)
    text += fmt::format("  {:<34}  {}\n", fmt::format("{}: {}", mention.section->name, mention.key->name),
                        meaning(*mention.key));
  return text;
}

}  // namespace

std::string format_answer(const std::string& name, bool markdown) {
  if (name.empty()) return markdown ? whole_reference() : overview_text();
  if (name == "sizes") return sizes_text();
  if (name == "findings") return findings_text(markdown);
  const auto sections = find_format_sections(name);
  std::string text =
      sections.empty() ? key_text(name, format_sections_with_key(name), markdown) : sections_text(sections, markdown);
  if (!markdown)
    for (const Topic* topic : find_topics(name)) text += (text.empty() ? "" : "\n") + topic_text(*topic);
  if (!text.empty()) return text;
  const std::vector<FormatMention> mentions = format_mentions(name);
  if (!mentions.empty()) return mentions_text(name, mentions);
  std::vector<std::string> known = format_names();
  for (const std::string& word : topic_words()) known.push_back(word);
  throw RequestError(fmt::format("unknown section or key '{}'{}; 'armature format' lists the sections", name,
                                 did_you_mean(name, known)));
}

}  // namespace armature::internal
