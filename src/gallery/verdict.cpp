#include "gallery/verdict.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "gallery/numbers.hpp"

namespace armature::internal::gallery {

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return "reproduced";
    case Verdict::in_part: return "reproduced in part";
    case Verdict::not_reproduced: return "not reproduced";
    case Verdict::confirmed: return "verified";
    case Verdict::without_numbers: return "no numbers";
    case Verdict::failed: return "FAILED";
  }
  return {};
}

JudgedNumber judge(const Number& number, double value) {
  JudgedNumber judged{&number, value, {}, {}, {}};
  if (number.expect) {
    judged.comes_out = std::abs(value - number.expect->value) <= number.expect->within;
    if (!*judged.comes_out)
      judged.problem = fmt::format("{:.12g} came out, expected {} within {:g} ({})", value, number.expect->digits,
                                   number.expect->within, number.expect->source);
  }
  if (number.paper) {
    judged.holds = value >= number.paper->from && value <= number.paper->to;
    if (judged.failed()) return judged;
    if (!*judged.holds && number.because.empty())
      judged.problem = fmt::format("{:.6g} came out against \"{}\", and no reason is known", value, number.paper->says);
    if (*judged.holds && !number.because.empty())
      judged.problem =
          fmt::format("\"{}\" is reproduced, although a reason is given why it should not be", number.paper->says);
  }
  return judged;
}

JudgedItem judge(const Entry& entry, const Item& item, const ExperimentResults& results) {
  JudgedItem judged{&item, {}, {}, Verdict::without_numbers};
  for (std::size_t k = 0; k < item.numbers.size(); ++k) {
    const Number& number = item.numbers[k];
    try {
      judged.numbers.push_back(judge(number, value_of(entry, item, k, results)));
    } catch (const NumberError& error) {
      judged.numbers.push_back({&number, std::numeric_limits<double>::quiet_NaN(), error.what(), {}, {}});
    }
  }
  judged.verdict = verdict_of(judged);
  return judged;
}

Verdict verdict_of(const JudgedItem& item) {
  if (!item.problems.empty()) return Verdict::failed;
  int claims = 0, held = 0;
  for (const JudgedNumber& number : item.numbers) {
    if (number.failed()) return Verdict::failed;
    claims += number.holds.has_value();
    held += number.holds.value_or(false);
  }
  if (item.numbers.empty()) return Verdict::without_numbers;
  if (claims == 0) return Verdict::confirmed;
  return held == claims ? Verdict::reproduced : held == 0 ? Verdict::not_reproduced : Verdict::in_part;
}

}  // namespace armature::internal::gallery
