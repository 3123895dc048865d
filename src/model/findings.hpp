// The rows of findings.def. A finding is made by its code and the fields of its sentence:
//
//   finding<FindingCode::stabilization>("added"_a = …, "size"_a = …)
#pragma once

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "model/finding.hpp"

namespace armature::internal {

using namespace fmt::literals;

enum class FindingCode : int {
#define FINDING(code, severity, sentence, meaning, remedy) code,
#include "model/findings.def"
#undef FINDING
};

enum class Severity {
  failure,  // the run ends with this sentence
  error,    // the numbers cannot be trusted
  warning,  // the numbers may mean something else than they seem to
  advice,   // the numbers are right
};
std::string_view name_of(Severity severity);

struct FindingRow {
  std::string_view code;  // as programs see it: in run.json, in the cells of a study
  Severity severity;
  const char* sentence;  // with its fields in braces
  std::string_view meaning, remedy;
};

inline constexpr auto finding_rows = std::to_array<FindingRow>({
#define FINDING(code, severity, sentence, meaning, remedy) {#code, Severity::severity, sentence, meaning, remedy},
#include "model/findings.def"
#undef FINDING
});

constexpr const FindingRow& row_of(FindingCode code) { return finding_rows[static_cast<std::size_t>(code)]; }

template <FindingCode code, class... Fields>
Finding finding(Fields&&... fields) {
  constexpr const char* sentence = row_of(code).sentence;
  return {code, fmt::format(fmt::format_string<Fields...>(sentence), std::forward<Fields>(fields)...)};
}

}  // namespace armature::internal
