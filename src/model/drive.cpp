#include "model/drive.hpp"

namespace armature::internal {

const Formula& Drive::limit(std::string_view quantity) const {
  static const Formula none;
  for (const DriveLimit& limit : limits)
    if (limit.quantity == quantity) return limit.bound;
  return none;
}

}  // namespace armature::internal
