// Inverse dynamics of a model given by its text, and a crank with a rod and a slider for motions of loops.
#pragma once

#include "inverse/inverse.hpp"
#include "support/run_model.hpp"

namespace armature::internal {

struct InvertedMotion {
  MemoryRecorder record;
  Outcome outcome;
  double at(int row, const std::string& channel) const {
    return record.column(channel).at(static_cast<std::size_t>(row));
  }
  double last(const std::string& channel) const { return record.column(channel).back(); }
};

inline InvertedMotion inverse_motion_of(const std::string& text) {
  const Model model = read_model_text("armature: 1\n" + text);
  Prepared start = compile_inverse(model);
  assemble_start(start);
  EXPECT_EQ(start.failure, "");
  InvertedMotion run;
  run.outcome = inverse(model, start, run.record);
  return run;
}

// A disc of 0.02 kg m^2 without gravity.
inline std::string wanted_disc(const std::string& more) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {disc: {mass: 1, inertia: {zz: 0.02}}}\n"
         "joints: {turn: {type: revolute, between: [ground, disc]}}\n" +
         more;
}

// A crank of 0.2 m, a rod of 0.5 m, a slider along x.
inline std::string driven_crank(const std::string& more) {
  return "gravity: [0, 0, 0]\nplane: xy\nbodies: {arm: {mass: 1, inertia: {rod: 0.2}}, rod: {mass: 1, inertia: {rod: "
         "0.5}}, slider: {mass: 0.5}}\n"
         "joints:\n  crank: {type: revolute, between: [ground, arm]}\n"
         "  knee: {type: revolute, between: [\"arm [0.2, 0, 0]\", rod]}\n"
         "  pin: {type: revolute, between: [\"rod [0.5, 0, 0]\", slider]}\n"
         "  slide: {type: prismatic, axis: x, between: [ground, slider]}\n" +
         more;
}

}  // namespace armature::internal
