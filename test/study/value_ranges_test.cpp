// Values that a file could not have, at points between the ends of what is varied.
#include "study/value_ranges.hpp"

#include <gmock/gmock.h>

#include "read/reader.hpp"

namespace armature::internal {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* text = R"(armature: 1
gravity: [0, -9.81, 0]
parameters: {a: 3, b: 0.5, stiff: 1000*(a - b)}
inputs: {push: {default: 1}}
bodies: {m: {mass: 1}}
joints:
  y: {type: prismatic, axis: y, between: [ground, m], friction: "a*push", limits: {lower: -1, upper: 1, stiffness: stiff, damping: a - 2*b}}
simulate: {end: 1 s, record: 0.1 s}
)";

class ValueRangesOfTwo : public testing::Test {
 protected:
  const Model model_ = read_model_text(text, "two.yaml");
  const ValueRanges ranges_{formula_checks(model_, {}), model_, {"a", "b"}};
  std::string at(double a, double b) const { return ranges_.violation(std::vector<double>{a, b}); }
};

TEST_F(ValueRangesOfTwo, AllowWhatTheFileCouldHave) { EXPECT_THAT(at(3, 0.5), IsEmpty()); }

// A parameter that follows from both; the file would be refused in the same words.
TEST_F(ValueRangesOfTwo, NameTheFirstValueThatIsNotAllowed) {
  EXPECT_EQ(at(1, 2), "two.yaml:7: joints.y.limits.stiffness: must be positive, but it is -1000");
  EXPECT_EQ(at(3, 2), "two.yaml:7: joints.y.limits.damping: must not be negative, but it is -1");
  EXPECT_THROW(read_model_text(text, "two.yaml", {{"a", "1"}, {"b", "2"}}), ModelError);
}

// What moves, such as an input, is no constant of the file.
TEST_F(ValueRangesOfTwo, LeaveOutWhatMoves) {
  const ValueRanges of_input{formula_checks(model_, {}), model_, {"push"}};
  EXPECT_THAT(of_input.violation(std::vector<double>{-1}), IsEmpty());
}

}  // namespace
}  // namespace armature::internal
