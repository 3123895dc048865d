// Values that an element could not have, at points of a study; the reader refuses each of them in the file.
#include "study/requirements.hpp"

#include <fmt/format.h>
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
  EXPECT_EQ(required_.violation(std::vector<double>{1.5, 0}),
            "stops.yaml:6: joints.z: restitution is 1 or less: no impact adds energy");
  EXPECT_THAT(required_.violation(std::vector<double>{0.5, 3}), HasSubstr("stops.yaml:6: joints.z"));
  EXPECT_THROW(build_model(read_model_text(stops_text, "stops.yaml", {{"e", "1.5"}})), ModelError);
  EXPECT_THROW(build_model(read_model_text(stops_text, "stops.yaml", {{"lowest", "3"}})), ModelError);
}

// It used to give numbers of motions that no file describes.
TEST_F(RequirementsOfStops, FailTheCellsOfASweepThatDoNotMeetThem) {
  CellSession session{{.threads = 2}};
  const SweepResult sweep =
      sweep_motions(model_, {.over = {{"e", 0.5, 2, 4}}, .results = {{"top", "max(z)"}}}, session);
  EXPECT_THAT(sweep.status, ElementsAre(MotionStatus::finished, MotionStatus::finished, MotionStatus::no_start,
                                        MotionStatus::no_start));
  ASSERT_EQ(sweep.failures.kinds.size(), 1u);
  EXPECT_THAT(sweep.failures.kinds[0].sentence, HasSubstr("restitution is 1 or less"));
}

// A formula and values of its parameter, of which the reader refuses the second.
struct RefusedValue {
  const char* text;
  double allowed, refused;
  const char* sentence;
};

void expect_refused(const std::string& text, double allowed, double refused, const std::string& sentence) {
  const Model model = read_model_text(text, "m.yaml");
  const auto equations = build_model(model, {"p"});
  const Requirements required(model, *equations);
  EXPECT_THAT(required.violation(std::vector<double>{allowed}), IsEmpty());
  EXPECT_THAT(required.violation(std::vector<double>{refused}), HasSubstr(sentence));
  EXPECT_THROW(build_model(read_model_text(text, "m.yaml", {{"p", fmt::format("{}", refused)}})), ModelError);
}

std::string mechanism_with(const std::string& joint, const std::string& more) {
  return "armature: 1\ngravity: [0, 0, -9.81]\nparameters: {p: 1}\nbodies: {block: {mass: 1, inertia: {xx: 1, yy: 1, "
         "zz: 1}}}\njoints: {j: " +
         joint + "}\n" + more;
}

const std::string slide = "{type: prismatic, axis: z, between: [ground, block]}",
                  loose = "{type: free, between: [ground, block]}";
const std::string floor_contact =
    "forces: {touch: {type: contact, between: [{plane: ground, normal: [0, 0, p]}, {sphere: block, radius: 0.1}], "
    "stiffness: 1e4}}\n";

TEST(Requirements, AreThoseOfFunctionsAndJointsAndFiltersToo) {
  for (const auto& [text, allowed, refused, sentence] : {
           RefusedValue{"push: \"ramp(t, 0, p)\"", 0.5, 0, "ramp(x, a, b) needs a < b"},
           RefusedValue{"push: \"trapezoid(t, p, 2, 0.2)\"", 1.5, 2, "trapezoid(x, a, b) needs a < b"},
           RefusedValue{"way: \"quintic(t, 0, p)\", push: 2*way", 0.5, -1, "quintic(x, a, b) needs a < b"},
       }) {
    SCOPED_TRACE(text);
    const std::string file =
        mechanism_with(slide, fmt::format("define: {{{}}}\nforces: {{f: {{type: effort, on: j, is: push}}}}\n", text));
    expect_refused(file, allowed, refused, sentence);
  }
  expect_refused(mechanism_with("{type: screw, axis: z, pitch: p - 1, between: [ground, block]}", ""), 2, 1,
                 "the pitch must not be zero");
  expect_refused(mechanism_with("{type: universal, axes: [z, [p, 1, p - 1]], between: [ground, block]}", ""), 1, 1.5,
                 "must be perpendicular");
  expect_refused(mechanism_with(loose, floor_contact), 1, 0, "has no direction");
  expect_refused(
      mechanism_with(loose, "constraints: {edge: {type: knife_edge, between: [block, ground], across: [0, p, 0]}}\n"),
      1, 0, "has no direction");
  expect_refused(
      mechanism_with(slide,
                     "controllers: {c: {type: transfer_function, of: j, numerator: [1], denominator: [p, 1, 2]}}\n"),
      1, 0, "the first coefficient of the denominator is zero");
}

// It damps in all directions, any other along its line alone.
std::string spring_text(const char* damping) {
  return std::string(R"(armature: 1
gravity: [0, 0, -9.81]
parameters: {rest: 0.5}
bodies: {block: {mass: 1}}
joints: {z: {type: prismatic, axis: z, between: [ground, block]}}
simulate: {end: 1 s, record: 0.1 s}
forces: {pull: {type: spring, between: ["ground [1, 0, 0]", block], stiffness: 100, length: rest, damping: )") +
         damping + "}}\n";
}

TEST(Requirements, ASpringMayHaveNoLengthButThenHasOtherEquations) {
  const Model model = read_model_text(spring_text("2"), "spring.yaml");
  const auto equations = build_model(model, {"rest"});
  const Requirements required(model, *equations);
  EXPECT_THAT(required.violation(std::vector<double>{1e-200}), IsEmpty());  // whose square is zero
  EXPECT_FALSE(required.has_otherwise(std::vector<double>{1e-200}));
  EXPECT_TRUE(required.has_otherwise(std::vector<double>{0}));
  EXPECT_EQ(required.violation(std::vector<double>{0}),
            "spring.yaml:7: forces.pull: with a length of zero the spring has other equations than the rest of the "
            "study; run this value separately");
  EXPECT_NO_THROW(build_model(read_model_text(spring_text("2"), "spring.yaml", {{"rest", "0"}})));
}

TEST(Requirements, AStudyThatBeginsWhereEquationsAreOthersAsksToLeaveThisValueOut) {
  const Model model = read_model_text(spring_text("2"), "spring.yaml");
  CellSession session{{.threads = 2}};
  const auto sweep = [&](const Model& model) {
    return sweep_motions(model, {.over = {{"rest", 0, 1, 3}}, .results = {{"top", "max(z)"}}}, session);
  };
  try {
    sweep(model);
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("with rest = 0 the file describes another model, with other equations; leave this value out"));
  }
  const SweepResult undamped = sweep(read_model_text(spring_text("0"), "spring.yaml"));
  EXPECT_THAT(undamped.status, testing::Each(MotionStatus::finished));
}

}  // namespace
}  // namespace armature::internal
