// A file with its settings written into it is the model that the settings give.
#include "read/written_settings.hpp"

#include <gmock/gmock.h>

#include "read/text_edit.hpp"

namespace armature::internal {
namespace {

const std::string settable = R"(armature: 1
name: disk             # it turns
gravity: [0, 0, 0]
parameters:
  J: 2 kg*m^2          # of the disk
  twice: 2*J
inputs: {u: {unit: N*m}}
bodies: {disk: {mass: 1 kg, inertia: {zz: J}}}
joints: {turn: {type: revolute, axis: z, between: [ground, disk]}}
forces: {drive: {type: effort, on: turn, is: u}}
start: {near: {turn: 0.1}}
simulate: {end: 1 s}
)";

TEST(WrittenSettings, GoWhereTheReaderWouldPutThem) {
  const Settings settings{{"J", "3 kg*m^2"},
                          {"u", "0.5"},
                          {"simulate.rtol", "1e-8"},
                          {"start.keep.turn", "20 deg"},
                          {"start.speed.turn", "-2"}};
  const std::string text = with_settings(settable, settings);
  EXPECT_THAT(text, testing::HasSubstr("  J: 3 kg*m^2          # of the disk\n"));
  EXPECT_THAT(text, testing::HasSubstr("name: disk             # it turns\n"));
  const Model written = read_model_text(text), set = read_model_text(settable, "model", settings);
  EXPECT_EQ(written.parameters[0].value, set.parameters[0].value);
  EXPECT_EQ(written.parameters[1].value, set.parameters[1].value);
  EXPECT_EQ(written.inputs[0].value, 0.5);
  EXPECT_EQ(written.simulate.rtol, set.simulate.rtol);
  ASSERT_EQ(written.start.keep.size(), 1u);
  EXPECT_TRUE(written.start.near.empty());
  ASSERT_EQ(written.start.speed_keep.size(), 1u);
  EXPECT_EQ(written.start.speed_keep[0].name, "turn");
}

TEST(WrittenSettings, TheLastOneCounts) {
  EXPECT_EQ(with_settings(settable, {{"J", "3 kg*m^2"}, {"J", "4 kg*m^2"}}),
            with_settings(settable, {{"J", "4 kg*m^2"}}));
}

TEST(WrittenSettings, RefuseAValueOverSeveralLines) {
  const std::string text = "simulate:\n  stabilization:\n    baumgarte: {alpha: 1, beta: 1}\n";
  EXPECT_THROW(with_settings(text, {{"simulate.stabilization", "none"}}), EditError);
}

}  // namespace
}  // namespace armature::internal
