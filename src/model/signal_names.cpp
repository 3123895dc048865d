#include "model/signal_names.hpp"

#include <algorithm>

namespace armature::internal {

namespace {

constexpr Dimension force_dimension{{1, 1, -2, 0, 0}}, moment_dimension{{1, 2, -2, 0, 0}};

}  // namespace

std::optional<ReactionName> reaction_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto found = std::ranges::find(reaction_signals, name.substr(dot + 1));
  if (found == reaction_signals.end()) return std::nullopt;
  const int k = static_cast<int>(found - reaction_signals.begin());
  const bool force = k < 3 || k == 6;
  return ReactionName{name.substr(0, dot), k < 6 ? k : 3 * (k - 6), k < 6 ? 1 : 3,
                      force ? force_dimension : moment_dimension};
}

}  // namespace armature::internal
