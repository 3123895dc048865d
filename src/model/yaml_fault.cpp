#include "model/yaml_fault.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "model/yaml_scan.hpp"

namespace armature::internal {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t indent_of(const std::string& line) { return line.find_first_not_of(yaml_spaces); }  // npos: an empty line

bool says_something(const std::string& line) {
  const std::size_t indent = indent_of(line);
  return indent != std::string::npos && line[indent] != '#';
}

// The number, from 0, of the last line before `row` that says something.
std::optional<std::size_t> line_before(const std::vector<std::string>& lines, std::size_t row) {
  row = std::min(row, lines.size());
  while (row-- > 0)
    if (says_something(lines[row])) return row;
  return std::nullopt;
}

// key: or key: value
bool has_key(std::string_view said) { return said.find(": ") != std::string::npos || said.ends_with(':'); }

// A line without what YAML leaves out: indent, the dash of a list, a comment.
struct Line {
  std::size_t column;
  std::string said;
  bool is_item;
  bool begins_map() const { return has_key(said) && said[0] != '{' && said[0] != '['; }
};
Line line_of(const std::string& text) {
  Line line{indent_of(text), "", false};
  line.is_item = text.substr(line.column).starts_with("- ");
  if (line.is_item) line.column = std::min(text.find_first_not_of(yaml_spaces, line.column + 2), text.size());
  line.said = text.substr(line.column, text.find(" #") - line.column);
  line.said.erase(line.said.find_last_not_of(yaml_spaces) + 1);
  return line;
}

bool has_value(std::string_view said) { return has_key(said) && !said.ends_with(':'); }

// The lines in which a value of a line above goes on: "name: a long", "  name".
std::vector<bool> continued_lines(const std::vector<std::string>& lines, const std::vector<bool>& is_inside) {
  std::vector<bool> continued(lines.size());
  std::vector<Line> above;  // each further to the right than the one before
  for (std::size_t row = 0; row < lines.size(); ++row) {
    if (!says_something(lines[row]) || is_inside[row]) continue;
    while (!above.empty() && above.back().column >= indent_of(lines[row])) above.pop_back();
    const Line line = line_of(lines[row]);
    continued[row] = !above.empty() && has_value(above.back().said) && !has_key(line.said);
    if (!continued[row]) above.push_back(line);
  }
  return continued;
}

// What the parser stumbled over.
struct Stop {
  Location where;
  std::string complaint;
  const std::vector<std::string>& lines;
  YamlScan scan;                // up to there
  std::vector<bool> is_inside;  // of each line of the text: it begins inside brackets or quotes
  std::vector<bool> is_continued = continued_lines(lines, is_inside);

  bool says(std::string_view words) const { return complaint.find(words) != std::string::npos; }
  std::size_t row() const { return static_cast<std::size_t>(where.line - 1); }
  std::string_view line() const { return row() < lines.size() ? std::string_view(lines[row()]) : std::string_view(); }
  std::string_view before() const { return line().substr(0, static_cast<std::size_t>(where.column - 1)); }
  bool has_item(std::size_t row) const { return row < lines.size() && says_something(lines[row]) && !is_inside[row]; }
  bool begins_item(std::size_t row) const { return has_item(row) && !is_continued[row]; }
  char sign() const { return before().size() < line().size() ? line()[before().size()] : '\0'; }
};

Location place(std::size_t row, std::size_t column) {
  return {static_cast<int>(row) + 1, static_cast<int>(column) + 1};
}

bool is_of_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool begins_name(char c) { return is_of_name(c) && std::isdigit(static_cast<unsigned char>(c)) == 0; }

// ---- quotes and brackets

std::optional<YamlFault> open_quote(const Stop& stop) {
  const std::optional<Location> quote = stop.scan.open_quote ? stop.scan.open_quote : stop.scan.long_quote;
  if (!quote) return std::nullopt;
  return YamlFault{*quote, "the line opens a quote that it does not close"};
}

char partner_of(char sign) { return sign == '{' ? '}' : sign == '[' ? ']' : sign == '}' ? '{' : '['; }

YamlFault not_closed(const YamlBracket& bracket) {
  return {bracket.where, fmt::format("'{}' is not closed by '{}'", bracket.sign, partner_of(bracket.sign))};
}

// ] in place of }, or without a [.
std::optional<YamlFault> wrong_end(const Stop& stop) {
  const std::vector<YamlBracket>& open = stop.scan.open;
  const char partner = partner_of(stop.sign());
  if (stop.sign() != ']' && stop.sign() != '}') return std::nullopt;
  if (std::ranges::find(open, partner, &YamlBracket::sign) != open.end()) return not_closed(open.back());
  return YamlFault{stop.where, fmt::format("'{}' has no '{}' before it", stop.sign(), partner)};
}

// {keep: {a: 1} without the second brace. One of the same line is left to what else may be wrong in it.
std::optional<YamlFault> open_bracket(const Stop& stop) {
  if (stop.scan.open.empty() || stop.scan.open.front().where.line >= stop.where.line) return std::nullopt;
  return not_closed(stop.scan.misplaced.value_or(stop.scan.open.front()));
}

// {type: effort on: crank}
std::optional<YamlFault> missing_comma(const Stop& stop) {
  const std::string_view said = stop.before();
  const std::size_t key = said.find_last_of(" {[,") + 1, entry = said.find_last_of("{[,") + 1;
  if (stop.sign() != ':' || stop.scan.open.empty() || key <= entry ||
      said.substr(entry).find(": ") == std::string::npos)
    return std::nullopt;
  if (key >= said.size() || !begins_name(said[key])) return std::nullopt;
  return YamlFault{place(stop.row(), key), fmt::format("a comma is missing before '{}'", said.substr(key))};
}

// {keep:{crank: 0}}, or {keep {crank: 0}}
std::optional<YamlFault> missing_end_of_inner_key(const Stop& stop) {
  if (stop.sign() != '{' && stop.sign() != '[') return std::nullopt;
  const std::string_view said = stop.before().substr(0, stop.before().find_last_not_of(yaml_spaces) + 1);
  const std::size_t key = said.find_last_of(" {[,") + 1, entry = said.find_last_of("{[,") + 1;
  if (said.ends_with(':'))
    return YamlFault{place(stop.row(), key), fmt::format("a space is missing after '{}'", said.substr(key))};
  if (said.find_first_not_of(yaml_spaces, entry) != key) return std::nullopt;
  return YamlFault{place(stop.row(), key), fmt::format("a colon is missing after '{}'", said.substr(key))};
}

// ---- lines

// mass 2 kg, or mass:2 kg
std::optional<YamlFault> key_without_end(const Stop& stop, std::size_t row) {
  if (!stop.begins_item(row)) return std::nullopt;
  const Line line = line_of(stop.lines[row]);
  if (line.said.empty() || has_key(line.said) || !is_of_name(line.said[0])) return std::nullopt;
  const std::size_t colon = line.said.find(':');
  if (colon != std::string::npos)
    return YamlFault{place(row, line.column),
                     fmt::format("a space is missing after '{}'", line.said.substr(0, colon + 1))};
  if (line.is_item) return std::nullopt;
  const std::string key = line.said.substr(0, line.said.find_first_of(yaml_spaces));
  return YamlFault{place(row, line.column), fmt::format("a colon is missing after '{}'", key)};
}

// name: a: b
std::optional<YamlFault> second_colon(const Stop& stop) {
  if (stop.sign() != ':' || stop.before().find(": ") == std::string::npos) return std::nullopt;
  return YamlFault{
      stop.where,
      "the line has a second colon; put quotes around a text with a colon, and {} around a map in one line"};
}

// start {keep: {crank: 0}}, or start:{keep: {crank: 0}}
std::optional<YamlFault> key_before_bracket(const Stop& stop) {
  if (!stop.has_item(stop.row())) return std::nullopt;
  const Line line = line_of(stop.lines[stop.row()]);
  const std::string head = line.said.substr(0, line.said.find_first_of("{["));
  const std::string key = head.substr(0, head.find_last_not_of(yaml_spaces) + 1);
  if (head == line.said || key.empty() || key.find_first_of(yaml_spaces) != std::string::npos) return std::nullopt;
  if (head == key && !key.ends_with(':')) return std::nullopt;  // crank{k}: …
  if (key.find(':') == std::string::npos)
    return YamlFault{place(stop.row(), line.column), fmt::format("a colon is missing after '{}'", key)};
  if (!head.ends_with(':')) return std::nullopt;
  return YamlFault{place(stop.row(), line.column), fmt::format("a space is missing after '{}'", key)};
}

// In the line where the parser gives up, or in the one above, which it takes for the beginning of a longer text.
std::optional<YamlFault> missing_end_of_key(const Stop& stop) {
  if (auto fault = key_without_end(stop, stop.row())) return fault;
  const auto above = line_before(stop.lines, stop.row());
  return above ? key_without_end(stop, *above) : std::nullopt;
}

// Where a line begins; a map in a list begins behind the dash, too.
std::vector<std::size_t> indents_of(const Stop& stop, std::size_t row) {
  if (!stop.begins_item(row)) return {};
  const std::size_t indent = indent_of(stop.lines[row]);
  const Line line = line_of(stop.lines[row]);
  return line.is_item && line.begins_map() ? std::vector{indent, line.column} : std::vector{indent};
}

// Indents of the maps and lists that are open above the line where the parser gives up.
std::vector<std::size_t> open_indents(const Stop& stop) {
  std::vector<std::size_t> open;
  for (std::size_t row = 0; row < stop.row(); ++row)
    for (const std::size_t indent : indents_of(stop, row)) {
      while (!open.empty() && open.back() > indent) open.pop_back();
      if (open.empty() || open.back() < indent) open.push_back(indent);
    }
  return open;
}

// How many lines begin at each indent.
std::map<std::size_t, std::size_t> lines_by_indent(const Stop& stop) {
  std::map<std::size_t, std::size_t> lines;
  for (std::size_t row = 0; row < stop.lines.size(); ++row)
    for (const std::size_t indent : indents_of(stop, row)) ++lines[indent];
  return lines;
}

// The smallest indent of several lines: the others are multiples of it, most often.
std::size_t step_of(const std::map<std::size_t, std::size_t>& lines) {
  const auto step = std::ranges::find_if(lines, [](const auto& each) { return each.first > 0 && each.second > 1; });
  return step == lines.end() ? 1 : step->first;
}

// Of indents that do not fit, the one that is to blame: the rarest in the file, or no multiple of the usual step, or the nearest.
std::size_t odd_one(const Stop& stop, std::size_t indent, const std::vector<std::size_t>& open) {
  std::map<std::size_t, std::size_t> lines = lines_by_indent(stop);
  const std::size_t step = step_of(lines);
  const auto rank = [&](std::size_t other) {
    return std::tuple(lines[other], other % step == 0, std::max(other, indent) - std::min(other, indent));
  };
  std::size_t odd = indent;
  for (const std::size_t other : open)
    if (other > 0 && rank(other) < rank(odd)) odd = other;
  return odd;
}

std::optional<YamlFault> odd_line_above(const Stop& stop, std::size_t indent, const std::vector<std::size_t>& open) {
  const std::size_t odd = odd_one(stop, indent, open);
  if (odd == indent) return std::nullopt;
  std::size_t row = stop.row() - 1;
  while (std::ranges::count(indents_of(stop, row), odd) == 0) --row;
  return YamlFault{place(row, odd),
                   fmt::format("the line is indented by {}, and line {} below it by {}", odd, stop.where.line, indent)};
}

// The first line under a key.
bool begins_map(const Stop& stop, std::size_t indent) {
  const auto above = line_before(stop.lines, stop.row());
  return above && indent > indent_of(stop.lines[*above]) && line_of(stop.lines[*above]).said.ends_with(':');
}

std::optional<YamlFault> odd_indent(const Stop& stop) {
  if (!stop.has_item(stop.row())) return std::nullopt;
  const std::vector<std::size_t> open = open_indents(stop);
  const std::size_t indent = indent_of(stop.lines[stop.row()]);
  if (open.empty() || std::ranges::find(open, indent) != open.end() || begins_map(stop, indent)) return std::nullopt;
  if (auto fault = odd_line_above(stop, indent, open)) return fault;
  return YamlFault{place(stop.row(), indent),
                   fmt::format("the line is indented by {}; the lines above that it could belong to are indented by {}",
                               indent, fmt::join(open, " or "))};
}

}  // namespace

std::optional<YamlFault> yaml_fault(const std::string& text, Location given_up, const std::string& complaint) {
  const std::vector<std::string> lines = lines_of(text);
  const Location end{static_cast<int>(lines.size()) + 1, 1};
  const Stop stop{given_up, complaint, lines, scan_yaml(text, given_up), scan_yaml(text, end).is_inside};
  using Search = std::optional<YamlFault> (*)(const Stop&);
  std::vector<Search> searches{open_quote};
  if (stop.says("flow")) searches.insert(searches.end(), {key_before_bracket, wrong_end, open_bracket, missing_comma});
  if (stop.says("map flow")) searches.push_back(missing_end_of_inner_key);
  if (stop.says("sequence not")) searches.push_back(odd_indent);
  if (stop.says("map value") || stop.says("map not"))
    searches.insert(searches.end(), {key_before_bracket, second_colon, missing_end_of_key, odd_indent});
  for (const Search search : searches)
    if (auto fault = search(stop)) return fault;
  return std::nullopt;
}

}  // namespace armature::internal
