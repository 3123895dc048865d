// Verdicts, from numbers alone. A number is judged twice: it must come out as expected, and it does or does not bear out
// what the paper says of it. A paper's number that does not come out must be explained, and an explained one must not come
// out; anything else is a failure of this program or of its entries.
#pragma once

#include <string>
#include <vector>

#include "gallery/experiments.hpp"

namespace armature::internal::gallery {

// confirmed: the paper says nothing, and what must come out does.
enum class Verdict { reproduced, in_part, not_reproduced, confirmed, without_numbers, failed };
std::string to_string(Verdict verdict);  // "reproduced", "reproduced in part", …

struct JudgedNumber {
  const Number* number;
  double value;                   // NaN: there is none
  std::string problem;            // not empty: failed, and why
  std::optional<bool> comes_out;  // as expected
  std::optional<bool> holds;      // what the paper says
  bool failed() const { return !problem.empty(); }
};

struct JudgedItem {
  const Item* item;
  std::vector<JudgedNumber> numbers;
  std::vector<std::string> problems;  // of experiments without a number, and of pictures
  Verdict verdict = Verdict::without_numbers;
};

JudgedNumber judge(const Number& number, double value);
JudgedItem judge(const Entry& entry, const Item& item, const ExperimentResults& results);
Verdict verdict_of(const JudgedItem& item);

}  // namespace armature::internal::gallery
