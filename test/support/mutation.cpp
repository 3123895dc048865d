#include "support/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace armature::internal {
namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The end of a comment that begins here, or the place itself where none does.
std::size_t after_comment(const std::string& text, std::size_t at) {
  if (text[at] != '#') return at;
  return std::min(text.find('\n', at), text.size());
}

}  // namespace

std::uint64_t Mutation::draw() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<Mutation::Piece> Mutation::numbers_in(const std::string& text) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at = after_comment(text, at); at >= text.size()) break;
    if (!is_digit(text[at]) || (at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1])))) continue;
    char* end = nullptr;
    std::strtod(text.c_str() + at, &end);
    const std::size_t size = static_cast<std::size_t>(end - text.c_str()) - at;
    pieces.push_back({at, size});
    at += size - 1;
  }
  return pieces;
}

std::vector<Mutation::Piece> Mutation::words_in(const std::string& text) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at = after_comment(text, at); at >= text.size()) break;
    if (!is_letter(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && (is_letter(text[end]) || is_digit(text[end]))) ++end;
    pieces.push_back({at, end - at});
    at = end - 1;
  }
  return pieces;
}

void Mutation::change_number(std::string& text) {
  const std::vector<Piece> numbers = numbers_in(text);
  if (numbers.empty()) return;
  const Piece number = numbers[below(numbers.size())];
  const std::string old = text.substr(number.begin, number.size);
  const char* const forms[] = {"-",    "1000*",   "0.001*", "1e6*",   "1e-6*", "1e12*", "1e-12*", "1e160*",
                               "0.5*", "1e-300*", "2*",     "1.001*", "0*",    "-2*",   "1e300*", "3*"};
  const std::size_t form = below(std::size(forms) + 3);
  const char* const values[] = {"0", "1e999", "1"};
  text.replace(number.begin, number.size,
               form < std::size(forms) ? forms[form] + old : values[form - std::size(forms)]);
}

void Mutation::exchange_numbers(std::string& text) {
  const std::vector<Piece> numbers = numbers_in(text);
  if (numbers.size() < 2) return;
  const Piece to = numbers[below(numbers.size())], from = numbers[below(numbers.size())];
  text.replace(to.begin, to.size, text.substr(from.begin, from.size));
}

void Mutation::misspell(std::string& text) {
  const std::vector<Piece> words = words_in(text);
  if (words.empty()) return;
  const Piece word = words[below(words.size())];
  const std::size_t at = word.begin + below(word.size);
  switch (below(3)) {
    case 0: text.erase(at, 1); break;
    case 1: text.insert(at, 1, text[at]); break;
    default: std::swap(text[at], text[at + 1 < text.size() ? at + 1 : at]); break;
  }
}

void Mutation::exchange_word(std::string& text) {
  const std::vector<Piece> words = words_in(text);
  if (words.size() < 2) return;
  const Piece to = words[below(words.size())], from = words[below(words.size())];
  text.replace(to.begin, to.size, text.substr(from.begin, from.size));
}

void Mutation::change_lines(std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  if (lines.size() < 2) return;
  const std::size_t at = below(lines.size());
  switch (below(3)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
    case 1: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(lines[at])); break;
    default: std::swap(lines[at], lines[below(lines.size())]); break;
  }
  text = joined(lines);
}

void Mutation::flip_byte(std::string& text) {
  if (!text.empty()) text[below(text.size())] ^= static_cast<char>(1u << below(8));
}

std::string Mutation::of_model(std::string text) {
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    const std::size_t kind = below(40);  // mostly numbers: most other mistakes are found before anything moves
    if (kind == 0)
      flip_byte(text);
    else if (kind == 1)
      misspell(text);
    else if (kind <= 3)
      exchange_word(text);
    else if (kind <= 6)
      change_lines(text);
    else if (kind <= 12)
      exchange_numbers(text);
    else if (kind == 13 && below(5) == 0)
      text.resize(below(text.size()));
    else
      change_number(text);
  }
  return text;
}

void Mutation::change_bytes(std::string& bytes) {
  const std::size_t at = below(bytes.size() + 1), size = below(std::min<std::size_t>(bytes.size() - at, 16) + 1);
  const std::string letters = "0123456789.,-+*/^()[]{}'\" \n\t<>=eEaxyt_:\\%&\xc3\xbf";
  switch (below(9)) {
    case 0: bytes.erase(at, size); break;
    case 1: bytes.insert(at, bytes.substr(at, size)); break;
    case 2: bytes.insert(below(bytes.size() + 1), bytes.substr(at, size)); break;
    case 3: bytes.insert(at, 1, static_cast<char>(draw())); break;
    case 4: bytes.insert(at, 1, letters[below(letters.size())]); break;
    case 5:
      if (below(4) == 0) bytes.resize(at);
      break;
    case 6:
      if (at < bytes.size()) bytes[at] = letters[below(letters.size())];
      break;
    case 7: change_number(bytes); break;
    default: flip_byte(bytes); break;
  }
}

std::string Mutation::of_bytes(std::string bytes) {
  for (std::size_t left = 1 + below(4); left > 0; --left) change_bytes(bytes);
  return bytes;
}

}  // namespace armature::internal
