// The nearest name by edit distance: insertions, deletions, replacements, and swaps of neighbors.
#include <algorithm>
#include <cctype>

#include "expression/lower.hpp"

namespace armature {
namespace {

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// In half edits: a swap of neighbors is the likeliest slip and counts half.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = 2 * i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = 2 * j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 2 : 0);
      d[i][j] = std::min({d[i - 1][j] + 2, d[i][j - 1] + 2, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t longest = 64;  // longer words are not compared
  if (name.size() > longest) return std::nullopt;
  std::optional<std::string> best;
  std::size_t least = 2 * std::max<std::size_t>(1, name.size() / 3) + 1;  // a third of the letters may differ
  for (const std::string& candidate : names) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(lower_case(name), lower_case(candidate));
    const bool all_differs = distance >= 2 * std::min(name.size(), candidate.size());
    if (distance >= least || all_differs) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

}  // namespace armature
