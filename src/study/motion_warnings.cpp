#include "study/motion_warnings.hpp"

#include <bit>
#include <cstdint>

#include "model/findings.hpp"

namespace armature::internal {

namespace {

constexpr int whole_bits = 53;  // of a number that a double holds exactly
static_assert(finding_rows.size() <= whole_bits);

std::uint64_t whole(double bits) { return static_cast<std::uint64_t>(bits); }

}  // namespace

double warning_bits(const Findings& findings) {
  std::uint64_t bits = 0;
  for (const Finding& finding : findings) bits |= std::uint64_t{1} << static_cast<int>(finding.code);
  return static_cast<double>(bits);
}

double all_warnings(double a, double b) { return static_cast<double>(whole(a) | whole(b)); }

std::vector<FindingCode> warning_codes(double bits) {
  std::vector<FindingCode> codes;
  for (std::uint64_t rest = whole(bits); rest != 0; rest &= rest - 1)
    codes.push_back(static_cast<FindingCode>(std::countr_zero(rest)));
  return codes;
}

std::string warning_words(double bits) {
  std::string words;
  for (const FindingCode code : warning_codes(bits))
    words += (words.empty() ? "" : " ") + std::string(row_of(code).code);
  return words;
}

}  // namespace armature::internal
