#include "study/motion_warnings.hpp"

#include <algorithm>
#include <cstdint>

namespace armature::internal {

const std::vector<std::string>& warning_codes() {
  static const std::vector<std::string> codes = {"energy",    "constraint", "impact", "steps", "comparison",
                                                 "undefined", "contact",    "law",    "other"};
  return codes;
}

double warning_bits(const std::vector<Finding>& findings) {
  std::uint32_t bits = 0;
  for (const Finding& finding : findings) {
    const auto place = std::ranges::find(warning_codes(), finding.code) - warning_codes().begin();
    bits |= 1u << std::min<std::size_t>(static_cast<std::size_t>(place), warning_codes().size() - 1);
  }
  return bits;
}

bool has_warning(double bits, std::size_t code) { return (static_cast<std::uint32_t>(bits) >> code & 1u) != 0; }

std::string warning_words(double bits) {
  std::string words;
  for (std::size_t code = 0; code < warning_codes().size(); ++code)
    if (has_warning(bits, code)) words += (words.empty() ? "" : " ") + warning_codes()[code];
  return words;
}

}  // namespace armature::internal
