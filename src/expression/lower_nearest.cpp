// The nearest name by edit distance: insertions, deletions, replacements, and swaps of neighbors.
#include <algorithm>
#include <cctype>

#include "expression/lower.hpp"

namespace armature::internal {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

constexpr std::size_t longest = 64;  // longer words are not compared

// In half edits: a swap of neighbors is the likeliest slip and counts half. At least `enough` where it is not less than that.
// Rows i-2, i-1 and i of the table of distances between the beginnings of a and b.
std::size_t edit_distance(const std::string& a, const std::string& b, std::size_t enough) {
  std::size_t d[3][longest + 1];
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t* row = d[i % 3];
    const std::size_t *above = d[(i - 1) % 3], *before = d[(i + 1) % 3];
    std::size_t least = row[0] = 2 * i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1] ? 2 : 0);
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > enough + 1) return least;  // a swap may still save one
  }
  return d[a.size() % 3][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(const std::string& name, const std::vector<std::string>& names) {
  if (name.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t least = 2 * std::max<std::size_t>(1, name.size() / 3) + 1;  // a third of the letters may differ
  const std::string wanted = lower_case(name);
  for (const std::string& candidate : names) {
    const std::size_t longer = std::max(name.size(), candidate.size()),
                      shorter = std::min(name.size(), candidate.size());
    if (longer > longest || 2 * (longer - shorter) >= least) continue;
    const std::size_t distance = edit_distance(wanted, lower_case(candidate), least);
    const bool all_differs = distance >= 2 * std::min(name.size(), candidate.size());
    if (distance >= least || all_differs) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

}  // namespace armature::internal
