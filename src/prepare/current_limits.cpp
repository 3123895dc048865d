#include "prepare/current_limits.hpp"

namespace armature::internal {

std::vector<Prepared::CurrentLimit> current_limits(const Model& model) {
  std::vector<Prepared::CurrentLimit> limits;
  for (const Drive& drive : model.drives)
    if (const auto current = drive.kind->switched_current(drive, model))
      limits.push_back({current->channel, current->limit, current->time_constant});
  return limits;
}

}  // namespace armature::internal
