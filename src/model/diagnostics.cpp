#include "model/diagnostics.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "expression/lower.hpp"
#include "model/limits.hpp"

namespace armature::internal {

namespace {

// Not within a character of UTF-8.
std::string cut_to(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
  while (most > 0 && continues(most)) --most;
  return text.substr(0, most) + "…";
}

}  // namespace

bool Diagnostics::full() const { return found_.size() >= limits::messages; }

void Diagnostics::add(Location where, const std::string& key, const std::string& message) {
  add(where, key, message, false);
}

void Diagnostics::add_cause(Location where, const std::string& key, const std::string& message) {
  add(where, key, message, true);
}

void Diagnostics::add(Location where, const std::string& key, const std::string& message, bool is_cause) {
  const std::string shown = cut_to(message, limits::message_length);
  // Items made by `for`, and users of a definition, repeat what is wrong at one place of the file.
  for (const auto& [known, _] : found_) {
    if (known.where == where && known.message == shown && (where.line > 0 || known.key == key)) return;
  }
  if (!full())
    found_.push_back({{where, cut_to(key, limits::message_length), shown}, is_cause});
  else
    ++left_out_;
}

void Diagnostics::throw_if_any(const UsedFiles& used) const {
  if (found_.empty()) return;
  std::vector<Found> found = found_;
  std::ranges::stable_sort(found, {}, [](const Found& each) {
    return std::tuple(!each.is_cause, each.diagnostic.where.file, each.diagnostic.where.line);
  });
  std::vector<Diagnostic> sorted;
  for (const auto& [diagnostic, _] : found) sorted.push_back(diagnostic);
  if (left_out_ > 0) sorted.push_back({{}, "", fmt::format("and {} more errors", left_out_)});
  throw ModelError(file_, sorted, used);
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& names) {
  const std::optional<std::string> near = nearest_name(name, names);
  return near ? fmt::format(" (did you mean '{}'?)", *near) : "";
}

std::string near_or_all(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t many = 25;
  const std::string near = did_you_mean(name, names);
  return near.empty() && !names.empty() && names.size() <= many ? fmt::format("; expected {}", one_of(names)) : near;
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return text;
}

}  // namespace armature::internal
