#include "model/formula_place.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

namespace armature::internal {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_trailing_space(const std::string& line) {
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

// The column (from 0) of the > or | with which a line ends, behind which a text begins; npos: none.
std::size_t block_indicator(const std::string& line) {
  const std::size_t last = line.find_last_not_of(" \t\r+-0123456789");
  const bool is_block =
      last != std::string::npos && (line[last] == '>' || line[last] == '|') && last > 0 && line[last - 1] == ' ';
  return is_block ? last : std::string::npos;
}

}  // namespace

Location place_in_file(const std::string& text, Location where) {
  if (where.file != 0) return where;
  const std::vector<std::string> lines = lines_of(text);
  std::size_t line = static_cast<std::size_t>(where.line) - 1;
  if (where.line < 1 || line >= lines.size()) return where;
  std::size_t offset = static_cast<std::size_t>(where.column) - 1;
  const std::size_t block = block_indicator(lines[line]);
  if (block != std::string::npos && offset >= block) {
    offset -= block;
  } else {
    const std::size_t length = without_trailing_space(lines[line]).size();
    if (offset < length) return where;
    offset -= length + 1;  // the line's end counts as one space
  }
  while (++line < lines.size()) {
    const std::string content = without_trailing_space(lines[line]);
    const std::size_t indent = std::min(content.find_first_not_of(" \t"), content.size());
    const std::size_t length = content.size() - indent;
    if (offset < length) return {static_cast<int>(line) + 1, static_cast<int>(indent + offset) + 1};
    offset -= length + 1;
  }
  return where;
}

void LineStarts::read(const std::string& text) {
  starts_ = {0};
  for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
    starts_.push_back(at + 1);
}

Location LineStarts::first_character(const std::string& text, Location where) const {
  const auto line = static_cast<std::size_t>(where.line) - 1;
  if (where.file != 0 || where.line < 1 || where.column < 1 || line >= starts_.size()) return where;
  const std::size_t at = starts_[line] + static_cast<std::size_t>(where.column) - 1;
  if (at >= text.size()) return where;
  return text[at] == '"' || text[at] == '\'' ? Location{where.line, where.column + 1} : where;
}

}  // namespace armature::internal
