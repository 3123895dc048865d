#include "gallery/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gallery/page_style.hpp"
#include "record/version.hpp"
#include "report/markup.hpp"

namespace armature::internal::gallery {
namespace {

namespace fs = std::filesystem;

const char* css_class(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "good";
    case Verdict::in_part: return "part";
    case Verdict::not_reproduced: return "not";
    case Verdict::confirmed: return "good";
    case Verdict::without_numbers: return "none";
    case Verdict::failed: return "failed";
  }
  return "";
}

std::string badge(Verdict verdict) {
  return fmt::format("<span class=\"badge {}\">{}</span>", css_class(verdict), to_string(verdict));
}

std::string anchor(const Entry& entry, const Item& item) { return entry.name + "-" + item.name; }

// So many digits that what was expected can be compared, but none that a number of the machine does not have.
std::string shown_value(const JudgedNumber& judged) {
  if (std::isnan(judged.value)) return "\u2013";
  std::size_t digits = 0;
  if (judged.number->expect) {
    const std::string& text = judged.number->expect->digits;
    for (char c : text.substr(0, text.find_first_of("eE"))) digits += c >= '0' && c <= '9';
  }
  return fmt::format("{:.{}g}", judged.value, std::clamp<std::size_t>(digits + 1, 6, 15));
}

std::string outcome(const JudgedNumber& judged) {
  if (judged.failed()) return "<td data-label=\"verdict\" class=\"failed\">FAILED</td>";
  std::string words, mark = "good";
  if (judged.holds) words = *judged.holds ? "as the paper says" : "unlike the paper";
  if (judged.holds && !*judged.holds) mark = "not";
  if (judged.comes_out) words += words.empty() ? "matches the reference" : ", matches the reference";
  return fmt::format("<td data-label=\"verdict\" class=\"{}\">{}</td>", mark, words);
}

std::string number_row(const JudgedNumber& judged) {
  const Number& number = *judged.number;
  const std::string unit = number.unit.empty() ? "" : "&nbsp;" + escaped(number.unit);
  std::string expected;
  if (number.expect)
    expected = fmt::format("{}{} <span class=\"source\">{}</span>", escaped(number.expect->digits), unit,
                           escaped(number.expect->source));
  std::string row = fmt::format(
      "<tr><td>{}</td><td data-label=\"the paper\">{}</td><td data-label=\"Armature\" class=\"number\">{}{}</td>"
      "<td data-label=\"reference\">{}</td>{}</tr>\n",
      escaped(number.name), number.paper ? escaped(number.paper->says) : "", shown_value(judged),
      std::isnan(judged.value) ? "" : unit, expected, outcome(judged));
  const std::string reason = judged.failed() ? judged.problem : number.because;
  if (!reason.empty())
    row += fmt::format("<tr class=\"reason\"><td colspan=\"5\"{}>{}{}</td></tr>\n",
                       judged.failed() ? " class=\"failed\"" : "", judged.failed() ? "" : "Why not: ", escaped(reason));
  return row;
}

std::string number_table(const JudgedItem& item) {
  if (item.numbers.empty()) return {};
  std::string rows;
  for (const JudgedNumber& number : item.numbers) rows += number_row(number);
  return fmt::format(
      "<div class=\"wide\"><table><thead><tr><th></th><th>the paper</th><th>Armature</th><th>reference</th>"
      "<th>verdict</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
      rows);
}

std::string pictures_html(const ShownItem& item) {
  std::string html;
  for (const DrawnPicture& picture : item.pictures)
    html += fmt::format("<img src=\"{}\" alt=\"{}\"{} loading=\"lazy\">\n", picture.file.generic_string(),
                        escaped(picture.title), picture.colors ? " class=\"colors\"" : "");
  return html.empty() ? html : "<div class=\"pictures\">" + html + "</div>\n";
}

// What the item draws on, each once.
std::vector<std::string> experiments_of(const Item& item) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const Number& number : item.numbers) add(number.of), add(number.other);
  for (const Picture& picture : item.pictures)
    for (const std::string& name : picture.of) add(name);
  add(item.animation);
  return names;
}

class PageWriter {
 public:
  PageWriter(const Gallery& gallery, const fs::path& folder) : gallery_(gallery), folder_(folder) {}

  std::string write() {
    std::string body = fmt::format("<header><h1>Armature: gallery</h1><p>{}</p>{}</header>\n",
                                   escaped(gallery_.sentence()), contents());
    for (const ShownEntry& entry : gallery_.entries) body += entry_html(entry);
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Armature: gallery</title>\n"
        "<meta name=\"viewport\" content=\"width=device-width\"><style>{}</style></head>\n<body>\n{}"
        "<footer>armature {}, {:.1f} s. Verdicts are computed from the numbers beside them.</footer>"
        "<script>{}</script></body></html>\n",
        page_style, body, version(), gallery_.seconds, page_script);
  }

 private:
  std::string contents() const {
    std::string html = "<nav>";
    for (const ShownEntry& entry : gallery_.entries) {
      html += fmt::format("<div><a class=\"paper\" href=\"#{0}\">{1}</a><ul>", entry.entry->name,
                          escaped(entry.entry->title));
      for (const ShownItem& item : entry.items)
        html += fmt::format("<li><a href=\"#{}\" class=\"{}\" title=\"{}\">{}</a></li>",
                            anchor(*entry.entry, *item.judged.item), css_class(item.judged.verdict),
                            to_string(item.judged.verdict), escaped(item.judged.item->label));
      html += "</ul></div>";
    }
    return html + "</nav>";
  }

  std::string entry_html(const ShownEntry& shown) const {
    const Entry& entry = *shown.entry;
    std::string html = fmt::format("<section id=\"{}\"><h2>{}</h2><p class=\"source\">{}</p>", entry.name,
                                   escaped(entry.title), escaped(entry.source));
    if (!entry.about.empty()) html += fmt::format("<p>{}</p>", escaped(entry.about));
    for (const ShownItem& item : shown.items) html += item_html(entry, item);
    return html + "</section>\n";
  }

  std::string item_html(const Entry& entry, const ShownItem& shown) const {
    const Item& item = *shown.judged.item;
    std::string html = fmt::format("<article id=\"{}\"><h3>{}: {} {}</h3>", anchor(entry, item), escaped(item.label),
                                   escaped(item.shows), badge(shown.judged.verdict));
    if (!item.states.empty()) html += fmt::format("<p><b>The paper:</b> {}</p>", escaped(item.states));
    if (!item.note.empty()) html += fmt::format("<p>{}</p>", escaped(item.note));
    for (const std::string& problem : shown.judged.problems)
      html += fmt::format("<p class=\"failed\">{}</p>", escaped(problem));
    html += number_table(shown.judged) + pictures_html(shown) + animation(entry, item) + commands(entry, item);
    return html + "</article>\n";
  }

  std::string link(const fs::path& file) const { return file.lexically_relative(folder_).generic_string(); }

  std::string animation(const Entry& entry, const Item& item) const {
    const auto result = gallery_.results.find(entry.name + "/" + item.animation);
    if (result == gallery_.results.end() || !fs::exists(result->second.folder / "report.html")) return {};
    const std::string report = link(result->second.folder / "report.html");
    const bool moves =
        result->second.command.starts_with("armature run ") || result->second.command.starts_with("armature inverse ");
    return fmt::format(
        "<details class=\"animation\"><summary>{1}</summary><iframe data-src=\"{0}\" "
        "title=\"animation\"></iframe><p><a href=\"{0}\">open it in a page of its own</a></p></details>\n",
        report, moves ? "Watch it move" : "Look closer");
  }

  std::string commands(const Entry& entry, const Item& item) const {
    std::string lines;
    for (const std::string& name : experiments_of(item)) {
      const auto result = gallery_.results.find(entry.name + "/" + name);
      if (result != gallery_.results.end()) lines += escaped(result->second.command) + "\n";
    }
    return lines.empty() ? lines : fmt::format("<details><summary>Commands</summary><pre>{}</pre></details>\n", lines);
  }

  const Gallery& gallery_;
  const fs::path& folder_;
};

Json number_json(const JudgedNumber& judged) {
  const Number& number = *judged.number;
  Json json{{"name", number.name}, {"value", std::isnan(judged.value) ? Json() : Json(judged.value)}};
  if (!number.unit.empty()) json["unit"] = number.unit;
  if (number.expect)
    json["expected"] = {{"value", number.expect->value},
                        {"within", number.expect->within},
                        {"source", number.expect->source},
                        {"comes_out", judged.comes_out.value_or(false)}};
  if (number.paper) json["paper"] = {{"says", number.paper->says}, {"holds", judged.holds.value_or(false)}};
  if (!number.because.empty()) json["because"] = number.because;
  if (judged.failed()) json["problem"] = judged.problem;
  return json;
}

}  // namespace

std::map<Verdict, int> Gallery::verdicts() const {
  std::map<Verdict, int> counts;
  for (const ShownEntry& entry : entries)
    for (const ShownItem& item : entry.items) ++counts[item.judged.verdict];
  return counts;
}

std::string Gallery::sentence() const {
  int items = 0, numbers = 0;
  for (const ShownEntry& entry : entries)
    for (const ShownItem& item : entry.items) ++items, numbers += static_cast<int>(item.judged.numbers.size());
  std::string text = fmt::format("{} figures, tables and problems with {} numbers:", items, numbers);
  const char* separator = " ";
  for (const auto& [verdict, count] : verdicts()) {
    text += fmt::format("{}{} {}", separator, count, to_string(verdict));
    separator = ", ";
  }
  return text;
}

std::string html_page(const Gallery& gallery, const fs::path& folder) { return PageWriter(gallery, folder).write(); }

Json to_json(const Gallery& gallery) {
  Json entries = Json::array();
  for (const ShownEntry& entry : gallery.entries) {
    Json items = Json::array();
    for (const ShownItem& item : entry.items) {
      Json numbers = Json::array();
      for (const JudgedNumber& number : item.judged.numbers) numbers.push_back(number_json(number));
      items.push_back({{"name", item.judged.item->name},
                       {"label", item.judged.item->label},
                       {"shows", item.judged.item->shows},
                       {"verdict", to_string(item.judged.verdict)},
                       {"problems", item.judged.problems},
                       {"numbers", numbers}});
    }
    entries.push_back({{"name", entry.entry->name}, {"title", entry.entry->title}, {"items", items}});
  }
  Json experiments = Json::object();
  for (const auto& [name, result] : gallery.results)
    experiments[name] = {{"command", result.command}, {"seconds", result.seconds}, {"problem", result.problem}};
  return {{"status", gallery.failures() == 0 ? "finished" : "failed"},
          {"sentence", gallery.sentence()},
          {"seconds", gallery.seconds},
          {"entries", entries},
          {"experiments", experiments}};
}

}  // namespace armature::internal::gallery
