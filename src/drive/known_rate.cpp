#include "drive/known_rate.hpp"

#include <algorithm>

namespace armature::internal {

std::optional<Expression> known_rate(EquationsBuilder& builder, const Drive& drive, Expression current) {
  const auto leaves = leaves_of(current);
  const auto moves_smoothly = [&](std::int32_t leaf) {
    const auto& q = builder.equations().q;
    return leaf == builder.equations().t.id() ||
           std::any_of(q.begin(), q.end(), [&](const Expression& x) { return x.id() == leaf; });
  };
  if (std::all_of(leaves.begin(), leaves.end(), moves_smoothly)) return builder.rate_of(current);
  builder.equations().warnings.push_back(
      drive.name +
      ": driven by a current or torque that may jump or whose rate is unknown, so its voltage omits L di/dt");
  return std::nullopt;
}

}  // namespace armature::internal
