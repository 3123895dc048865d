#include "verification_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace armature::internal::cli {
namespace {

constexpr std::size_t name_width = 38, column_width = 14;  // of a page of 80
constexpr std::size_t most_lines = 20;

std::string cut(const std::string& name) {
  return name.size() < name_width ? name : name.substr(0, name_width - 4) + "...";
}

void print_line(const Verification::Digits& channel) {
  fmt::print("{:<{}}", cut(channel.channel), name_width);
  for (const double digits : channel.agree)
    fmt::print("{:>{}}", std::isnan(digits) ? "-" : fmt::format("{:.1f}", digits), column_width);
  fmt::print("\n");
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
  fmt::print("\n{:<{}}", "digits that agree with", name_width);
  for (const auto& repeat : verification.repeats) fmt::print("{:>{}}", repeat.how, column_width);
  fmt::print("\n");
  const auto lines = least_agreeing(verification.channels);
  for (const Verification::Digits* channel : lines) print_line(*channel);
  if (lines.size() < verification.channels.size())
    fmt::print("{} channels agree better; run.json has them\n", verification.channels.size() - lines.size());
  for (const auto& repeat : verification.repeats)
    if (repeat.status != "finished") fmt::print("{}: {}\n", repeat.how, repeat.sentence);
  for (const std::string& reason : verification.left_out) fmt::print("left out: {}\n", reason);
  if (!verification.doubtful) fmt::print("{}\n", verification.sentence);
}

}  // namespace armature::internal::cli
