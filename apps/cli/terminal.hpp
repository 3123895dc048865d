// What the terminal can show: how many columns it has, and colors. Output that goes to a file or a pipe has no colors, and its
// sentences are not wrapped.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace armature::internal::cli {

enum class Style { heading, warning, error };  // bold, yellow, red

// The text in its style where the stream is a terminal. NO_COLOR and TERM=dumb are obeyed.
std::string styled(Style style, const std::string& text, std::FILE* stream = stdout);

int columns(std::FILE* stream = stdout);  // of the terminal, else of COLUMNS, else 80

// Lines broken between words so that they fit; a word that does not fit by itself is left whole. Further lines of one begin
// with `indent` blanks, or under its last column: a column begins behind two blanks.
constexpr int under_last_column = -1;
std::string wrapped(const std::string& text, int columns, int indent = 0);

// Wrapped to the width of the terminal; as it is where the stream is none.
std::string fitted(const std::string& text, std::FILE* stream = stdout, int indent = 0);

// --quiet: notes and progress are left out. Results, warnings and errors are printed.
void be_quiet();
bool quiet();

void print_note(const std::string& note);                                    // on stdout, not where quiet
void print_warning(const std::string& warning, std::FILE* stream = stderr);  // "warning: …"
// "results: folder/first.csv, second.json"; an empty name is left out.
void print_results(const std::string& folder, const std::vector<std::string>& files);
void print_heading(const std::string& heading);  // on stdout

// Names to the left, numbers to the right of each column. A table wider than the terminal is printed in blocks, one below the other,
// each with the first column; a name that takes more than half of a line gets a line of its own.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print() const;

 private:
  std::size_t width_of(std::size_t column) const;
  void print_block(std::size_t first, std::size_t end, std::size_t name_width) const;

  std::vector<std::vector<std::string>> rows_;  // the first is the header
};

}  // namespace armature::internal::cli
