#include "study/failures.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "study/journal.hpp"

namespace armature::internal {

namespace {

constexpr int whole_bits = 52;  // of a number that a double holds exactly

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '\''; }

// Just behind the number that begins at k.
std::size_t end_of_number(const std::string& text, std::size_t k) {
  for (; k < text.size(); ++k) {
    const bool exponent =
        text[k] == 'e' && k + 1 < text.size() && (is_digit(text[k + 1]) || text[k + 1] == '-' || text[k + 1] == '+');
    if (exponent && !is_digit(text[k + 1])) ++k;
    if (!is_digit(text[k]) && text[k] != '.' && !exponent) break;
  }
  return k;
}

bool ends_in_place(const std::string& text) { return text.ends_with("line ") || text.ends_with("column "); }

std::string without_numbers(const std::string& sentence) {
  std::string text;
  bool quoted = false;
  for (std::size_t k = 0; k < sentence.size();) {
    const char c = sentence[k];
    if (c == '\'' && (quoted || text.empty() || !is_word(text.back()))) quoted = !quoted;
    const bool begins = is_digit(c) && (text.empty() || !is_word(text.back()));
    if (!begins || quoted || ends_in_place(text)) {
      text += c;
      ++k;
      continue;
    }
    if (text.ends_with('-')) text.pop_back();
    text += '#';
    k = end_of_number(sentence, k);
  }
  return text;
}

}  // namespace

double reason_number(const std::string& sentence) {
  if (sentence.empty()) return 0;
  const std::string text = without_numbers(sentence);
  return static_cast<double>((fingerprint(text.data(), text.size()) >> (64 - whole_bits)) | 1u);
}

std::vector<Failure> group_failures(const std::vector<double>& reasons,
                                    const std::function<std::string(long cell)>& sentence_of) {
  std::map<double, Failure> groups;
  for (std::size_t k = 0; k < reasons.size(); ++k) {
    if (reasons[k] == 0) continue;
    Failure& failure = groups[reasons[k]];
    if (failure.count++ == 0) failure.cell = static_cast<long>(k);
  }
  std::vector<Failure> list;
  for (auto& [reason, failure] : groups) list.push_back(failure);
  std::ranges::sort(list, [](const Failure& a, const Failure& b) {
    return a.count != b.count ? a.count > b.count : a.cell < b.cell;
  });
  for (Failure& failure : list) failure.sentence = sentence_of(failure.cell);
  return list;
}

}  // namespace armature::internal
