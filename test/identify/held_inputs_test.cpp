// A record that gives an input for a part of the motion only: its end values are held beyond, which is told.
#include <gmock/gmock.h>

#include "identify/driven_model.hpp"
#include "support/run_model.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Model driven(const std::vector<double>& times) {
  const Model model = read_model_text(
      "armature: 1\nplane: xy\ngravity: [0, 0, 0]\ninputs: {u: {unit: N*m, default: 0}}\n"
      "tables: {s: {x: [0, 0.1], y: [0, 1]}}\ndefine: {v: s(t)}\n"  // a table of the file is what it says
      "bodies: {r: {mass: 1, inertia: {zz: 1}}}\njoints: {turn: {type: revolute, between: [ground, r]}}\n"
      "forces: {f: {type: effort, on: turn, is: u}}\nsimulate: {end: 1, record: 0.01}\n");
  MeasuredRecord record{"u.csv", times, {{"u", "N*m", {}, std::vector<double>(times.size(), 2.0)}}};
  return driven_by_inputs(model, record);
}

std::vector<std::string> sentences(const Model& model, double start, double end) {
  return warnings_among(held_inputs(model, start, end));
}

TEST(HeldInputs, AreToldWithTheirTimes) {
  EXPECT_THAT(sentences(driven({0.4, 0.6}), 0, 1),
              ElementsAre("the input u has values from 0.4 s to 0.6 s only; its first value is held before, its last "
                          "value after that"));
  EXPECT_THAT(sentences(driven({0.4, 1}), 0, 1),
              ElementsAre("the input u has no values before 0.4 s; its first value is held until then"));
  EXPECT_THAT(sentences(driven({-1, 0.6}), 0, 1),
              ElementsAre("the input u has no values after 0.6 s; its last value is held from then on"));
  EXPECT_THAT(sentences(driven({0, 1}), 0, 1), IsEmpty());
  EXPECT_THAT(sentences(driven({0.4, 0.6}), 0.45, 0.55), IsEmpty());
}

// 2 N m on 1 kg m^2 for one second: the values are held, as told.
TEST(HeldInputs, AreHeld) { EXPECT_NEAR(simulated(driven({0.4, 0.6})).last("turn'"), 2, 1e-9); }

}  // namespace
}  // namespace armature::internal
