// The columns of a row of trajectory.csv, part by part, in their order: the one list that names them, fills them and finds them again.
#pragma once

#include <vector>

#include "record/recorder.hpp"
#include "system/system.hpp"

namespace armature::internal {

enum class RowPart {
  time,
  state,  // q, v, z without references of angles
  quantities,
  efforts,  // of the constraint rows that are efforts of drives
  multipliers,
  reactions,  // six numbers a joint
  kinetic,
  potential,
  elastic,
  magnetic,
  energy_error,
  position_error,
  velocity_error,
  rank,
  smallest_pivot,
  smallest_singular_value
};

struct RowColumns {
  RowPart part;
  std::vector<Channel> channels;
};

// What is known of a motion.
struct RowContent {
  bool forces = true;            // accelerations and multipliers
  bool energy_error = false;     // energy can be balanced
  bool singular_values = false;  // of Phi
};

// Force and moment of each joint under `record: {reactions}`.
std::vector<Channel> reaction_channels(const Equations& equations);

std::vector<RowColumns> row_columns(const System& system, const RowContent& content);

}  // namespace armature::internal
