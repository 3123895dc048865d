// Elastic contacts and end stops that are pressed together at the start. A block that lies on its feet is pressed in by its weight; one that
// was put too deep is thrown out. What a touch does is told from what it would do without all of them:
//
//   push = J (a - a0),   natural = |J a0| + |J' v|,   J v the rate of its penetration
//
// a: accelerations, a0: those with all touches off. At rest both are the same. A push that is far more may still be meant: the ball on a
// heavy plunger whose spring is loaded flies off, with the force of that spring in the contact. So what the touch presses on also tells:
//
//   load = max |f0_i / J_i|   over the coordinates i that move its surfaces well,   f0: forces with all touches off
//
// A start is not meant where the push is far more than natural, and the force far more than the load.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/finding.hpp"
#include "system/state.hpp"
#include "system/system.hpp"

namespace armature::internal {

struct StartTouch {
  std::string label;             // "contact heel", "end stop of knee"
  bool is_angle = false;         // the penetration
  double penetration, force;     // m and N, or rad and N m
  double push = 0, natural = 0;  // m/s^2 or rad/s^2
  double load = 0;               // N or N m

  bool is_sudden() const;
  std::string sentence() const;  // "contact heel starts with a penetration of 8 mm (160 kN)"
};

// duration: of the motion, s. Sets the evaluator to the start.
std::vector<StartTouch> start_touches(SystemEvaluator& evaluator, const State& start, double duration);

// What a run warns of.
std::optional<Finding> sudden_start(const std::vector<StartTouch>& touches);

}  // namespace armature::internal
