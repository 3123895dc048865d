#include "inverse/kinematic_record.hpp"

#include <gmock/gmock.h>

#include "inverse/inverted.hpp"

namespace armature::internal {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kinematic_machine = driven_crank(
    "drives: {m: {type: dc_motor, on: crank, torque_constant: 1, resistance: 1, current: 0}}\n"
    "constraints: {hold: {type: prescribed, zero: crank - 3*t}}\nstart: {near: {slide: 0.7}}\n"
    "define: {reach: slide - 0.7, heat: m.current^2}\nrecord: {quantities: {push: m.torque}, reactions: [pin]}\n"
    "simulate: {end: 0.2, record: 0.1}\n");

TEST(KinematicRecord, KeepsWhatFollowsFromTheMotion) {
  const Model model = read_model_text("armature: 1\n" + kinematic_machine);
  MemoryRecorder record;
  const Outcome outcome = record_kinematics(model, prepared(model), record, {});
  std::vector<std::string> names;
  for (const Channel& channel : record.channels()) names.push_back(channel.name);
  for (const char* kept : {"t", "crank", "slide", "crank'", "reach", "m.speed"}) EXPECT_THAT(names, Contains(kept));
  for (const char* left_out : {"m.current", "m.torque", "heat", "push", "lambda.hold", "heat.joule", "energy.error"})
    EXPECT_THAT(names, Not(Contains(left_out)));
  EXPECT_THAT(outcome.warnings(), Contains(HasSubstr("reaction")));
  EXPECT_THAT(outcome.warnings(), Contains(HasSubstr("heat")));
}

TEST(KinematicRecord, NamesTheFormulasThatItLeavesOut) {
  const Model model = read_model_text("armature: 1\n" + kinematic_machine);
  EXPECT_THAT(quantities_left_out(model, prepared(model)), testing::UnorderedElementsAre("heat", "push"));
}

}  // namespace
}  // namespace armature::internal
