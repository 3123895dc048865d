#include "terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "record/hdf5_file.hpp"

namespace armature::internal::cli {
namespace {

constexpr int usual_columns = 80, fewest_columns = 40;

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

// As no-color.org has it: any value that is not empty.
bool shows_colors(std::FILE* stream) {
  const char *no_color = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
  const bool refused = (no_color && *no_color) || (term && std::string(term) == "dumb");
  return is_terminal(stream) && !refused;
}

const char* code_of(Style style) {
  return style == Style::heading ? "\033[1m" : style == Style::warning ? "\033[33m" : "\033[31m";
}

// Characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padding(std::size_t width, const std::string& text) {
  return std::string(width > length(text) ? width - length(text) : 0, ' ');
}

std::string wrapped_line(const std::string& line, std::size_t columns, std::size_t indent) {
  if (length(line) <= columns) return line;
  std::string result = line.substr(0, std::min(line.find_first_not_of(' '), line.size()));  // its own indentation
  std::size_t used = result.size(), from = result.size();
  bool first = true;
  while (from < line.size()) {
    // a word, with the blanks before it
    const std::size_t word = std::min(line.find_first_not_of(' ', from), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::size_t size = length(line.substr(from, end - from));
    if (!first && used + size > columns) {
      result += "\n" + std::string(indent, ' ') + line.substr(word, end - word);
      used = indent + length(line.substr(word, end - word));
    } else {
      result += line.substr(from, end - from);
      used += size;
    }
    first = false;
    from = end;
  }
  return result;
}

// Where the last column of a line begins, in the left two thirds of the window; 0: it has no columns.
std::size_t last_column(const std::string& line, std::size_t columns) {
  std::size_t column = 0;
  for (std::size_t k = 2; k < std::min(line.size(), 2 * columns / 3); ++k)
    if (line[k] != ' ' && line[k - 1] == ' ' && line[k - 2] == ' ') column = length(line.substr(0, k));
  return column;
}

bool quiet_output = false;

}  // namespace

std::string styled(Style style, const std::string& text, std::FILE* stream) {
  return shows_colors(stream) ? code_of(style) + text + "\033[0m" : text;
}

int columns(std::FILE* stream) {
  winsize size{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::max<int>(size.ws_col, fewest_columns);
  const char* text = std::getenv("COLUMNS");
  const int given = text ? std::atoi(text) : 0;
  return given > 0 ? std::max(given, fewest_columns) : usual_columns;
}

std::string wrapped(const std::string& text, int columns, int indent) {
  std::string result;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    const auto most = static_cast<std::size_t>(columns);
    result += wrapped_line(line, most,
                           indent == under_last_column ? last_column(line, most) : static_cast<std::size_t>(indent));
    if (end < text.size()) result += '\n';
    from = end + 1;
  }
  return result;
}

std::string fitted(const std::string& text, std::FILE* stream, int indent) {
  return is_terminal(stream) ? wrapped(text, columns(stream), indent) : text;
}

void be_quiet() { quiet_output = true; }
bool quiet() { return quiet_output; }

void print_note(const std::string& note) {
  if (!quiet()) fmt::print("{}\n", fitted(note));
}

void print_warning(const std::string& warning, std::FILE* stream) {
  fmt::print(stream, "{}\n", styled(Style::warning, fitted("warning: " + warning, stream, 2), stream));
}

void print_results(const std::string& folder, const std::vector<std::string>& files) {
  constexpr std::string_view hdf5_name = "results.h5";
  std::string list;
  bool left_out = false;
  for (const std::string& file : files) {
    if (file == hdf5_name && !hdf5_obstacle().empty())
      left_out = true;
    else if (!file.empty())
      list += (list.empty() ? "" : ", ") + file;
  }
  fmt::print("{}\n", fitted(fmt::format("results: {}/{}", folder, list), stdout, 2));
  if (left_out) print_note("note: results.h5 is left out; " + hdf5_obstacle());
}

void print_heading(const std::string& heading) { fmt::print("{}\n", styled(Style::heading, fitted(heading))); }

std::size_t TextTable::width_of(std::size_t column) const {
  std::size_t width = 0;
  for (const auto& row : rows_)
    if (column < row.size()) width = std::max(width, length(row[column]));
  return width;
}

// Columns are taken from the left as long as they fit, at least one per block.
void TextTable::print() const {
  constexpr std::size_t gap = 2;
  const auto most = static_cast<std::size_t>(columns());
  const std::size_t name_width = std::min(width_of(0), most / 2);
  for (std::size_t first = 1; first < rows_.front().size();) {
    std::size_t end = first, used = name_width;
    while (end < rows_.front().size() && (end == first || used + gap + width_of(end) <= most))
      used += gap + width_of(end++);
    print_block(first, end, name_width);
    first = end;
  }
}

void TextTable::print_block(std::size_t first, std::size_t end, std::size_t name_width) const {
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const std::vector<std::string>& row = rows_[r];
    const bool fits = length(row[0]) <= name_width;
    std::string line = row[0] + (fits ? padding(name_width, row[0]) : "\n" + std::string(name_width, ' '));
    for (std::size_t column = first; column < std::min(end, row.size()); ++column)
      line += "  " + padding(width_of(column), row[column]) + row[column];
    fmt::print("{}\n", r == 0 ? styled(Style::heading, line) : line);
  }
}

}  // namespace armature::internal::cli
