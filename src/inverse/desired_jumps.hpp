// Wanted motions that no effort produces: where a position or a speed jumps, or is not finite. A jump of the acceleration is a finite
// jump of effort, and allowed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prepare/prepare.hpp"

namespace armature::internal {

// The first jump of a wanted motion, or its first moment without a finite value.
struct DesiredJump {
  std::string name;  // of the constraint row
  bool speed = false;
  double t = 0, size = 0;  // s; NaN: it is not finite from here on
};
// motion: for each row whether it is one of wanted motion. speeds: whether they are looked at, too.
std::optional<DesiredJump> jump_of_desired_motion(const Prepared& prepared, const std::vector<bool>& motion,
                                                  bool speeds);

// Rows that are moved by formulas of t which may jump: those with comparisons, mod, or angles of atan2.
std::vector<bool> rows_that_may_jump(const Equations& equations);

}  // namespace armature::internal
