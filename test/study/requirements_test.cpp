// Values that an element could not have, at points of a study; the reader refuses each of them in the file.
#include "study/requirements.hpp"

#include <gmock/gmock.h>

#include "read/reader.hpp"
#include "study/sweep.hpp"
#include "system/build_model.hpp"

namespace armature::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* stops_text = R"(armature: 1
gravity: [0, 0, -9.81]
parameters: {e: 0.5, lowest: 0}
bodies: {block: {mass: 1}}
joints:
  z: {type: prismatic, axis: z, between: [ground, block], limits: {lower: lowest, upper: 2, restitution: e}}
start: {keep: {z: 1}}
simulate: {end: 1 s, record: 0.1 s}
)";

class RequirementsOfStops : public testing::Test {
 protected:
  const Model model_ = read_model_text(stops_text, "stops.yaml");
  const std::shared_ptr<Equations> equations_ = build_model(model_, {"e", "lowest"});
  const Requirements required_{model_, *equations_};
};

TEST_F(RequirementsOfStops, AreAllThatTheReaderAsksFor) {
  EXPECT_THAT(required_.violation(std::vector<double>{0.5, 0}), IsEmpty());
  EXPECT_EQ(required_.violation(std::vector<double>{1.5, 0}), "stops.yaml:6: joints.z: restitution is 1 or less: no impact adds energy");
  EXPECT_THAT(required_.violation(std::vector<double>{0.5, 3}), HasSubstr("stops.yaml:6: joints.z"));
  EXPECT_THROW(build_model(read_model_text(stops_text, "stops.yaml", {{"e", "1.5"}})), ModelError);
  EXPECT_THROW(build_model(read_model_text(stops_text, "stops.yaml", {{"lowest", "3"}})), ModelError);
}

// It used to give numbers of motions that no file describes.
TEST_F(RequirementsOfStops, FailTheCellsOfASweepThatDoNotMeetThem) {
  CellSession session{{.threads = 2}};
  const SweepResult sweep = sweep_motions(model_, {.over = {{"e", 0.5, 2, 4}}, .results = {{"top", "max(z)"}}}, session);
  EXPECT_THAT(sweep.status, ElementsAre(MotionStatus::finished, MotionStatus::finished, MotionStatus::no_start, MotionStatus::no_start));
  ASSERT_EQ(sweep.failures.kinds.size(), 1u);
  EXPECT_THAT(sweep.failures.kinds[0].sentence, HasSubstr("restitution is 1 or less"));
}

}  // namespace
}  // namespace armature::internal
