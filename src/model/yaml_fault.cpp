#include "model/yaml_fault.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace armature::internal {
namespace {

constexpr std::string_view blanks = " \t\r";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::size_t indent_of(const std::string& line) { return line.find_first_not_of(blanks); }  // npos: an empty line

bool says_something(const std::string& line) {
  const std::size_t indent = indent_of(line);
  return indent != std::string::npos && line[indent] != '#';
}

// The number, from 0, of the last line before `row` that says something.
std::optional<std::size_t> line_before(const std::vector<std::string>& lines, std::size_t row) {
  while (row-- > 0)
    if (says_something(lines[row])) return row;
  return std::nullopt;
}

// Of a text that the parser does not take for a scalar: quotes, brackets and comments have their meaning only in some places.
class Scanner {
 public:
  struct Bracket {
    char sign;
    Location where;
  };

  void take(char c, Location where) {
    const bool begins = last_ == '\0' || std::string_view("[{,:-").find(last_) != std::string_view::npos;  // a value
    if (c == '\n')
      comment_ = false, begins_line_ = true;
    else if (comment_)
      return;
    else if (quote_ != '\0')
      quote_ = c == quote_ ? '\0' : quote_;
    else if (c == '#' && (begins_line_ || after_blank_))
      comment_ = true;
    else if ((c == '"' || c == '\'') && (begins || begins_line_))
      quote_ = c;
    else
      bracket(c, where, begins || begins_line_);
    remember(c);
  }
  const std::vector<Bracket>& open() const { return open_; }

 private:
  void bracket(char c, Location where, bool begins) {
    if ((c == '{' || c == '[') && (begins || !open_.empty())) open_.push_back({c, where});
    if ((c == '}' || c == ']') && !open_.empty()) open_.pop_back();
  }
  void remember(char c) {
    after_blank_ = blanks.find(c) != std::string_view::npos;
    if (after_blank_ || c == '\n' || comment_) return;
    last_ = c, begins_line_ = false;
  }

  std::vector<Bracket> open_;
  char quote_ = '\0', last_ = '\0';
  bool comment_ = false, begins_line_ = true, after_blank_ = true;
};

// {keep: {a: 1} without the second brace. One of the same line is left to the parser's words, as it may be a piece of a name.
std::optional<YamlFault> open_bracket(const std::string& text, Location given_up) {
  Scanner scanner;
  Location at{1, 1};
  for (const char c : text) {
    scanner.take(c, at);
    at = c == '\n' ? Location{at.line + 1, 1} : Location{at.line, at.column + 1};
  }
  if (scanner.open().empty() || scanner.open().front().where.line >= given_up.line) return std::nullopt;
  const auto& [sign, where] = scanner.open().front();
  return YamlFault{where, fmt::format("'{}' is not closed by '{}'", sign, sign == '{' ? '}' : ']')};
}

// mass:2 kg, or a key alone that has no colon: the line after it is where the parser stumbles.
std::optional<YamlFault> missing_colon(const std::vector<std::string>& lines, Location given_up) {
  const auto row = line_before(lines, static_cast<std::size_t>(given_up.line - 1));
  if (!row) return std::nullopt;
  const std::size_t indent = indent_of(lines[*row]);
  std::string said = lines[*row].substr(indent, lines[*row].find(" #") - indent);
  said.erase(said.find_last_not_of(blanks) + 1);
  const std::size_t colon = said.find(':');
  const Location where{static_cast<int>(*row) + 1, static_cast<int>(indent) + 1};
  if (std::string_view("\"'[{").find(said[0]) != std::string_view::npos) return std::nullopt;
  if (colon == std::string::npos) return YamlFault{where, fmt::format("a colon is missing after '{}'", said)};
  if (colon + 1 < said.size() && said.find(": ") == std::string::npos)
    return YamlFault{where, fmt::format("a blank is missing after the colon of '{}'", said)};
  return std::nullopt;
}

// Indents of the maps that are open above a line.
std::vector<std::size_t> open_indents(const std::vector<std::string>& lines, std::size_t row) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < row; ++k) {
    if (!says_something(lines[k])) continue;
    while (!open.empty() && open.back() > indent_of(lines[k])) open.pop_back();
    if (open.empty() || open.back() < indent_of(lines[k])) open.push_back(indent_of(lines[k]));
  }
  return open;
}

std::optional<YamlFault> odd_indent(const std::vector<std::string>& lines, Location given_up) {
  const auto row = static_cast<std::size_t>(given_up.line - 1);
  if (row >= lines.size() || !says_something(lines[row])) return std::nullopt;
  const std::vector<std::size_t> open = open_indents(lines, row);
  const std::size_t indent = indent_of(lines[row]);
  if (open.empty() || std::ranges::find(open, indent) != open.end()) return std::nullopt;
  return YamlFault{{given_up.line, static_cast<int>(indent) + 1},
                   fmt::format("the line is indented by {}, and those above it that it could belong to by {}", indent, fmt::join(open, " or "))};
}

}  // namespace

std::optional<YamlFault> yaml_fault(const std::string& text, Location given_up, const std::string& complaint) {
  const std::vector<std::string> lines = lines_of(text);
  if (complaint.find("flow not found") != std::string::npos) return open_bracket(text, given_up);
  if (complaint.find("end of map not found") != std::string::npos) return odd_indent(lines, given_up);
  if (complaint.find("illegal map value") == std::string::npos) return std::nullopt;
  const auto fault = missing_colon(lines, given_up);
  return fault ? fault : odd_indent(lines, given_up);
}

}  // namespace armature::internal
