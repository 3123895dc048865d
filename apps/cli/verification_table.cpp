#include "verification_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "terminal.hpp"

namespace armature::internal::cli {
namespace {

constexpr std::size_t most_lines = 20;

std::vector<std::string> row_of(const Verification::Digits& channel) {
  std::vector<std::string> row{channel.channel};
  for (const double digits : channel.agree) row.push_back(std::isnan(digits) ? "-" : fmt::format("{:.1f}", digits));
  return row;
}

// Those that agree least, in the order of the recording.
std::vector<const Verification::Digits*> least_agreeing(const std::vector<Verification::Digits>& channels) {
  std::vector<const Verification::Digits*> list;
  for (const auto& channel : channels) list.push_back(&channel);
  if (list.size() <= most_lines) return list;
  const auto less = [](const auto* a, const auto* b) {
    return std::isnan(b->least()) ? !std::isnan(a->least()) : a->least() < b->least();
  };
  std::stable_sort(list.begin(), list.end(), less);
  list.resize(most_lines);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

void print_verification(const Verification& verification) {
  std::vector<std::string> header{"digits that agree with"};
  for (const auto& repeat : verification.repeats) header.push_back(repeat.how);
  TextTable table(header);
  const auto lines = least_agreeing(verification.channels);
  for (const Verification::Digits& result : verification.results) table.add(row_of(result));
  for (const Verification::Digits* channel : lines) table.add(row_of(*channel));
  fmt::print("\n");
  table.print();
  if (lines.size() < verification.channels.size())
    fmt::print("{} channels agree better; run.json has them\n", verification.channels.size() - lines.size());
  for (const auto& repeat : verification.repeats)
    if (repeat.status != "finished") fmt::print("{}\n", fitted(repeat.how + ": " + repeat.sentence, stdout, 2));
  for (const std::string& reason : verification.left_out) print_note("left out: " + reason);
  if (!verification.doubtful) fmt::print("{}\n", fitted(verification.sentence));
}

}  // namespace armature::internal::cli
