// A disc or a slide with one drive of any kind.
#pragma once

#include <fmt/format.h>

#include "inverse/inverse.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

// 0.02 kg m^2 about z, without gravity; `joint` are further keys of its joint, `drive` those of the drive m.
inline std::string driven_disc(const std::string& drive, const std::string& more, const std::string& joint = "") {
  return fmt::format(
      "gravity: [0, 0, 0]\nplane: xy\nbodies: {{disc: {{mass: 1, inertia: {{zz: 0.02}}}}}}\n"
      "joints: {{turn: {{type: revolute, between: [ground, disc]{}}}}}\ndrives:\n  m: {{on: turn, {}}}\n{}",
      joint.empty() ? "" : ", " + joint, drive, more);
}

// The disc turned at a constant speed of the shaft.
inline std::string held_disc(const std::string& drive, double speed, const std::string& simulate) {
  return driven_disc(drive, fmt::format("constraints: {{hold: {{type: prescribed, zero: turn - {0:.17g}*t}}}}\n"
                                        "start: {{speed: {{turn: {0:.17g}}}}}\nsimulate: {{{1}}}",
                                        speed, simulate));
}

struct InvertedRun {
  MemoryRecorder record;
  Outcome outcome;
  double last(const std::string& channel) const { return record.column(channel).back(); }
};
inline InvertedRun inverted_text(const std::string& text) {
  const Model model = read_model_text("armature: 1\n" + text);
  Prepared start = compile_inverse(model);
  assemble_start(start);
  InvertedRun run;
  run.outcome = inverse(model, start, run.record);
  EXPECT_EQ(run.outcome.status, RunStatus::finished) << run.outcome.sentence;
  return run;
}

}  // namespace armature::internal
